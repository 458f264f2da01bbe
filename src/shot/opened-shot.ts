import { fileNamesOf } from '../baselines/index.js';
import { NO_CREDENTIALS, readOptions, resolveSettings } from '../list/index.js';
import {
  codecOf,
  IMAGE_FORMATS,
  type ImageFormat,
  type MatcherOptionsInput,
  NO_EMULATION,
  ProofsheetError,
  type Shot,
} from '../model/index.js';

/**
 * Creates the shot of `toMatchBaseline`, with the id `<spec>/<name>`.
 *
 * @param page - the name of the spec, without extension, and the name in the call, or its parts, as `toHaveScreenshot` takes them
 * @param config - `expect.toHaveScreenshot` of the Playwright config
 * @returns the shot, and `unused`, the names of options of `toHaveScreenshot` that have no meaning here
 * @throws ProofsheetError `options-invalid` with the first problem of the options
 */
export function createOpenedShot(
  { spec, name, url }: { readonly spec: string; readonly name: string | readonly string[]; readonly url: string },
  options: MatcherOptionsInput,
  config: Readonly<Record<string, unknown>> = {},
): { shot: Shot; unused: readonly string[] } {
  const parts = [name].flat();
  const text = parts.join('/');
  const call = `toMatchBaseline('${text}')`;
  readOptions(options, call);
  const { page, extension } = readExtension(text);
  const { fields, unused } = readConfig(config);
  const format = options.format ?? extension ?? fields.format;
  if (extension && format && codecOf(format) !== codecOf(extension)) {
    const found = `the name ends with .${extension}, but \`format\` is ${format}`;
    throw new ProofsheetError({ code: 'options-invalid', where: call, found, advice: 'Remove one of them.' });
  }
  const settle = { ...fields.settle, ...options.settle };
  const settings = resolveSettings({ ...fields, ...options, settle, ...(format && { format }) });
  const perEnvironment = settings.verdict.environment === 'separate';
  // A name with the extension of an image has the file that `toHaveScreenshot` has for it.
  const file = extension === null ? null : parts;
  return {
    shot: {
      ...{ id: `${spec}/${text}`, page, viewport: null, mode: null, state: null },
      ...fileNamesOf({ page }, settings.capture.format, perEnvironment, file),
      ...settings,
      after: { url, httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS },
      before: null,
      emulation: NO_EMULATION,
    },
    unused,
  };
}

function readExtension(name: string): { page: string; extension: ImageFormat | null } {
  const extension = IMAGE_FORMATS.find((format) => name.endsWith(`.${format}`)) ?? null;
  const page = extension === null ? name : name.slice(0, -extension.length - 1);
  return page === '' || page.endsWith('/') ? { page: name, extension: null } : { page, extension };
}

/** The options of `toHaveScreenshot` with the same name and meaning. */
const SHARED = ['threshold', 'maxDiffPixels', 'maxDiffPixelRatio', 'scale'];

/** The options that have another name here. Playwright applies `pathTemplate`. */
const TRANSLATED = ['type', 'animations', 'caret', 'pathTemplate'];

function readConfig(config: Readonly<Record<string, unknown>>): { fields: MatcherOptionsInput; unused: string[] } {
  const { type, animations, caret } = config;
  const set = Object.keys(config).filter((key) => config[key] !== undefined);
  const shared = set.filter((key) => SHARED.includes(key)).map((key) => [key, config[key]]);
  const settle = {
    ...(animations === 'allow' && { animations: false }),
    ...(caret === 'initial' && { caret: false }),
  };
  const fields = { ...Object.fromEntries(shared), ...(type !== undefined && { format: type }), settle };
  return {
    fields: readOptions(fields, 'expect.toHaveScreenshot in the Playwright config'),
    unused: set.filter((key) => !SHARED.includes(key) && !TRANSLATED.includes(key)),
  };
}
