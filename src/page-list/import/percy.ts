import type { ShotFieldsInput } from '../../model/list/page-list.js';
import {
  type Converted,
  convertFields,
  createNames,
  createViewports,
  delayRule,
  type ImportedList,
  type ImportedPage,
  ignored,
  isFunction,
  isNothing,
  itemsOf,
  mappingOf,
  type NamedViewports,
  type Rule,
  textsOf,
  unsupported,
} from './imported.js';

/**
 * Converts a Percy snapshot list to a page list:
 * https://www.browserstack.com/docs/percy/take-percy-snapshots/snapshots-via-cli
 */
export function importPercy(file: unknown): ImportedList {
  const { snapshots, baseUrl, ...rest } = Array.isArray(file) ? { snapshots: file } : camelKeys(file);
  const items = itemsOf(snapshots).map((item) => (typeof item === 'string' ? { url: item } : camelKeys(item)));
  const sizes = createViewports();
  const pages = items.filter(({ url }) => typeof url === 'string').map((item) => importSnapshot(item, sizes));
  return {
    baseURL: typeof baseUrl === 'string' ? baseUrl : null,
    viewports: sizes.all(),
    // Percy snapshots capture the whole page.
    defaults: { fullSize: true },
    pages,
    notes: [
      ...convertFields(rest, GLOBAL).notes,
      ...sizes.notes(),
      ...(items.every(hasOwnSizes) ? [] : [SIZES_NOTE]),
      ...(pages.length < items.length ? ['snapshots without a URL were skipped'] : []),
    ],
  };
}

const WIDTHS = [375, 1280];
const MIN_HEIGHT = 1024;

const SIZES_NOTE =
  'widths, minHeight: a page without them has the defaults of Percy, 375 and 1280, and 1024; a .percy.yml was not read';

function hasOwnSizes({ widths, minHeight }: Record<string, unknown>): boolean {
  return !isNothing(widths) && !isNothing(minHeight);
}

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
  // Converted to states by `importStates`.
  additionalSnapshots: ignored,
  enableJavaScript: unsupported('enableJavaScript: JavaScript is always enabled'),
  cliEnableJavaScript: unsupported('cliEnableJavaScript: JavaScript is always enabled'),
  discovery: discoveryRule,
  readiness: unsupported('readiness: use settle and waitFor instead'),
  browsers: unsupported('browsers: set them in projects of the Playwright config'),
  widths: ignored,
  minHeight: ignored,
};

const { name: _, url: __, widths: ___, minHeight: ____, additionalSnapshots: _____, ...STATE } = SNAPSHOT;

const GLOBAL: Record<string, Rule> = {
  version: unsupported('version: not needed'),
  references: unsupported('references: not needed; the referenced values were copied to each page'),
  include: unsupported(
    'include: all pages of the file were imported; remove the pages that this pattern does not match',
  ),
  exclude: unsupported('exclude: all pages of the file were imported; remove the pages that this pattern matches'),
  options: unsupported('options: add them to defaults, or to their pages'),
};

function importSnapshot(item: Record<string, unknown>, viewports: NamedViewports): ImportedPage {
  const { fields, notes } = convertFields(item, SNAPSHOT);
  const { url = '/', ...rest } = fields;
  const additional = itemsOf(item.additionalSnapshots).map(camelKeys);
  const { states, notes: stateNotes } = importStates(item, additional, viewports);
  const page = { ...rest, viewports: viewportsOf(item, viewports), url, ...(additional.length > 0 && { states }) };
  return { page, notes: [...notes, ...stateNotes] };
}

function viewportsOf({ widths, minHeight }: Record<string, unknown>, viewports: NamedViewports): string[] {
  const numbers = itemsOf(widths).filter((width) => typeof width === 'number');
  const height = typeof minHeight === 'number' ? minHeight : MIN_HEIGHT;
  return (numbers.length > 0 ? numbers : WIDTHS).map((width) => {
    const name = height === MIN_HEIGHT ? String(width) : `${width}x${height}`;
    return viewports.add(name, width, height);
  });
}

/** The values of some fields are secrets, which belong into environment variables. */
function discoveryRule(value: unknown): Converted {
  const { userAgent, ...others } = camelKeys(value);
  const notes = Object.keys(others).map((name) => {
    const field = Object.hasOwn(DISCOVERY, name) ? DISCOVERY[name] : undefined;
    return `discovery.${name}: ${field === undefined ? 'no equivalent in proofsheet' : `use ${field}`}`;
  });
  return {
    fields: typeof userAgent === 'string' ? { userAgent } : {},
    ...(notes.length > 0 && { note: notes.join('; ') }),
  };
}

const DISCOVERY: Readonly<Record<string, string>> = {
  requestHeaders: 'headers',
  cookies: 'cookies',
  authorization: 'httpCredentials',
  networkIdleTimeout: 'waitFor, delay or timeout',
};

