import { extname } from 'node:path';
import { readFields } from '../list/index.js';
import {
  codecOf,
  DEFAULTS,
  invalidCommand,
  renderBounds,
  renderSize,
  SHOT_FORMATS,
  type ShotFieldsInput,
  type ShotFormat,
  VIEWPORT_BOUNDS,
} from '../model/index.js';
import { captureToFile } from '../service/index.js';
import { command, flag, list, required, type Values, value } from './command.js';
import { readBetween, readCount, setFlags } from './flags.js';

const readHeight = readCount(VIEWPORT_BOUNDS.height.min, VIEWPORT_BOUNDS.height.max);

const FIELDS = {
  format: value('<name>', 'image format (default: from the file extension, otherwise png)', { choices: SHOT_FORMATS }),
  width: value('<pixels>', `viewport width in pixels, ${renderBounds('width')} (default: ${DEFAULTS.width})`, {
    read: readCount(VIEWPORT_BOUNDS.width.min, VIEWPORT_BOUNDS.width.max),
  }),
  height: value(
    '<pixels>',
    `viewport height in pixels, ${renderBounds('height')}, or "content" for the content height (default: ${DEFAULTS.height})`,
    { read: (text) => (text === 'content' ? text : readHeight(text)) },
  ),
  delay: value('<seconds>', 'time to wait before the capture, 0..10', { read: readBetween(0, 10) }),
  fullSize: flag('capture the full scrollable page'),
  hideCookie: flag('hide cookie banners'),
  hide: list('<selector>', 'selector of elements to make invisible; can be repeated'),
  javascriptCode: value('<code>', 'JavaScript to run in the page before the capture'),
  language: value('<locale>', 'language of the browser, such as de-DE'),
};

export const capture = command({
  name: 'capture',
  description: 'capture one page into a file',
  args: { '<url>': 'http:// or https:// URL of the page' },
  flags: {
    output: required('<file>', 'output file; the extension must match the format', { short: 'o' }),
    ...FIELDS,
    json: flag('print one JSON document: the v1 response of the capture service'),
  },
  help: `  proofsheet capture https://www.example.com -o example.png
  proofsheet capture http://localhost:3000/pricing -o pricing.webp --width 390 --full-size --hide-cookie
  proofsheet capture https://www.example.com -o example.pdf --json

The page is captured once it is stable, in the same way as a page of a list.
A page that responds with an error status is not captured.
Exit code: 0 captured, 2 an error occurred.`,
  async run({ output, json: _, ...flags }, [url = '']) {
    const { response, size, warnings, notice } = await captureToFile(url, fieldsOf(output, flags), output);
    return {
      json: response,
      text: `captured: ${renderSize(size)} ${output}\n`,
      remarks: [...(notice === null ? [] : [notice]), ...warnings.map(({ message }) => message)],
    };
  },
});

function fieldsOf(output: string, { format, height, ...flags }: Values<typeof FIELDS>): ShotFieldsInput {
  const fields = {
    ...setFlags(flags),
    format: formatOfOutput(output, format ?? undefined),
    ...(height !== null && { height: height === 'content' ? null : height }),
  };
  return readFields(fields, 'proofsheet capture');
}

/**
 * Returns the format of an output file: the value of `--format`, otherwise the format of the file extension, otherwise png.
 *
 * @throws ProofsheetError `command-invalid` if the extension belongs to another format.
 */
export function formatOfOutput(output: string, requested?: ShotFormat): ShotFormat {
  const extension = extname(output).slice(1).toLowerCase();
  const named = SHOT_FORMATS.find((name) => name === extension);
  const format = requested ?? named ?? DEFAULTS.format;
  if (extension === '' || (named !== undefined && codecOf(named) === codecOf(format))) return format;
  const found = `".${extension}" is not the extension of the format ${format}`;
  throw invalidCommand(`--output ${output}`, found, `Use .${format}, or one of: --format ${SHOT_FORMATS.join(', ')}.`);
}
