import { DEFAULTS } from '../../model/list/defaults.js';
import type { PageInput, ShotFieldsInput } from '../../model/list/page-list.js';
import { withoutCredentials } from '../../model/words.js';
import { safePart } from '../resolve/names.js';
import {
  type Converted,
  convertFields,
  createNames,
  createViewports,
  delayRule,
  type ImportedList,
  type ImportedPage,
  ignored,
  isNothing,
  itemsOf,
  mappingOf,
  type Rule,
  textsOf,
  unsupported,
  withViewports,
} from './imported.js';

/** Converts a `backstop.json` to a page list: https://github.com/garris/BackstopJS#using-backstopjs */
export function importBackstop(config: Record<string, unknown>): ImportedList {
  const { scenarios, scenarioDefaults, viewports, misMatchThreshold, requireSameDimensions, ...global } = config;
  const { misMatchThreshold: commonThreshold, ...common } = mappingOf(scenarioDefaults);
  const defaults: Record<string, unknown> = { requireSameDimensions, ...common };
  const whole = convertFields(
    { ...global, misMatchThreshold: commonThreshold ?? misMatchThreshold ?? DEFAULT_THRESHOLD },
    GLOBAL,
  );
  const list = itemsOf(scenarios)
    .map(mappingOf)
    .filter(({ url }) => typeof url === 'string');
  const sizes = createViewports();
  const namesOf = (value: unknown) => itemsOf(value).map((item) => sizes.add(...readViewport(item)));
  const commonViewports = namesOf(viewports);
  const scenarioViewports = list.map((scenario) => {
    const names = namesOf({ ...defaults, ...scenario }.viewports);
    return names.length > 0 ? names : commonViewports;
  });
  return {
    baseURL: null,
    viewports: sizes.all(),
    defaults: whole.fields,
    pages: list.map((scenario, index) => {
      const { page, notes } = importScenario({ ...defaults, ...scenario });
      return { page: withViewports(page, scenarioViewports[index] ?? [], sizes), notes };
    }),
    notes: [
      ...whole.notes,
      ...sizes.notes(),
      COLOR_NOTE,
      ...(list.length < itemsOf(scenarios).length ? ['scenarios without a URL were skipped'] : []),
    ],
  };
}

/** In percent of the pixels. */
const DEFAULT_THRESHOLD = 0.1;

/** resemble.js takes two values of a channel for equal if they differ by less than 16. */
const COLOR_NOTE =
  'BackstopJS ignores color differences of less than 16 in each channel; threshold: 0.06 in defaults allows about the same';

/** In the order in which BackstopJS applies them. */
const SCENARIO: Record<string, Rule> = {
  label: (value) => ({ fields: { name: String(value) } }),
  url: (value) => urlRule('url', value),
  referenceUrl: (value) => ({
    note: `referenceUrl: baselines are captured from url; to compare with the reference in each run instead, add before: ${withoutCredentials(String(value))}`,
  }),
  viewports: ignored,
  readySelector: (value) => ({ fields: { waitFor: textsOf(value) } }),
  readyTimeout: readyTimeoutRule,
  keyPressSelectors: (value) => ({ fields: { actions: itemsOf(value).map(mappingOf).map(fillAction) } }),
  hoverSelector: (value) => ({ fields: { actions: textsOf(value).map((hover) => ({ hover })) } }),
  hoverSelectors: (value) => ({ fields: { actions: textsOf(value).map((hover) => ({ hover })) } }),
  clickSelector: (value) => ({ fields: { actions: textsOf(value).map((click) => ({ click })) } }),
  clickSelectors: (value) => ({ fields: { actions: textsOf(value).map((click) => ({ click })) } }),
  postInteractionWait: (value) => {
    if (value === 0) return {};
    if (typeof value === 'number') {
      const note = `postInteractionWait: ${value} ms is above the maximum wait of 10 s`;
      return { fields: { actions: [{ wait: Math.min(10, value / 1000) }] }, ...(value > 10_000 && { note }) };
    }
    return { fields: { actions: textsOf(value).map((wait) => ({ wait })) } };
  },
  scrollToSelector: (value) => ({ fields: { actions: textsOf(value).map((scrollTo) => ({ scrollTo })) } }),
  delay: delayRule('delay'),
  hideSelectors: (value) => ({ fields: { hide: textsOf(value) } }),
  removeSelectors: (value) => ({ fields: { remove: textsOf(value) } }),
  selectors: (value) => ({ fields: selectorFields(textsOf(value)) }),
  misMatchThreshold: thresholdRule,
  requireSameDimensions: (value) =>
    value === false
      ? { note: 'requireSameDimensions: set maxSizeDiff to the number of pixels by which the size may differ' }
      : {},
  selectorExpansion: (value) => ({
    note: /^true$/.test(String(value))
      ? 'selectorExpansion: element must match one element; add a state for each element that BackstopJS captures'
      : 'selectorExpansion: element must match one element; BackstopJS captures the first that matches',
  }),
  expect: (value) =>
    value === 0 ? {} : { note: `expect: proofsheet does not check the number of elements (${value})` },
  cookiePath: unsupported(
    'cookiePath: copy the cookies to cookies, or set storageState to a file that Playwright wrote',
  ),
  onBeforeScript: unsupported('onBeforeScript: use headers, cookies or storageState instead'),
  onReadyScript: unsupported('onReadyScript: use actions or javascriptCode instead'),
  readyEvent: unsupported('readyEvent: use waitFor instead'),
};

