import {
  type ListEnvironment,
  NO_CREDENTIALS,
  readOptions,
  readPlan,
  renderFile,
  renderPosition,
  resolveSettings,
  resolveShot,
} from '../list/index.js';
import {
  codecOf,
  IMAGE_FORMATS,
  type ImageFormat,
  type MatcherOptionsInput,
  type Plan,
  type PlannedShot,
  type Position,
  type ProjectUse,
  ProofsheetError,
  parseUrl,
  renderCountOf,
  type Shot,
  withoutCredentials,
} from '../model/index.js';

/** A shot of a plan. */
export interface RunnableShot {
  readonly planned: PlannedShot;
  /** Time limit for capturing all sides, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Fills in what the shot takes from its project.
   *
   * @throws ProofsheetError `base-url-missing`, or `list-invalid` if both sides are the same page
   */
  resolve(use: ProjectUse): Shot;
}

/** A page list and its shots. */
export interface RunPlan {
  readonly plan: Plan;
  /** Path of the list for display. */
  readonly shownFile: string;
  readonly shots: readonly RunnableShot[];
}

/**
 * Reads a page list and returns its plan with the shots to run.
 *
 * @throws AggregateError with all errors of the list
 */
export function planRun(file: string, environment: ListEnvironment): RunPlan {
  const plan = readPlan(file, environment);
  const shots = plan.shots.map((planned) => ({
    planned,
    timeoutMs: resolveSettings(planned.fields).timeoutMs,
    resolve: (use: ProjectUse) => resolveShot(planned, use),
  }));
  return { plan, shownFile: renderFile(plan.file), shots };
}

/** Creates the error for a list that does not exist. @param call - the call that names the list */
export function listMissing(file: string, call: Position): ProofsheetError {
  return new ProofsheetError(
    {
      code: 'list-unreadable',
      where: renderPosition(call),
      found: `the page list ${renderFile(file)} does not exist`,
      advice: 'Correct the path, which is relative to the spec, or create the file.',
    },
    call,
  );
}

/**
 * Returns a notice if pages do not use the path of their base URL: `new URL('/a', 'http://host/app/')` is `http://host/a`.
 *
 * @param projectBaseURL - base URL of the Playwright project; null: only the base URLs of the list are checked
 * @returns null if no path is dropped
 */
export function renderDroppedPath({ plan }: Pick<RunPlan, 'plan'>, projectBaseURL: string | null): string | null {
  const dropped = plan.shots.flatMap((shot) => droppedPathOf(shot, projectBaseURL) ?? []);
  const [first] = dropped;
  if (!first) return null;
  const pages = new Set(dropped.map(({ position }) => renderPosition(position)));
  const more = pages.size > 1 ? ` (and ${renderCountOf(pages.size - 1, 'more page')})` : '';
  const { base, url, opened, fixedBase, fixedUrl } = first;
  const fixes = [
    ...(fixedUrl === url ? [] : [`"${fixedUrl}"`]),
    ...(fixedBase === base ? [] : [`baseURL: ${fixedBase}`]),
  ];
  const place = `${renderPosition(first.position)}${more}`;
  return withoutCredentials(
    `${place}: "${url}" opens ${opened}, without the path of baseURL ${base}. Write ${fixes.join(' and ')}.`,
  );
}

interface DroppedPath {
  readonly position: Position;
  readonly base: string;
  readonly url: string;
  /** The URL that is opened. */
  readonly opened: string;
  readonly fixedBase: string;
  readonly fixedUrl: string;
}

function droppedPathOf(shot: PlannedShot, projectBaseURL: string | null): DroppedPath | null {
  const sides = [
    { url: shot.url, ownBase: shot.baseURL },
    { url: shot.before, ownBase: shot.beforeBaseURL },
  ];
  for (const { url, ownBase } of sides) {
    // The base URL of a served page is that of its server.
    const projectBase = ownBase === null && shot.served === null ? projectBaseURL : null;
    const base = projectBaseURL === null ? ownBase : projectBase;
    if (url === null || base === null || parseUrl(url) !== null) continue;
    const found = dropsPath(url, base);
    if (found) return { position: shot.position, base, url, ...found };
  }
  return null;
}

