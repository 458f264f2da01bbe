import {
  type Converted,
  convertFields,
  convertPage,
  createViewports,
  delay,
  type ImportedList,
  isFunction,
  isNothing,
  itemsOf,
  mappingOf,
  type NamedViewports,
  type Rules,
  text,
  texts,
  textsOf,
} from './imported.js';

/**
 * Converts a Percy snapshot list to a page list:
 * https://www.browserstack.com/docs/percy/take-percy-snapshots/snapshots-via-cli
 */
export function importPercy(file: unknown): ImportedList | undefined {
  const { snapshots, baseUrl, ...rest } = Array.isArray(file) ? { snapshots: file } : camelKeys(file);
  const items = itemsOf(snapshots).map((item) => (typeof item === 'string' ? { url: item } : camelKeys(item)));
  if (items.length === 0) return undefined;
  const sizes = createViewports();
  const pages = items
    .filter(({ url }) => typeof url === 'string')
    .map((item) => {
      const { page, notes } = convertPage(item, SNAPSHOT);
      return { page: { ...page, viewports: viewportsOf(item, sizes) }, notes };
    });
  const haveSizes = items.every(({ widths, minHeight }) => !isNothing(widths) && !isNothing(minHeight));
  return {
    baseURL: typeof baseUrl === 'string' ? baseUrl : null,
    viewports: sizes.all(),
    // Percy snapshots capture the whole page.
    defaults: { fullSize: true },
    pages,
    notes: [
      ...convertFields(rest, GLOBAL).notes,
      ...(haveSizes ? [] : [SIZES_NOTE]),
      ...(pages.length < items.length ? ['snapshots without a URL were skipped'] : []),
    ],
  };
}

const WIDTHS = [375, 1280];
const MIN_HEIGHT = 1024;

const SIZES_NOTE =
  'widths, minHeight: a page without them has the defaults of Percy, 375 and 1280, and 1024; a .percy.yml was not read';

const SNAPSHOT: Rules = {
  name: text('name'),
  url: text('url'),
  waitForSelector: texts('waitFor'),
  waitForTimeout: delay,
  execute: executeRule,
  percyCSS: (value) => ({ fields: { javascriptCode: styleCode(String(value)) } }),
  percyCss: (value) => ({ fields: { javascriptCode: styleCode(String(value)) } }),
  scope: text('element'),
  labels: (value) => ({ fields: { tags: textsOf(value).flatMap((label) => label.match(/[^\s,@]+/g) ?? []) } }),
  regions: regionsRule,
  enableJavaScript: 'JavaScript is always enabled',
  cliEnableJavaScript: 'JavaScript is always enabled',
  // Its values may be secrets, which belong into environment variables.
  discovery: 'use headers, cookies, httpCredentials, userAgent, waitFor and timeout',
  readiness: 'use settle and waitFor instead',
  browsers: 'set them in projects of the Playwright config',
  additionalSnapshots: 'add a state for each of them',
  widths: null,
  minHeight: null,
};

const GLOBAL: Rules = {
  version: 'not needed',
  references: 'not needed; the referenced values were copied to each page',
  include: 'all pages of the file were imported; remove the pages that this pattern does not match',
  exclude: 'all pages of the file were imported; remove the pages that this pattern matches',
  options: 'add them to defaults, or to their pages',
};

function viewportsOf({ widths, minHeight }: Record<string, unknown>, sizes: NamedViewports): string[] {
  const numbers = itemsOf(widths).filter((width) => typeof width === 'number');
  const height = typeof minHeight === 'number' ? minHeight : MIN_HEIGHT;
  return (numbers.length > 0 ? numbers : WIDTHS).map((width) => {
    const name = height === MIN_HEIGHT ? String(width) : `${width}x${height}`;
    return sizes.add(name, width, height);
  });
}

function executeRule(value: unknown): Converted {
  if (isFunction(value)) return { note: 'copy the body of its function to javascriptCode' };
  if (typeof value === 'string' || Array.isArray(value))
    return { fields: { javascriptCode: textsOf(value).join('\n') } };
  const { afterNavigation, beforeSnapshot, ...resizing } = camelKeys(value);
  const steps = [afterNavigation, beforeSnapshot];
  const javascriptCode = steps.flatMap(textsOf).join('\n');
  const left = Object.keys(resizing).join(', ');
  const notes = [
    ...(left === '' ? [] : [`${left} has no equivalent; proofsheet does not resize pages`]),
    ...(steps.some(isFunction) ? ['copy the bodies of its functions to javascriptCode'] : []),
  ];
  return {
    fields: javascriptCode === '' ? {} : { javascriptCode },
    ...(notes.length > 0 && { note: notes.join('; ') }),
  };
}

function regionsRule(value: unknown): Converted {
  const regions = itemsOf(value).map(camelKeys);
  const ignore = regions.flatMap(({ algorithm, elementSelector }) => {
    const { elementCSS, elementCss = elementCSS } = mappingOf(elementSelector);
    return algorithm === 'ignore' && typeof elementCss === 'string' ? [elementCss] : [];
  });
  const otherCount = regions.length - ignore.length;
  return {
    fields: ignore.length > 0 ? { ignore } : {},
    ...(otherCount > 0 && { note: `${otherCount} of them have no equivalent; use ignore or mask instead` }),
  };
}

function styleCode(css: string): string {
  return `document.head.append(Object.assign(document.createElement('style'), { textContent: ${JSON.stringify(css)} }));`;
}

function camelKeys(value: unknown): Record<string, unknown> {
  const entries = Object.entries(mappingOf(value));
  return Object.fromEntries(
    entries.map(([key, item]) => [key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()), item]),
  );
}
