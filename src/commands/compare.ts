import { extname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions, resolveSettings } from '../list/index.js';
import { ANTIALIASING_RULES, DEFAULTS, ENGINES, invalidCommand, mediaTypeOf, renderSize } from '../model/index.js';
import { type CompareResponse, compareSources } from '../service/index.js';
import { command, flag, list, preset, type Values, value } from './command.js';
import { readBetween, readCount, readMatching, setFlags } from './flags.js';

const FOLDER = 'proofsheet-compare';

const LIMITS = {
  threshold: value('<number>', `maximum color difference of one pixel, 0..1 (default: ${DEFAULTS.threshold})`, {
    read: readBetween(0, 1),
  }),
  maxDiffPixels: value('<count>', `maximum number of mismatched pixels (default: ${DEFAULTS.maxDiffPixels})`, {
    read: readCount(0, 1_000_000_000),
  }),
  maxDiffPixelRatio: value('<number>', 'maximum share of mismatched pixels, 0..1', { read: readBetween(0, 1) }),
  antialiasing: preset(
    '<rule>',
    'count or ignore pixels that differ only by anti-aliasing; auto counts them between two pages',
    DEFAULTS.antialiasing,
    { choices: ANTIALIASING_RULES },
  ),
  ignore: list(
    '<x,y,w,h>',
    'rectangle to ignore in both images; can be repeated',
    readMatching(/^\d+,\d+,[1-9]\d*,[1-9]\d*$/, 'Expected x,y,width,height in image pixels, such as 0,40,320,50.'),
  ),
  engine: value('<name>', 'comparison engine', { choices: ENGINES }),
};

export const compare = command({
  name: 'compare',
  description: 'compare two images, two pages, or an image with a page',
  args: { '<before>': 'image file (png, jpeg, webp, pdf) or URL', '<after>': 'image file or URL' },
  flags: {
    ...LIMITS,
    output: preset('<folder>', 'folder for the before, after and diff images', FOLDER, { short: 'o' }),
    json: flag('print one JSON document: the v3 response of the capture service'),
  },
  help: `  proofsheet compare before.png after.png
  proofsheet compare https://www.example.com https://staging.example.com --max-diff-pixel-ratio 0.001
  proofsheet compare shots/home.png http://localhost:3000 --ignore 0,0,1280,64 --json

Pages are captured with a viewport of ${DEFAULTS.width}x${DEFAULTS.height} and without credentials.
Exit code: 0 within the limit, 1 different, 2 an error occurred.`,
  async run({ output, json: _, ...limits }, [before = '', after = '']) {
    checkFolder(output);
    const { response, notice } = await compareSources(before, after, output, readLimits(limits));
    return {
      json: response,
      text: renderResponse(response),
      remarks: [...(notice === null ? [] : [notice]), ...response.warnings.map(({ message }) => message)],
      exitCode: response.passed ? 0 : 1,
    };
  },
});

function checkFolder(output: string): void {
  if (mediaTypeOf(extname(output).slice(1).toLowerCase()) === null) return;
  const found = 'this is the name of an image file; expected a folder for the before, after and diff images';
  throw invalidCommand(`--output ${output}`, found, `Use a folder, such as --output ${FOLDER}.`);
}

function renderResponse({ passed, message, before, after, diff }: CompareResponse): string {
  const images = Object.entries({ before, after, diff }).flatMap(([role, image]) => {
    if (!image) return [];
    const path = image.link === null ? 'not written' : relative(process.cwd(), fileURLToPath(image.link));
    return [`  ${role.padEnd(6)}  ${renderSize(image).padEnd(11)} ${path}`];
  });
  return `${[`${passed ? 'passed' : 'changed'}: ${message}`, ...images].join('\n')}\n`;
}

function readLimits({ ignore, ...flags }: Values<typeof LIMITS>) {
  const areas = ignore.map((text) => {
    const [x, y, width, height] = text.split(',').map(Number);
    return { x, y, width, height };
  });
  const options = readOptions({ ...setFlags(flags), ignore: areas }, 'proofsheet compare');
  const { compare, capture } = resolveSettings(options);
  return { settings: compare, ignore: capture.ignore.areas };
}