/** A last segment with a dot is a file. Only its folder is expected to be used. */
function dropsPath(url: string, base: string): Pick<DroppedPath, 'opened' | 'fixedBase' | 'fixedUrl'> | null {
  const folder =
    parseUrl(base)
      ?.pathname.replace(/[^/]*\.[^/]*$/, '')
      .replace(/\/$/, '') ?? '';
  const opened = parseUrl(url, base);
  if (folder === '' || opened === null || url.startsWith('..')) return null;
  if (opened.pathname === folder || opened.pathname.startsWith(`${folder}/`)) return null;
  const isFolder = new URL('.', base).pathname === `${folder}/`;
  return {
    opened: opened.href,
    fixedBase: isFolder ? base : `${opened.origin}${folder}/`,
    fixedUrl: url.startsWith('/') ? `.${url}` : url,
  };
}

/** A page that a test has opened in a context that it configured. */
export interface OpenedPage {
  /** Name of the spec, without extension. The id of the shot starts with it. */
  readonly spec: string;
  /** The name in the call, or its parts, as `toHaveScreenshot` takes them. */
  readonly name: string | readonly string[];
  readonly url: string;
}

/** The shot of a call of `toMatchBaseline`. */
export interface OpenedShot {
  readonly shot: Shot;
  /** The file that `toHaveScreenshot` has for the name; null if the name does not end with the extension of an image. */
  readonly file: readonly string[] | null;
  /** Names of options of `toHaveScreenshot` in the config that have no meaning here. */
  readonly unused: readonly string[];
}

/**
 * Creates the shot of `toMatchBaseline`, with the id `<spec>/<name>`.
 *
 * @param config - `expect.toHaveScreenshot` of the Playwright config
 * @throws ProofsheetError `options-invalid` with the first problem of the options
 */
export function createOpenedShot(
  { spec, name, url }: OpenedPage,
  options: MatcherOptionsInput,
  config: Readonly<Record<string, unknown>> = {},
): OpenedShot {
  const parts = [name].flat();
  const text = parts.join('/');
  const call = `toMatchBaseline('${text}')`;
  readOptions(options, call);
  const { page, extension } = readExtension(text);
  const { fields, unused } = readConfig(config);
  const format = options.format ?? extension ?? fields.format;
  if (extension && format && codecOf(format) !== codecOf(extension)) throw misfit(call, extension, format);
  const settle = { ...fields.settle, ...options.settle };
  return {
    shot: {
      ...{ id: `${spec}/${text}`, page, viewport: null, state: null },
      ...resolveSettings({ ...fields, ...options, settle, ...(format && { format }) }),
      after: { url, httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS },
      before: null,
      emulation: { device: null, size: null, language: null, colorScheme: null, timezone: null, userAgent: null },
    },
    file: extension === null ? null : parts,
    unused,
  };
}

/** Splits the extension of an image off a name. */
function readExtension(name: string): { page: string; extension: ImageFormat | null } {
  const extension = IMAGE_FORMATS.find((format) => name.endsWith(`.${format}`)) ?? null;
  const page = extension === null ? name : name.slice(0, -extension.length - 1);
  return page === '' || page.endsWith('/') ? { page: name, extension: null } : { page, extension };
}

/** The options of `toHaveScreenshot` with the same name and meaning. */
const SHARED = ['threshold', 'maxDiffPixels', 'maxDiffPixelRatio', 'scale'];

/** The options that have another name here. Playwright applies `pathTemplate`. */
const TRANSLATED = ['type', 'animations', 'caret', 'pathTemplate'];

/** Reads `expect.toHaveScreenshot` of a config. */
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

function misfit(call: string, extension: string, format: string): ProofsheetError {
  return new ProofsheetError({
    code: 'options-invalid',
    where: call,
    found: `the name ends with .${extension}, but \`format\` is ${format}`,
    advice: 'Remove one of them.',
  });
}
