import { basename, extname } from 'node:path';
import { SHOT_FORMATS } from '../../model/image.js';
import {
  convertFields,
  delayRule,
  type ImportedList,
  type ImportedPage,
  itemsOf,
  mappingOf,
  type Rule,
  sizeRule,
  textsOf,
  unsupported,
} from './imported.js';

/** Converts a list for `shot-scraper multi` to a page list: https://shot-scraper.datasette.io/en/stable/multi.html */
export function importShotScraper(file: unknown): ImportedList {
  const items = itemsOf(file).map(mappingOf);
  const otherItems = items.filter(({ url }) => url === undefined);
  return {
    baseURL: null,
    viewports: {},
    defaults: {},
    pages: items.filter(({ url }) => url !== undefined).map(importShot),
    notes: otherItems.map(
      (item) => `${Object.keys(item).join(', ')}: start servers with webServer in the Playwright config`,
    ),
  };
}

const SHOT: Record<string, Rule> = {
  output: outputRule,
  url: (value) => urlRule(String(value)),
  width: sizeRule('width'),
  height: sizeRule('height'),
  selector: (value) => ({ fields: { element: String(value) } }),
  selectors: (value) => elementsRule('selectors', value),
  selector_all: (value) => elementsRule('selector_all', value),
  selectors_all: (value) => elementsRule('selectors_all', value),
  // Converted to code, because shot-scraper waits before it runs the script.
  wait_for: (value) => ({
    fields: { javascriptCode: `while (!(${String(value)})) await new Promise((next) => setTimeout(next, 100));` },
  }),
  javascript: (value) => ({ fields: { javascriptCode: String(value) } }),
  wait: delayRule('wait'),
  quality: (value) => (typeof value === 'number' ? { fields: { format: 'jpeg', quality: value } } : undefined),
  skip_shot: (value) => (value === false ? {} : { fields: { skip: 'skip_shot in the shot-scraper list' } }),
  js_file: unsupported('js_file: copy its content to javascriptCode'),
  padding: unsupported('padding: no equivalent in proofsheet; an element is captured without padding'),
  server: unsupported('server: start it with webServer in the Playwright config'),
  sh: unsupported('sh: run it before the tests'),
  python: unsupported('python: run it before the tests'),
  leave_server: unsupported('leave_server: no equivalent in proofsheet; Playwright stops webServer after the run'),
};

function importShot(item: Record<string, unknown>): ImportedPage {
  const { fields, notes } = convertFields(item, SHOT);
  const { url = '/', ...rest } = fields;
  const isWhole = rest.height === undefined && rest.element === undefined;
  return { page: { ...rest, url, ...(isWhole && { fullSize: true }) }, notes };
}

/** The file name becomes the page name, the extension becomes the format. */
function outputRule(value: unknown) {
  const output = String(value);
  const extension = extname(output);
  const format = SHOT_FORMATS.find((name) => extension.toLowerCase() === `.${name}`);
  const name = basename(output, extension);
  return { fields: { name, ...(format !== undefined && format !== 'png' && { format }) } };
}

function urlRule(url: string) {
  if (/^https?:/.test(url)) return { fields: { url } };
  // A first segment with a dot is a host, unless the URL ends in .htm or .html.
  if (/^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(url) && !/\.html?$/.test(url))
    return { fields: { url: `https://${url}` } };
  const path = `/${url.replace(/^\.?\//, '')}`;
  return { fields: { url: path }, note: `url: ${url} is a file; serve its folder, and set baseURL` };
}

function elementsRule(name: string, value: unknown) {
  const [element] = textsOf(value);
  if (element === undefined) return undefined;
  return {
    fields: { element },
    note: `${name}: only the first element was imported; add a page for each of the others`,
  };
}
