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
  told,
} from './imported.js';

/** Makes a page list of a list for `shot-scraper multi`: https://shot-scraper.datasette.io/en/stable/multi.html */
export function importShotScraper(file: unknown): ImportedList {
  const items = itemsOf(file).map(mappingOf);
  const chores = items.filter(({ url }) => url === undefined);
  return {
    baseURL: null,
    viewports: {},
    defaults: {},
    pages: items.filter(({ url }) => url !== undefined).map(importShot),
    notes: chores.map((item) => `${Object.keys(item).join(', ')}: start servers by webServer of the Playwright config`),
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
  // It is waited for before the script runs.
  wait_for: (value) => ({
    fields: { javascriptCode: `while (!(${String(value)})) await new Promise((next) => setTimeout(next, 100));` },
  }),
  javascript: (value) => ({ fields: { javascriptCode: String(value) } }),
  wait: delayRule('wait'),
  quality: (value) => (typeof value === 'number' ? { fields: { format: 'jpeg', quality: value } } : undefined),
  skip_shot: (value) => (value === false ? {} : { fields: { skip: 'skip_shot of the shot-scraper list' } }),
  js_file: told('js_file: copy what it holds into javascriptCode'),
  padding: told('padding: an element is captured without what is round it'),
  server: told('server: start it by webServer of the Playwright config'),
  sh: told('sh: run it before the tests'),
  python: told('python: run it before the tests'),
  leave_server: told('leave_server: what webServer starts ends with the run'),
};

function importShot(item: Record<string, unknown>): ImportedPage {
  const { fields, notes } = convertFields(item, SHOT);
  const { url = '/', ...rest } = fields;
  const isWhole = rest.height === undefined && rest.element === undefined;
  return { page: { ...rest, url, ...(isWhole && { fullSize: true }) }, notes };
}

/** The file's name is the page's, its ending the format. */
function outputRule(value: unknown) {
  const output = String(value);
  const ending = extname(output);
  const format = SHOT_FORMATS.find((name) => ending.toLowerCase() === `.${name}`);
  const name = basename(output, ending);
  return { fields: { name, ...(format !== undefined && format !== 'png' && { format }) } };
}

function urlRule(url: string) {
  if (/^https?:/.test(url)) return { fields: { url } };
  // What has a dot in its first part is a host, unless it ends like a file.
  if (/^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(url) && !/\.html?$/.test(url))
    return { fields: { url: `https://${url}` } };
  const path = `/${url.replace(/^\.?\//, '')}`;
  return { fields: { url: path }, note: `url: ${url} is a file: serve its folder, and set baseURL` };
}

function elementsRule(name: string, value: unknown) {
  const [element] = textsOf(value);
  if (element === undefined) return undefined;
  return { fields: { element }, note: `${name}: one image has one element; give each other a page of its own` };
}
