import { expect, test } from 'vitest';
import { createStopwatch } from '../../../src/browser/timing.js';
import { gatherEvidence } from '../../../src/core/shot/gather-evidence.js';
import type { CaptureResult } from '../../../src/model/capture.js';
import type { EncodedImage } from '../../../src/model/image.js';
import type { AntialiasingRule } from '../../../src/model/list/fields.js';
import type { Shot } from '../../../src/model/shot.js';
import { resolveSettings } from '../../../src/page-list/resolve/resolve-shot.js';
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

test.each([
  ['each misses another response', [['/a.js'], ['/b.js'], ['/a.js', '/b.js']], 3],
  ['the second one is complete', [['/a.js'], []], 2],
  ['both miss the same response', [['/a.js'], ['/a.js']], 2],
  ['the second one misses a response too', [['/a.js'], ['/a.js', '/b.js']], 2],
])('two equal loads confirm each other unless each misses what the other has: %s', async (_, failures, count) => {
  let loads = 0;
  const after = async (): Promise<CaptureResult> => {
    const missingResponses = failures[loads++] ?? [];
    return { kind: 'settled', capture: captureOf(smooth, URL, { missingResponses }) };
  };
  const evidence = await gatherEvidence(shotOf('count', null), { before: null, after, canReload: true }, given);
  expect(evidence).toMatchObject({ kind: 'captured', capture: { image: smooth } });
  expect(loads).toBe(count);
});

test('a load that misses a response confirms no other one that misses another, also as the third', async () => {
  const loads = [
    captureOf(smooth, URL, { missingResponses: ['/a.js'] }),
    captureOf(png(sheet(10, 10, '#000000')), URL),
    captureOf(smooth, URL, { missingResponses: ['/b.js'] }),
  ];
  let count = 0;
  const after = async (): Promise<CaptureResult> => {
    const capture = loads[count++];
    if (!capture) throw new Error('loaded too often');
    return { kind: 'settled', capture };
  };
  const evidence = await gatherEvidence(shotOf('count', null), { before: null, after, canReload: true }, given);
  expect(evidence).toMatchObject({ kind: 'unstable', by: 'responses' });
  expect(count).toBe(3);
});
