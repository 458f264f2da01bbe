import { extname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import {
  ANTIALIASING_RULES,
  DEFAULTS,
  ENGINES,
  mediaTypeOf,
  ProofsheetError,
  print,
  printJson,
  printRemark,
  renderSize,
} from '../model/index.js';
import { type CompareOptions, type CompareResponse, compareSources, readCompareOptions } from '../service/index.js';
import { collect, describeAsFlags, numberOf } from './flags.js';

const FOLDER = 'proofsheet-compare';

const EXAMPLES = `
Examples:
  proofsheet compare before.png after.png
  proofsheet compare https://www.example.com https://staging.example.com --max-diff-pixel-ratio 0.001
  proofsheet compare shots/home.png http://localhost:3000 --ignore 0,0,1280,64 --json

Pages are captured with a viewport of ${DEFAULTS.width}x${DEFAULTS.height} and without credentials.
Exit code: 0 within the limit, 1 different, 2 an error occurred.`;

/** Adds `proofsheet compare BEFORE AFTER`. */
export function addCompare(program: Command): void {
  program
    .command('compare')
    .description('compare two images, two pages, or an image with a page')
    .argument('<before>', 'image file (png, jpeg, webp, pdf) or URL')
    .argument('<after>', 'image file or URL')
    .option('--threshold <number>', `maximum color difference of one pixel, 0..1 (default: ${DEFAULTS.threshold})`)
    .option('--max-diff-pixels <count>', `maximum number of mismatched pixels (default: ${DEFAULTS.maxDiffPixels})`)
    .option('--max-diff-pixel-ratio <number>', 'maximum share of mismatched pixels, 0..1')
    .addOption(
      new Option(
        '--antialiasing <rule>',
        'count or ignore pixels that differ only by anti-aliasing; auto counts them between two pages',
      )
        .choices(ANTIALIASING_RULES)
        .default(DEFAULTS.antialiasing),
    )
    .option('--ignore <x,y,w,h>', 'rectangle to ignore in both images; can be repeated', collect)
    .addOption(new Option('--engine <name>', 'comparison engine').choices(ENGINES))
    .option('-o, --output <folder>', 'folder for the before, after and diff images', FOLDER)
    .option('--json', 'print one JSON document: the v3 response of the capture service')
    .addHelpText('after', EXAMPLES)
    .action(compare);
}

interface CompareFlags extends LimitFlags {
  readonly output: string;
  readonly json?: true;
}

async function compare(before: string, after: string, { output, json, ...flags }: CompareFlags): Promise<void> {
  checkFolder(output);
  const request = { before, after, ...readCompareFlags(flags), folder: output };
  const { response, notice } = await compareSources(request);
  const remarks = [...(notice === null ? [] : [notice]), ...response.warnings.map(({ message }) => message)];
  remarks.forEach(printRemark);
  if (json) printJson(response);
  else print(renderResponse(response));
  process.exitCode = response.passed ? 0 : 1;
}

/** Refuses the name of an image file as the output folder. @throws ProofsheetError `command-invalid` */
export function checkFolder(output: string): void {
  if (mediaTypeOf(extname(output).slice(1).toLowerCase()) === null) return;
  throw new ProofsheetError({
    code: 'command-invalid',
    where: `--output ${output}`,
    found: 'this is the name of an image file; expected a folder for the before, after and diff images',
    advice: `Use a folder, such as --output ${FOLDER}.`,
  });
}

function renderResponse({ passed, message, before, after, diff }: CompareResponse): string {
  const images = Object.entries({ before, after, diff }).flatMap(([role, image]) => {
    return image ? [`  ${role.padEnd(6)}  ${renderSize(image).padEnd(11)} ${shownPath(image.link)}`] : [];
  });
  return `${[`${passed ? 'passed' : 'changed'}: ${message}`, ...images].join('\n')}\n`;
}

function shownPath(link: string | null): string {
  return link === null ? 'not written' : relative(process.cwd(), fileURLToPath(link));
}

/** Raw values of the flags that set the comparison limits. */
export interface LimitFlags {
  readonly threshold?: string;
  readonly maxDiffPixels?: string;
  readonly maxDiffPixelRatio?: string;
  readonly ignore?: readonly string[];
  readonly antialiasing?: string;
  readonly engine?: string;
}

const WHERE = 'proofsheet compare';

/** Validates the flags with the rules of the page list. @throws ProofsheetError `command-invalid` for the first issue */
export function readCompareFlags({ ignore = [], ...flags }: LimitFlags): CompareOptions {
  const values = Object.entries(flags).map(([name, value]) => [name, numberOf(value)]);
  const options = { ...Object.fromEntries(values), ignore: ignore.map(areaOf) };
  return describeAsFlags(() => readCompareOptions(options, WHERE));
}

function areaOf(text: string) {
  const [x, y, width, height] = text.split(',').map(numberOf);
  if (/^\d+,\d+,[1-9]\d*,[1-9]\d*$/.test(text)) return { x, y, width, height };
  throw new ProofsheetError({
    code: 'command-invalid',
    where: WHERE,
    found: `--ignore is ${JSON.stringify(text)}; expected x,y,width,height in image pixels`,
    advice: 'Use --ignore once for each rectangle, such as --ignore 0,40,320,50.',
  });
}
