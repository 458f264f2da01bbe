import { basename, extname } from 'node:path';
import { SHOT_FORMATS } from '../../model/index.js';
import {
  type Converted,
  delay,
  isNothing,
  itemsOf,
  mappingOf,
  type Rule,
  type Rules,
  size,
  type ToolList,
  text,
  textsOf,
  urlRule,
} from './imported.js';

/** Takes apart a list for `shot-scraper multi`: https://shot-scraper.datasette.io/en/stable/multi.html */
export function readShotScraper(file: unknown): ToolList | undefined {
  const items = itemsOf(file).map(mappingOf);
  if (!items.some((item) => Object.keys(SHOT).some((field) => field !== 'url' && field in item))) return undefined;
  const isWhole = (item: Record<string, unknown>) => !WHOLE_WITHOUT.some((field) => !isNothing(item[field]));
  return {
    pages: items.filter(({ url }) => url !== undefined).map((item) => ({ ...item, [WHOLE]: isWhole(item) || null })),
    pageRules: SHOT,
    notes: items
      .filter(({ url }) => url === undefined)
      .map((item) => `${Object.keys(item).join(', ')}: start servers with webServer in the Playwright config`),
  };
}

/** A field of our own: the whole page is captured. */
const WHOLE = '(whole page)';
const WHOLE_WITHOUT = ['height', 'selector', 'selectors', 'selector_all', 'selectors_all'];

const firstElement: Rule = (value) => {
  const [element] = textsOf(value);
  const note = 'only the first element was imported; add a page for each of the others';
  return element === undefined ? undefined : { fields: { element }, note };
};

const SHOT: Rules = {
  output: outputRule,
  url: addressRule,
  width: size('width'),
  height: size('height'),
  selector: text('element'),
  selectors: firstElement,
  selector_all: firstElement,
  selectors_all: firstElement,
  // Converted to code, because shot-scraper waits before it runs the script.
  wait_for: (value) => ({
    fields: { javascriptCode: `while (!(${String(value)})) await new Promise((next) => setTimeout(next, 100));` },
  }),
  javascript: text('javascriptCode'),
  wait: delay,
  quality: (value) => (typeof value === 'number' ? { fields: { format: 'jpeg', quality: value } } : undefined),
  skip_shot: (value) => (value === false ? {} : { fields: { skip: 'skip_shot in the shot-scraper list' } }),
  [WHOLE]: () => ({ fields: { fullSize: true } }),
  js_file: 'copy its content to javascriptCode',
  padding: 'no equivalent in proofsheet; an element is captured without padding',
  server: 'start it with webServer in the Playwright config',
  sh: 'run it before the tests',
  python: 'run it before the tests',
  leave_server: 'no equivalent in proofsheet; Playwright stops webServer after the run',
};

function outputRule(value: unknown): Converted {
  const output = String(value);
  const extension = extname(output);
  const format = SHOT_FORMATS.find((name) => extension.toLowerCase() === `.${name}`);
  const name = basename(output, extension);
  return { fields: { name, ...(format !== undefined && format !== 'png' && { format }) } };
}

/** A first segment with a dot is a host, unless the URL ends in .htm or .html. */
function addressRule(value: unknown): Converted | undefined {
  const isHost = /^(?!.*\.html?$)[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(String(value));
  return urlRule(isHost ? `https://${value}` : value);
}
