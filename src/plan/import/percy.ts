import type { ShotFieldsInput, ViewportInput } from '../../model/page-list.js';
import {
  type Converted,
  convertFields,
  delayRule,
  type ImportedList,
  type ImportedPage,
  itemsOf,
  mappingOf,
  type Rule,
  silent,
  textsOf,
  told,
  viewportOf,
} from './imported.js';

/** Makes a page list of a Percy snapshot list: https://www.browserstack.com/docs/percy/take-percy-snapshots/snapshots-via-cli */
export function importPercy(file: unknown): ImportedList {
  const { snapshots, baseUrl, ...rest } = Array.isArray(file) ? { snapshots: file } : camelKeys(file);
  const items = itemsOf(snapshots).map((item) => (typeof item === 'string' ? { url: item } : camelKeys(item)));
  const sizes: Record<string, ViewportInput> = {};
  const pages = items.filter(({ url }) => typeof url === 'string').map((item) => importSnapshot(item, sizes));
  return {
    baseURL: typeof baseUrl === 'string' ? baseUrl : null,
    viewports: sizes,
    // Its snapshots show the whole page.
    defaults: { fullSize: true },
    pages,
    notes: [
      ...convertFields(rest, GLOBAL).notes,
      ...(pages.length < items.length ? ['snapshots without a url were left out'] : []),
    ],
  };
}

const WIDTHS = [375, 1280];
const MIN_HEIGHT = 1024;

const SNAPSHOT: Record<string, Rule> = {
  name: (value) => ({ fields: { name: String(value) } }),
  url: (value) => ({ fields: { url: String(value) } }),
  waitForSelector: (value) => ({ fields: { waitFor: textsOf(value) } }),
  waitForTimeout: delayRule('waitForTimeout'),
  execute: executeRule,
  percyCSS: (value) => ({ fields: { javascriptCode: styleCode(String(value)) } }),
  percyCss: (value) => ({ fields: { javascriptCode: styleCode(String(value)) } }),
  scope: (value) => ({ fields: { element: String(value) } }),
  labels: (value) => ({ fields: { tags: tagsOf(value) } }),
  regions: regionsRule,
  additionalSnapshots: (value) => statesRule(itemsOf(value).map(camelKeys)),
  enableJavaScript: told('enableJavaScript: pages always have their JavaScript here'),
  cliEnableJavaScript: told('cliEnableJavaScript: pages always have their JavaScript here'),
  readiness: told('readiness: what is waited for is under settle and waitFor'),
  browsers: told('browsers: name them in projects of the Playwright config'),
  widths: silent,
  minHeight: silent,
};

const { name: _, url: __, widths: ___, minHeight: ____, additionalSnapshots: _____, ...STATE } = SNAPSHOT;

const GLOBAL: Record<string, Rule> = {
  version: told('version: that of the list of Percy'),
  references: told('references: what pages take from there is written out at each'),
  include: told('include: only the pages of this file were taken; leave out by hand what it leaves out'),
  exclude: told('exclude: leave out by hand what it leaves out'),
  options: told('options: write them under defaults, or at their pages'),
};

function importSnapshot(item: Record<string, unknown>, sizes: Record<string, ViewportInput>): ImportedPage {
  const { fields, notes } = convertFields(item, SNAPSHOT);
  const widths = itemsOf(item.widths).filter((width) => typeof width === 'number');
  const height = typeof item.minHeight === 'number' ? item.minHeight : MIN_HEIGHT;
  const viewports = (widths.length > 0 ? widths : WIDTHS).map((width) => {
    const name = height === MIN_HEIGHT ? String(width) : `${width}x${height}`;
    sizes[name] = viewportOf(width, height);
    return name;
  });
  const { url = '/', ...rest } = fields;
  return { page: { ...rest, viewports, url }, notes };
}

function executeRule(value: unknown) {
  if (typeof value === 'string' || Array.isArray(value))
    return { fields: { javascriptCode: textsOf(value).join('\n') } };
  const { afterNavigation, beforeSnapshot, ...resizing } = camelKeys(value);
  const javascriptCode = [...textsOf(afterNavigation), ...textsOf(beforeSnapshot)].join('\n');
  const fields = javascriptCode === '' ? {} : { javascriptCode };
  const left = Object.keys(resizing).join(', ');
  return left === '' ? { fields } : { fields, note: `execute: ${left}: nothing is resized here` };
}

/** What a state cannot have is told at its page. */
function statesRule(snapshots: readonly Record<string, unknown>[]): Converted {
  const told: string[] = [];
  const entries = snapshots.map(({ name, prefix = '', suffix = '', ...rest }, index) => {
    const words = `${prefix} ${suffix}`.trim().replaceAll('/', '-');
    const state = String(name ?? (words || `state-${index + 1}`)).replaceAll('/', '-');
    const { fields, notes } = convertFields(rest, STATE);
    told.push(...notes.map((note) => `additionalSnapshots, ${state}: ${note}`));
    const { url: _, name: __, states: ___, before: ____, base: _____, ...own } = fields;
    return [state, own] as const;
  });
  const states: Record<string, ShotFieldsInput> = Object.fromEntries(entries);
  return { fields: { states }, ...(told.length > 0 && { note: told.join('; ') }) };
}

/** What is ignored there by a selector is ignored here as well; what is judged otherwise is not. */
function regionsRule(value: unknown) {
  const regions = itemsOf(value).map(camelKeys);
  const ignored = regions.flatMap(({ algorithm, elementSelector }) => {
    const { elementCSS, elementCss = elementCSS } = mappingOf(elementSelector);
    return algorithm === 'ignore' && typeof elementCss === 'string' ? [elementCss] : [];
  });
  const left = regions.length - ignored.length;
  return {
    fields: ignored.length > 0 ? { ignore: ignored } : {},
    ...(left > 0 && { note: `regions: ${left} of them are judged by rules that are not here; see ignore and mask` }),
  };
}

function styleCode(css: string): string {
  return `document.head.append(Object.assign(document.createElement('style'), { textContent: ${JSON.stringify(css)} }));`;
}

function tagsOf(value: unknown): string[] {
  return textsOf(value).flatMap((text) => text.split(/[\s,@]+/).filter((word) => word !== ''));
}

/** Its documents allow `wait-for-selector` as well. */
function camelKeys(value: unknown): Record<string, unknown> {
  const entries = Object.entries(mappingOf(value));
  return Object.fromEntries(
    entries.map(([key, item]) => [key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()), item]),
  );
}
