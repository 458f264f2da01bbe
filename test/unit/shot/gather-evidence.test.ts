import { describe, expect, test } from 'vitest';
import { resolveSettings } from '../../../src/list/resolve/resolve-settings.js';
import type { CaptureResult } from '../../../src/model/capture.js';
import type { EncodedImage } from '../../../src/model/image.js';
import type { AntialiasingRule, Shot } from '../../../src/model/shot.js';
import { createStopwatch } from '../../../src/page/browser/timing.js';
import { gatherEvidence } from '../../../src/shot/gather-evidence.js';
import { EDGES } from '../compare/golden-edges.js';
import { png, sheet } from '../image/paint.js';
import { captureOf, NO_EMULATION, targetOf } from './specimens.js';

const URL = 'http://127.0.0.1/home';
const [edge] = EDGES;
if (!edge) throw new Error('there are edges');
/** They differ only by anti-aliasing, in 52 pixels. */
const [smooth, smoothedAgain] = [png(edge.before), png(edge.after)];

function shotOf(antialiasing: AntialiasingRule, before: Shot['before']): Shot {
  const name = { id: 'home', page: 'home', viewport: null, state: null };
  return { ...name, after: targetOf(URL), before, emulation: NO_EMULATION, ...resolveSettings({ antialiasing }) };
}

const given = {
  baseline: {
    path: '/no/baseline.png',
    shownPath: 'baseline.png',
    writtenInRun: { isKnown: () => true, mark: () => {} },
  },
  policy: { mode: 'none', ci: false },
  stopwatch: createStopwatch(),
} as const;

const settled = (image: EncodedImage): CaptureResult => ({ kind: 'settled', capture: captureOf(image, URL) });

test.each([
  ['auto', 'different', 52, 0],
  ['count', 'different', 52, 0],
  ['ignore', 'within-limit', 0, 52],
] as const)('two sides of one run come from one environment: antialiasing: %s', async (rule, kind, mismatch, apart) => {
  const captureFunctions = {
    before: async () => settled(smooth),
    after: async () => settled(smoothedAgain),
    canReload: true,
  };
  const evidence = await gatherEvidence(shotOf(rule, targetOf(URL)), captureFunctions, given);
  if (evidence.kind !== 'captured' || evidence.before.kind !== 'live') throw new Error(`it is ${evidence.kind}`);
  const { comparison } = evidence.before;
  expect([comparison.kind, comparison.counts.mismatchPixels, comparison.counts.antialiasedPixels]).toEqual([
    ...[kind, mismatch, apart],
  ]);
});

test('if a page kept changing, anti-aliased edges are shown too', async () => {
  const result = { kind: 'unstable', previous: smooth, capture: captureOf(smoothedAgain, URL) } as const;
  const evidence = await gatherEvidence(
    shotOf('ignore', null),
    { before: null, after: async () => result, canReload: true },
    given,
  );
  if (evidence.kind !== 'unstable') throw new Error(`it is ${evidence.kind}`);
  expect(evidence.motion).toMatchObject({ kind: 'different', counts: { mismatchPixels: 52, antialiasedPixels: 0 } });
});

/** What a load received: its image, and the responses that it misses. The network lost those in `lost`. */
interface LoadSpecimen {
  readonly image: EncodedImage;
  readonly missing?: readonly string[];
  readonly lost?: readonly string[];
}

/** Observes a page with these loads and no baseline. Fails if it is loaded more often. */
async function observe(specimens: readonly LoadSpecimen[]) {
  let count = 0;
  const after = async (): Promise<CaptureResult> => {
    const specimen = specimens[count++];
    if (!specimen) throw new Error('loaded too often');
    const { image, lost = [], missing = lost } = specimen;
    return {
      kind: 'settled',
      capture: captureOf(image, URL, { missingResponses: missing, lostResponses: lost }),
    };
  };
  const evidence = await gatherEvidence(shotOf('count', null), { before: null, after, canReload: true }, given);
  return { evidence, count };
}

const whole = png(sheet(10, 10, '#000000'));

test.each([
  ['each misses another response', [['/a.js'], ['/b.js'], ['/a.js', '/b.js']], 3],
  ['the second one is complete', [['/a.js'], []], 2],
  ['both miss the same response', [['/a.js'], ['/a.js']], 2],
  ['the second one misses a response too', [['/a.js'], ['/a.js', '/b.js']], 2],
])('two equal loads confirm each other unless each misses what the other has: %s', async (_, failures, expected) => {
  const { evidence, count } = await observe(failures.map((missing) => ({ image: smooth, missing })));
  expect(evidence).toMatchObject({ kind: 'captured', capture: { image: smooth }, earlier: [] });
  expect(count).toBe(expected);
});

test.each([
  ['the third one lost it too', [['/a.js'], ['/a.js'], ['/a.js']]],
  ['the third one has it, and is equal', [['/a.js'], ['/a.js'], []]],
])('two equal loads for which the network lost the same response need a third one: %s', async (_, losses) => {
  const { evidence, count } = await observe(losses.map((lost) => ({ image: smooth, lost })));
  expect(evidence).toMatchObject({ kind: 'captured', capture: { image: smooth }, earlier: [] });
  expect(count).toBe(3);
});

test.each<[string, LoadSpecimen[]]>([
  [
    'each misses another one',
    [{ image: smooth, missing: ['/a.js'] }, { image: whole }, { image: smooth, missing: ['/b.js'] }],
  ],
  [
    'the first load has it',
    [{ image: whole }, { image: smooth, missing: ['/a.js'] }, { image: smooth, missing: ['/a.js'] }],
  ],
  ['the third load has it', [{ image: smooth, lost: ['/a.js'] }, { image: smooth, lost: ['/a.js'] }, { image: whole }]],
])('two loads that miss a response do not outvote one that has it: %s', async (_, loads) => {
  const { evidence, count } = await observe(loads);
  expect(evidence).toMatchObject({ kind: 'unstable', by: 'responses' });
  expect(count).toBe(3);
});

describe('an error that is not of proofsheet', () => {
  const errorOf = async (cause: unknown) => {
    const after = async (): Promise<CaptureResult> => {
      throw cause;
    };
    const evidence = await gatherEvidence(shotOf('count', null), { before: null, after, canReload: true }, given);
    if (evidence.kind !== 'failed') throw new Error(`it is ${evidence.kind}`);
    return evidence.error;
  };

  test.each([
    'page.evaluate: Target page, context or browser has been closed',
    'page.screenshot: Target crashed',
    'page.waitForTimeout: Test ended.',
    'page.goto: Test timeout of 30000ms exceeded.',
  ])('of a page that closed advises to try again: %s', async (message) => {
    const { code, problem } = await errorOf(new Error(`${message}\nCall log:`));
    expect(code).toBe('shot-interrupted');
    expect(problem).toMatchObject({
      found: `the capture was interrupted (${message})`,
      advice: 'The page closed during the capture. Try again.',
    });
  });

  test.each([new TypeError("Cannot read properties of undefined (reading 'width')"), 'no error at all'])(
    'with another cause advises to report a bug: %s',
    async (cause) => {
      const { code, message } = await errorOf(cause);
      expect(code).toBe('shot-interrupted');
      expect(message).toMatch(/Report this as a bug of proofsheet, with the output of: npx proofsheet doctor$/);
      expect(message).not.toContain('closed');
    },
  );
});
