import { safePart } from '../../baselines/index.js';
import { type PageInput, type ShotFieldsInput, withoutCredentials } from '../../model/index.js';
import {
  actions,
  type Converted,
  convertFields,
  convertPage,
  createNames,
  createViewports,
  delay,
  type ImportedList,
  isNothing,
  itemsOf,
  mappingOf,
  type Rules,
  text,
  texts,
  textsOf,
  urlRule,
} from './imported.js';

/** Converts a `backstop.json` to a page list: https://github.com/garris/BackstopJS#using-backstopjs */
export function importBackstop(config: unknown): ImportedList | undefined {
  const { scenarios, scenarioDefaults, viewports, misMatchThreshold, requireSameDimensions, ...global } =
    mappingOf(config);
  if (scenarios === undefined) return undefined;
  const { misMatchThreshold: commonThreshold = misMatchThreshold, ...common } = mappingOf(scenarioDefaults);
  const { fields, notes } = convertFields(
    { misMatchThreshold: commonThreshold ?? DEFAULT_THRESHOLD, ...global },
    GLOBAL,
  );
  const items = itemsOf(scenarios)
    .map((scenario): Record<string, unknown> => ({ requireSameDimensions, ...common, ...mappingOf(scenario) }))
    .filter(({ url }) => typeof url === 'string')
    // Without selectors, or with an empty list as in the config of `backstop init`, the whole page is captured.
    .map((item) => ({ ...item, selectors: isNothing(item.selectors) ? ['document'] : item.selectors }));
  const sizes = createViewports();
  const namesOf = (value: unknown) => itemsOf(value).map((item) => sizes.add(...readViewport(item)));
  const commonNames = namesOf(viewports);
  const names = items.map(({ viewports: own }: Record<string, unknown>) =>
    isNothing(own) ? commonNames : namesOf(own),
  );
  return {
    baseURL: null,
    viewports: sizes.all(),
    defaults: fields,
    pages: items.map((item, index) => sizes.select(convertPage(item, SCENARIO), names[index] ?? [])),
    notes: [
      ...notes,
      COLOR_NOTE,
      ...(items.length < itemsOf(scenarios).length ? ['scenarios without a URL were skipped'] : []),
    ],
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
  selectors: (value) => ({ fields: selectorFields(textsOf(value)) }),
  misMatchThreshold: thresholdRule,
  requireSameDimensions: (value) =>
    value === false ? { note: 'set maxSizeDiff to the number of pixels by which the size may differ' } : {},
  selectorExpansion: 'element must match one element; add a state for each of the others',
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
  const names = Object.keys(others).join(', ');
  return {
    fields: ignoreAntialiasing ? { antialiasing: 'ignore' } : {},
    ...(names !== '' && { note: `${names}: no equivalent in proofsheet` }),
  };
}

function waitRule(value: unknown): Converted {
  const waits = typeof value === 'number' ? [value / 1000] : textsOf(value);
  return { fields: { actions: waits.map((wait) => ({ wait })) } };
}

function readViewport(item: unknown): [name: string, width: number, height: number] {
  const { label, name, width, height } = mappingOf(item);
  const [w, h] = [Number(width) || 1280, Number(height) || 720];
  return [String(label ?? name ?? `${w}x${h}`).replaceAll('/', '-'), w, h];
}

/** Converts `selectors`: the document, the viewport, or an element. Several selectors become states. */
function selectorFields(selectors: readonly string[]): Partial<PageInput> {
  const [first] = selectors;
  if (first !== undefined && selectors.length === 1) return captureAreaOf(first);
  const distinct = createNames();
  const states = selectors.map(
    (selector) => [distinct(safePart(selector.replace(/^[.#]/, ''))), captureAreaOf(selector)] as const,
  );
  return { base: false, states: Object.fromEntries(states) };
}

function captureAreaOf(selector: string): Pick<ShotFieldsInput, 'fullSize' | 'element'> {
  if (selector === 'document') return { fullSize: true };
  return selector === 'viewport' ? { fullSize: false } : { element: selector };
}
