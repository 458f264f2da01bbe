import {
  type Converted,
  delay,
  isFunction,
  itemsOf,
  mappingOf,
  type NamedSize,
  type Rules,
  type ToolList,
  text,
  texts,
  textsOf,
} from './imported.js';

/** Takes apart a Percy snapshot list: https://www.browserstack.com/docs/percy/take-percy-snapshots/snapshots-via-cli */
export function readPercy(file: unknown): ToolList | undefined {
  const { snapshots, baseUrl, ...common } = Array.isArray(file) ? { snapshots: file } : camelKeys(file);
  const pages = itemsOf(snapshots).map((item) => (typeof item === 'string' ? { url: item } : camelKeys(item)));
  if (pages.length === 0) return undefined;
  return {
    baseURL: baseUrl,
    pages,
    pageRules: SNAPSHOT,
    common,
    commonRules: GLOBAL,
    // Percy snapshots capture the whole page.
    defaults: { fullSize: true },
    sizesOf,
    notes: [SIZES_NOTE],
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
  percyCSS: styleRule,
  percyCss: styleRule,
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

function sizesOf({ widths, minHeight }: Record<string, unknown>): NamedSize[] {
  const numbers = itemsOf(widths).filter((width) => typeof width === 'number');
  const height = typeof minHeight === 'number' ? minHeight : MIN_HEIGHT;
  return (numbers.length > 0 ? numbers : WIDTHS).map((width) => {
    return { name: height === MIN_HEIGHT ? String(width) : `${width}x${height}`, width, height };
  });
}

function executeRule(value: unknown): Converted {
  const { afterNavigation, beforeSnapshot, ...resizing } =
    typeof value === 'string' || Array.isArray(value) || isFunction(value)
      ? { beforeSnapshot: value }
      : camelKeys(value);
  const steps = [afterNavigation, beforeSnapshot];
  const javascriptCode = steps.flatMap(textsOf).join('\n');
  const isPartial = Object.keys(resizing).length > 0 || steps.some(isFunction);
  return {
    fields: javascriptCode === '' ? {} : { javascriptCode },
    ...(isPartial && { note: 'copy functions to javascriptCode; proofsheet does not resize pages' }),
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

function styleRule(value: unknown): Converted {
  const style = `Object.assign(document.createElement('style'), { textContent: ${JSON.stringify(value)} })`;
  return { fields: { javascriptCode: `document.head.append(${style});` } };
}

function camelKeys(value: unknown): Record<string, unknown> {
  const entries = Object.entries(mappingOf(value));
  return Object.fromEntries(
    entries.map(([key, item]) => [key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()), item]),
  );
}
