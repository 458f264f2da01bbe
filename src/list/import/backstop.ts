import { safePart } from '../../baselines/index.js';
import { type PageInput, type ShotFieldsInput, withoutCredentials } from '../../model/index.js';
import {
  actions,
  type Converted,
  createNames,
  delay,
  isNothing,
  itemsOf,
  mappingOf,
  type NamedSize,
  type Rules,
  type ToolList,
  text,
  texts,
  textsOf,
  urlRule,
} from './imported.js';

/** Takes apart a `backstop.json`: https://github.com/garris/BackstopJS#using-backstopjs */
export function readBackstop(config: unknown): ToolList | undefined {
  const { scenarios, scenarioDefaults, viewports, misMatchThreshold, requireSameDimensions, ...global } =
    mappingOf(config);
  if (scenarios === undefined) return undefined;
  const { misMatchThreshold: commonThreshold = misMatchThreshold, ...shared } = mappingOf(scenarioDefaults);
  return {
    pages: itemsOf(scenarios)
      .map((scenario): Record<string, unknown> => ({ requireSameDimensions, ...shared, ...mappingOf(scenario) }))
      // Without selectors, or with an empty list as in the config of `backstop init`, the whole page is captured.
      .map(({ selectors, selectorExpansion, ...item }) => ({
        ...item,
        selectors: {
          list: isNothing(selectors) ? ['document'] : selectors,
          each: String(selectorExpansion) === 'true',
        },
      })),
    pageRules: SCENARIO,
    common: { misMatchThreshold: commonThreshold ?? DEFAULT_THRESHOLD, ...global },
    commonRules: GLOBAL,
    sizes: itemsOf(viewports).map(readViewport),
    sizesOf: (scenario) => itemsOf(scenario.viewports).map(readViewport),
    notes: [COLOR_NOTE],
  };
}

const DEFAULT_THRESHOLD = 0.1;

/** resemble.js takes two values of a channel for equal if they differ by less than 16. */
const COLOR_NOTE =
  'BackstopJS ignores color differences of less than 16 in each channel; threshold: 0.06 in defaults allows about the same';

const SCRIPTS: Rules = {
  onBeforeScript: 'use headers, cookies or storageState instead',
  onReadyScript: 'use actions or javascriptCode instead',
};

const SCENARIO: Rules = {
  label: text('name'),
  url: urlRule,
  referenceUrl: (value) => ({
    note: `baselines are captured from url; to compare with the reference in each run instead, add before: ${withoutCredentials(String(value))}`,
  }),
  viewports: null,
  readySelector: texts('waitFor'),
  readyTimeout: 'in BackstopJS the time of one wait; timeout is that of each load',
  keyPressSelectors: (value) => ({
    fields: {
      actions: itemsOf(value)
        .map(mappingOf)
        .map(({ selector, keyPress }) => ({
          fill: { selector: String(selector), value: String(keyPress) },
        })),
    },
  }),
  hoverSelector: actions('hover'),
  hoverSelectors: actions('hover'),
  clickSelector: actions('click'),
  clickSelectors: actions('click'),
  postInteractionWait: waitRule,
  scrollToSelector: actions('scrollTo'),
  delay,
  hideSelectors: texts('hide'),
  removeSelectors: texts('remove'),
  selectors: (value) => {
    const { list, each } = mappingOf(value);
    return { fields: selectorFields(textsOf(list), each === true) };
  },
  misMatchThreshold: thresholdRule,
  requireSameDimensions: (value) =>
    value === false ? { note: 'set maxSizeDiff to the number of pixels by which the size may differ' } : {},
  expect: 'proofsheet does not check the number of elements',
  cookiePath: 'copy the cookies to cookies, or set storageState to a file that Playwright wrote',
  ...SCRIPTS,
  readyEvent: 'use waitFor instead',
};

const GLOBAL: Rules = {
  misMatchThreshold: thresholdRule,
  resembleOutputOptions: outputOptionsRule,
  id: 'not needed; baselines are named after their pages',
  report: 'set reporter in the Playwright config',
  debug: 'run npx playwright test --debug',
  openReport: 'run npx proofsheet report',
  paths: 'set snapshotPathTemplate in the Playwright config',
  engine: 'set the browser in projects of the Playwright config',
  engineOptions: 'set use.launchOptions in the Playwright config',
  asyncCaptureLimit: 'set workers in the Playwright config',
  asyncCompareLimit: 'not needed; each worker captures and compares its pages',
  ...SCRIPTS,
};

/** Converts a percentage. BackstopJS also compares with the number that a string contains. */
function thresholdRule(value: unknown): Converted | undefined {
  const percentage = Number(value);
  if (!(percentage >= 0 && percentage <= 100)) return undefined;
  return { fields: { maxDiffPixelRatio: Number((percentage / 100).toPrecision(12)) } };
}

function outputOptionsRule(value: unknown): Converted {
  const { ignoreAntialiasing, ...others } = mappingOf(value);
  const hasOthers = Object.keys(others).length > 0;
  return {
    fields: ignoreAntialiasing ? { antialiasing: 'ignore' } : {},
    ...(hasOthers && { note: 'only ignoreAntialiasing has an equivalent' }),
  };
}

function waitRule(value: unknown): Converted {
  const waits = typeof value === 'number' ? [value / 1000] : textsOf(value);
  return { fields: { actions: waits.map((wait) => ({ wait })) } };
}

function readViewport(item: unknown): NamedSize {
  const { label, name, ...given } = mappingOf(item);
  const [width, height] = [Number(given.width) || 1280, Number(given.height) || 720];
  return { name: String(label ?? name ?? `${width}x${height}`).replaceAll('/', '-'), width, height };
}

/** Converts `selectors`: the document, the viewport, or an element. Several selectors become states. */
function selectorFields(selectors: readonly string[], each: boolean): Partial<PageInput> {
  const [first] = selectors;
  if (first !== undefined && selectors.length === 1) return captureAreaOf(first, each);
  const distinct = createNames();
  const states = selectors.map(
    (selector) => [distinct(safePart(selector.replace(/^[.#]/, ''))), captureAreaOf(selector, each)] as const,
  );
  return { base: false, states: Object.fromEntries(states) };
}

function captureAreaOf(selector: string, each: boolean): Pick<ShotFieldsInput, 'fullSize' | 'element' | 'each'> {
  if (selector === 'document') return { fullSize: true };
  return selector === 'viewport' ? { fullSize: false } : { element: selector, ...(each && { each }) };
}