const GLOBAL: Record<string, Rule> = {
  misMatchThreshold: thresholdRule,
  resembleOutputOptions: outputOptionsRule,
  id: unsupported('id: not needed; baselines are named after their pages'),
  report: unsupported('report: set reporter in the Playwright config'),
  debug: unsupported('debug: run npx playwright test --debug'),
  openReport: unsupported('openReport: run npx proofsheet report'),
  paths: unsupported('paths: set snapshotPathTemplate in the Playwright config'),
  engine: unsupported('engine: set the browser in projects of the Playwright config'),
  engineOptions: unsupported('engineOptions: set use.launchOptions in the Playwright config'),
  asyncCaptureLimit: unsupported('asyncCaptureLimit: set workers in the Playwright config'),
  asyncCompareLimit: unsupported('asyncCompareLimit: not needed; each worker captures and compares its pages'),
  onBeforeScript: SCENARIO.onBeforeScript ?? ignored,
  onReadyScript: SCENARIO.onReadyScript ?? ignored,
};

function importScenario(scenario: Record<string, unknown>): ImportedPage {
  const selectors = selectorsOf(scenario);
  // The config of `backstop init` sets it, although it has no selector of an element.
  const hasElements = textsOf(selectors).some((selector) => captureAreaOf(selector).element !== undefined);
  const { selectorExpansion, ...rest } = scenario;
  const { fields, notes } = convertFields({ ...rest, selectors, ...(hasElements && { selectorExpansion }) }, SCENARIO);
  const { url = '/', ...page } = fields;
  return { page: { ...page, url }, notes };
}

/** Without selectors, or with an empty list as in the config of `backstop init`, BackstopJS captures the whole page. */
function selectorsOf({ selectors }: Record<string, unknown>): unknown {
  return isNothing(selectors) ? ['document'] : selectors;
}

/** Adds a note for a local file, because proofsheet needs a server for it. */
function urlRule(name: string, value: unknown) {
  const url = String(value);
  const isFile = url.startsWith('file:') || !(url.startsWith('/') || /^https?:/.test(url));
  return isFile
    ? {
        fields: { url: `/${url.replace(/^file:\/+|^\.?\//, '')}` },
        note: `${name}: ${url} is a file; serve its folder, and set baseURL`,
      }
    : { fields: { url } };
}

/** Converts a percentage. BackstopJS also compares with the number that a string contains. */
function thresholdRule(value: unknown): Converted | undefined {
  const percentage = Number(value);
  if (!(percentage >= 0 && percentage <= 100)) return undefined;
  return { fields: { maxDiffPixelRatio: Number((percentage / 100).toPrecision(12)) } };
}

function outputOptionsRule(value: unknown): Converted {
  const { ignoreAntialiasing, ...others } = mappingOf(value);
  const names = Object.keys(others).join(', ');
  return {
    fields: ignoreAntialiasing ? { antialiasing: 'ignore' } : {},
    ...(names !== '' && { note: `resembleOutputOptions: ${names}: no equivalent in proofsheet` }),
  };
}

function readViewport(item: unknown): [name: string, width: number, height: number] {
  const { label, name, width, height } = mappingOf(item);
  const [w, h] = [Number(width) || 1280, Number(height) || 720];
  return [String(label ?? name ?? `${w}x${h}`).replaceAll('/', '-'), w, h];
}

function fillAction({ selector, keyPress }: Record<string, unknown>) {
  return { fill: { selector: String(selector), value: String(keyPress) } };
}

/** Converts `selectors`: the document, the viewport, or an element. Several selectors become states. */
function selectorFields(selectors: readonly string[]): Partial<PageInput> {
  const [first] = selectors;
  if (first !== undefined && selectors.length === 1) return captureAreaOf(first);
  const names = createNames();
  const states = selectors.map(
    (selector) => [names.add(safePart(selector.replace(/^[.#]/, ''))), captureAreaOf(selector)] as const,
  );
  return { base: false, states: Object.fromEntries(states) };
}

function captureAreaOf(selector: string): Pick<ShotFieldsInput, 'fullSize' | 'element'> {
  if (selector === 'document') return { fullSize: true };
  return selector === 'viewport' ? { fullSize: false } : { element: selector };
}

/**
 * In BackstopJS it is the timeout of one wait, in proofsheet that of a load. Therefore it applies only if it is
 * longer than the default.
 */
function readyTimeoutRule(value: unknown) {
  if (typeof value !== 'number') return undefined;
  const seconds = Math.min(600, value / 1000);
  if (seconds > DEFAULTS.timeout) return { fields: { timeout: seconds } };
  return { note: `readyTimeout: ${value} ms was not imported; timeout is ${DEFAULTS.timeout} s for each load` };
}
