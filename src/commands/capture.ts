import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import { readFields } from '../list/index.js';
import {
  codecOf,
  DEFAULTS,
  ProofsheetError,
  print,
  printJson,
  printRemark,
  renderBounds,
  renderSize,
  SHOT_FORMATS,
  type ShotFieldsInput,
  type ShotFormat,
} from '../model/index.js';
import { captureToFile } from '../service/index.js';
import { collect, describeAsFlags, numberOf } from './flags.js';

const EXAMPLES = `
Examples:
  proofsheet capture https://www.example.com -o example.png
  proofsheet capture http://localhost:3000/pricing -o pricing.webp --width 390 --full-size --hide-cookie
  proofsheet capture https://www.example.com -o example.pdf --json

The page is captured once it is stable, in the same way as a page of a list.
A page that responds with an error status is not captured.
Exit code: 0 captured, 2 an error occurred.`;

/** Adds `proofsheet capture URL -o FILE`. */
export function addCapture(program: Command): void {
  program
    .command('capture')
    .description('capture one page into a file')
    .argument('<url>', 'http:// or https:// URL of the page')
    .requiredOption('-o, --output <file>', 'output file; the extension must match the format')
    .addOption(
      new Option('--format <name>', 'image format (default: from the file extension, otherwise png)').choices(
        SHOT_FORMATS,
      ),
    )
    .option('--width <pixels>', `viewport width in pixels, ${renderBounds('width')} (default: ${DEFAULTS.width})`)
    .option(
      '--height <pixels>',
      `viewport height in pixels, ${renderBounds('height')}, or "content" for the content height (default: ${DEFAULTS.height})`,
    )
    .option('--delay <seconds>', 'time to wait before the capture, 0..10')
    .option('--full-size', 'capture the full scrollable page')
    .option('--hide-cookie', 'hide cookie banners')
    .option('--hide <selector>', 'selector of elements to make invisible; can be repeated', collect)
    .option('--javascript-code <code>', 'JavaScript to run in the page before the capture')
    .option('--language <locale>', 'language of the browser, such as de-DE')
    .option('--json', 'print one JSON document: the v1 response of the capture service')
    .addHelpText('after', EXAMPLES)
    .action(capture);
}

/** Raw values of the flags that set page fields. */
interface FieldFlags {
  readonly format?: ShotFormat;
  readonly width?: string;
  readonly height?: string;
  readonly delay?: string;
  readonly fullSize?: true;
  readonly hideCookie?: true;
  readonly hide?: readonly string[];
  readonly javascriptCode?: string;
  readonly language?: string;
}

interface CaptureFlags extends FieldFlags {
  readonly output: string;
  readonly json?: true;
}

async function capture(url: string, { output, json, ...flags }: CaptureFlags): Promise<void> {
  const { response, size, warnings, notice } = await captureToFile(url, fieldsOf(output, flags), output);
  [...(notice === null ? [] : [notice]), ...warnings.map(({ message }) => message)].forEach(printRemark);
  if (json) printJson(response);
  else print(`captured: ${renderSize(size)} ${output}\n`);
}

function fieldsOf(output: string, { format, width, height, delay, ...flags }: FieldFlags): ShotFieldsInput {
  const fields = {
    ...flags,
    format: formatOfOutput(output, format),
    ...(width !== undefined && { width: numberOf(width) }),
    ...(height !== undefined && { height: height === 'content' ? null : numberOf(height) }),
    ...(delay !== undefined && { delay: numberOf(delay) }),
  };
  return describeAsFlags(() => readFields(fields, 'proofsheet capture'));
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
  throw new ProofsheetError({
    code: 'command-invalid',
    where: `--output ${output}`,
    found:
      named === undefined
        ? `".${extension}" is not a supported extension`
        : `".${extension}" is not the extension of the format ${format}`,
    advice:
      named === undefined
        ? `Use one of these: ${SHOT_FORMATS.map((name) => `.${name}`).join(', ')}.`
        : `Use .${format}, or --format ${named}.`,
  });
}