function executeRule(value: unknown): Converted {
  if (isFunction(value)) return { note: 'execute: copy the body of its function to javascriptCode' };
  if (typeof value === 'string' || Array.isArray(value))
    return { fields: { javascriptCode: textsOf(value).join('\n') } };
  const { afterNavigation, beforeSnapshot, ...resizing } = camelKeys(value);
  const steps = [afterNavigation, beforeSnapshot];
  const javascriptCode = steps.flatMap(textsOf).join('\n');
  const fields = javascriptCode === '' ? {} : { javascriptCode };
  const ignored = Object.keys(resizing).join(', ');
  const notes = [
    ...(ignored === '' ? [] : [`execute: ${ignored} has no equivalent; proofsheet does not resize pages`]),
    ...(steps.some(isFunction) ? ['execute: copy the bodies of its functions to javascriptCode'] : []),
  ];
  return { fields, ...(notes.length > 0 && { note: notes.join('; ') }) };
}

/**
 * Converts each additional snapshot to a state. Percy takes all of them after one navigation, so each depends on all
 * scripts before it. A state has its own navigation. Therefore its code starts with the code of the page and of all
 * previous states.
 */
function importStates(
  page: Record<string, unknown>,
  snapshots: readonly Record<string, unknown>[],
  viewports: NamedViewports,
): { states: Record<string, ShotFieldsInput>; notes: string[] } {
  const notes: string[] = [];
  const steps = [scriptOf(page)];
  const names = createNames();
  const entries = snapshots.map((snapshot, index) => {
    const {
      name,
      prefix = '',
      suffix = '',
      execute,
      waitForSelector,
      waitForTimeout,
      widths,
      minHeight,
      ...rest
    } = snapshot;
    const words = `${prefix} ${suffix}`.trim();
    const state = names.add(String(name ?? (words || `state-${index + 1}`)).replaceAll('/', '-'));
    const { fields, notes: stateNotes } = convertFields({ execute, ...rest }, STATE);
    notes.push(...stateNotes.map((note) => `additionalSnapshots, ${state}: ${note}`));
    steps.push(waitOf(waitForTimeout, waitForSelector), scriptOf({ execute }));
    const { percyCSS, percyCss = percyCSS } = { ...page, ...snapshot };
    const style = typeof percyCss === 'string' ? styleCode(percyCss) : '';
    const code = inOrder([...steps, style]);
    const { url: _, name: __, states: ___, before: ____, base: _____, javascriptCode: ______, ...shot } = fields;
    const hasSizes = !isNothing(widths) || !isNothing(minHeight);
    const sizes = hasSizes ? { viewports: viewportsOf({ ...page, ...snapshot }, viewports) } : {};
    return [state, { ...shot, ...sizes, ...(code !== '' && { javascriptCode: code }) }] as const;
  });
  return { states: Object.fromEntries(entries), notes };
}

function scriptOf({ execute }: Record<string, unknown>): string {
  return isNothing(execute) ? '' : (executeRule(execute).fields?.javascriptCode ?? '');
}

/** Returns code for the waits of an additional snapshot, because they run after the scripts before it. */
function waitOf(ms: unknown, selector: unknown): string {
  return [
    ...(typeof ms === 'number' && ms > 0 ? [`await new Promise((next) => setTimeout(next, ${ms}));`] : []),
    ...textsOf(selector).map(
      (text) =>
        `while (!document.querySelector(${JSON.stringify(text)})) await new Promise((next) => setTimeout(next, 100));`,
    ),
  ].join('\n');
}

/** Joins scripts that run in sequence. Each runs in its own function, so it may return or redeclare a name. */
function inOrder(steps: readonly string[]): string {
  const [first = '', ...more] = steps.filter((step) => step !== '');
  if (more.length === 0) return first;
  return [first, ...more].map((step) => `await (async () => {\n${step}\n})();`).join('\n');
}

/** Converts regions with the algorithm `ignore` and a CSS selector. Other regions become a note. */
function regionsRule(value: unknown) {
  const regions = itemsOf(value).map(camelKeys);
  const ignored = regions.flatMap(({ algorithm, elementSelector }) => {
    const { elementCSS, elementCss = elementCSS } = mappingOf(elementSelector);
    return algorithm === 'ignore' && typeof elementCss === 'string' ? [elementCss] : [];
  });
  const otherCount = regions.length - ignored.length;
  return {
    fields: ignored.length > 0 ? { ignore: ignored } : {},
    ...(otherCount > 0 && {
      note: `regions: ${otherCount} of them have no equivalent; use ignore or mask instead`,
    }),
  };
}

function styleCode(css: string): string {
  return `document.head.append(Object.assign(document.createElement('style'), { textContent: ${JSON.stringify(css)} }));`;
}

function tagsOf(value: unknown): string[] {
  return textsOf(value).flatMap((text) => text.split(/[\s,@]+/).filter((word) => word !== ''));
}

/** Converts keys to camel case. Percy also accepts kebab case, such as `wait-for-selector`. */
function camelKeys(value: unknown): Record<string, unknown> {
  const entries = Object.entries(mappingOf(value));
  return Object.fromEntries(
    entries.map(([key, item]) => [key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()), item]),
  );
}
