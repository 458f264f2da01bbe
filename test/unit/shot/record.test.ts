import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Cause, ChangeEvent, Comparison } from '../../../src/model/comparison.js';
import { ProofsheetError } from '../../../src/model/errors.js';
import { shotRecordSchema } from '../../../src/model/run-record.js';
import type { Outcome, ShotProblem } from '../../../src/shot/decide.js';
import { fingerprintCauses } from '../../../src/shot/findings.js';
import { listImages } from '../../../src/shot/images.js';
import { buildRecord } from '../../../src/shot/record.js';
import { type Redact, redactorOf } from '../../../src/shot/redact.js';
import { png, sheet } from '../image/paint.js';
import { makeTempFolder } from '../temp-folder.js';
import { baselineOf, captureOf, differentBy, EQUAL, imageOf, liveOf, shotOf, targetOf, WITHIN } from './specimens.js';

const AFTER = 'https://user:hunter2@after.test/pricing';
const BEFORE = 'https://user:hunter2@before.test/pricing';
const image = png(sheet(20, 10));
const different = differentBy(image);
const [region] = different.regions;
const onDisk = shotOf({}, { id: 'pricing/phone', page: 'pricing', viewport: 'phone', after: targetOf(AFTER) });
const twoState = { ...onDisk, before: targetOf(BEFORE) };

const BASELINE = { path: 'shots/pricing.png', sha256: 'b'.repeat(64) };
const capture = captureOf(image, AFTER);
const error = new ProofsheetError({ code: 'page-status', where: AFTER, found: 'it answered 404', advice: 'Mend it.' });
const baseline = (comparison: Comparison) => baselineOf(image, comparison);
const live = (comparison: Comparison) => liveOf(captureOf(image, BEFORE), comparison);
const stored = {
  capture: { fetchTime: '2026-11-20T16:45:05.514Z', width: 20, height: 10 },
  findings: { limits: null, compared: 1, summary: null, environment: null, warnings: [] },
};
const OUTCOMES: Record<string, Outcome> = {
  skipped: { status: 'skipped', reason: null },
  unchanged: { status: 'reused', stored, baseline: imageOf(image) },
  'error before the capture': { status: 'error', problem: { kind: 'failed', error }, capture: null },
  'error after the capture': { status: 'error', problem: { kind: 'failed', error }, capture },
  unstable: { status: 'unstable', by: 'time', capture, previous: image, previousStructure: null, motion: different },
  'new, green': { status: 'new', capture, write: true, green: true },
  'new, written': { status: 'new', capture, write: true, green: false },
  'new, not written': { status: 'new', capture, write: false, green: false },
  'passed, equal': { status: 'passed', capture, before: baseline(EQUAL), write: false },
  'passed, within its limit': { status: 'passed', capture, before: baseline(WITHIN), write: false },
  'passed, written': { status: 'passed', capture, before: baseline(WITHIN), write: true },
  changed: { status: 'changed', capture, before: baseline(different), write: false },
  'changed, written': { status: 'changed', capture, before: baseline(different), write: true },
  'passed, live': { status: 'passed', capture, before: live(EQUAL), write: false },
  'changed, live': { status: 'changed', capture, before: live(different), write: false },
};
const REASONS: Record<string, string | null> = {
  skipped: 'ignoreSnapshots is set',
  'error before the capture': 'https://***@after.test/pricing: it answered 404. Mend it.',
  'error after the capture': 'https://***@after.test/pricing: it answered 404. Mend it.',
  unstable: 'page did not become stable; 1 region: 10x5 px at (5, 5)',
  'new, written': 'no baseline found; this run wrote one',
  'new, not written': 'no baseline found',
  changed: '50 px (25.00 %) differ, limit 0 px; 1 region: 10x5 px at (5, 5)',
  'changed, live': '50 px (25.00 %) differ, limit 0 px; 1 region: 10x5 px at (5, 5)',
};

const TIMINGS = { queue: 1, navigate: 2, settle: { fonts: 3 }, screenshot: 4, compare: 5, write: 6 };

const asItIs: Redact = (text) => text;

function recordOf(outcome: Outcome, shot = onDisk, differing: readonly Outcome[] = [], redact = asItIs) {
  const places = { stagingFolder: '/staged', baseline: { path: '/shots/pricing.png' } };
  const { imageName, capture, after } = shot;
  const images = listImages(outcome, { imageName, format: capture.format, url: after.url }, places, null);
  return buildRecord(shot, outcome, images, {
    ...{ project: 'chromium', durationMs: 812, timings: TIMINGS, path: BASELINE.path, differing },
    ...{ notes: {}, redact },
    written: 'write' in outcome && outcome.write ? BASELINE.sha256 : null,
  });
}

test.each(Object.entries(OUTCOMES))(
  'the record of a shot that is %s has the schema, a reason unless it passed, and no credentials',
  (name, outcome) => {
    const shot = name.endsWith('live') ? twoState : onDisk;
    const record = recordOf(outcome, shot);
    expect(shotRecordSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
    expect(record.reason).toBe(REASONS[name] ?? null);
    expect(JSON.stringify(record)).not.toMatch(/hunter2|user/);
    expect(record.url).toBe('https://***@after.test/pricing');
    const sha256 = /^(skipped|error|unstable|new, not)/.test(name) ? null : BASELINE.sha256;
    expect(record.baseline).toEqual(shot.before ? null : { ...BASELINE, sha256, environment: null });
  },
);

const place = { x: 5, y: 5, width: 10, height: 5 };
const event: ChangeEvent = { kind: 'inserted', axis: 'rows', by: 5, before: null, after: place, regions: [0] };

test.each<[ShotProblem, string]>([
  [
    { kind: 'warning', url: BEFORE, message: 'an image is broken' },
    'https://***@before.test/pricing: an image is broken (`strict` makes this warning an error). Fix the page, or remove `strict`.',
  ],
  [
    {
      ...{ kind: 'environment', parts: ['browserVersion'], current: { ...capture.environment, engine: '1' } },
      baseline: { ...capture.environment, engine: '1', browserVersion: '99' },
    },
    `https://***@after.test/pricing: the baseline was captured with chromium 99 on linux/x64, but this run uses chromium 1 on linux/x64 (\`environment: fail\`). Run in the environment of the baselines, or update them in this environment: npx playwright test --update-snapshots`,
  ],
  [
    { kind: 'masked-baseline', compared: 0.01 },
    'https://***@after.test/pricing: `mask` and `ignore` leave 1.00 % of the pixels to compare; expected at least 5.00 % (with the areas stored in the baseline). Check the page, then update the baseline: npx playwright test --update-snapshots',
  ],
])('the reason of an error says what to do: %j', (problem, reason) => {
  expect(recordOf({ status: 'error', problem, capture }).reason).toBe(reason);
});

test('a record contains the counts, regions and images of its comparison', () => {
  const record = recordOf(OUTCOMES.changed ?? { status: 'skipped', reason: null });
  const { counts, regions, regionPlaces } = different;
  expect(record.summary).toEqual({ ...counts, mismatchPercentage: 25, mismatchPixelsAfterAlignment: 50 });
  expect(record).toMatchObject({ regions, regionPlaces });
  const moved = baseline({ ...different, contentMoves: [event] });
  expect(recordOf({ status: 'changed', capture, before: moved, write: false })).toMatchObject({
    events: [event],
    reason: expect.stringMatching(/^5 px inserted at y=5; /),
  });
  // Of what moved there are regions, but no counts: it was not compared.
  expect(recordOf(OUTCOMES.unstable ?? { status: 'skipped', reason: null })).toMatchObject({
    regions: [region],
    summary: null,
  });
  expect(record.limits).toEqual({ threshold: 0.005, maxDiffPixels: 0, maxDiffPixelRatio: null });
  const link = expect.stringMatching(/^screenshots\/after\.test\/[\w-]{36}\/diff\.png$/);
  expect(record.diff).toEqual({ link, width: 20, height: 10 });
  expect(record.environment).toMatchObject({
    os: 'linux',
    headless: 'shell',
    engine: expect.stringMatching(/^pixelmatch/),
  });
});

test('the capture has the form of the v1 response of the capture service', () => {
  const link = expect.stringMatching(/^screenshots\/after\.test\/[\w-]{36}\/1795193105514\.png$/);
  const common = {
    fetchTime: '2026-11-20T16:45:05.514Z',
    url: 'https://***@after.test/pricing',
    width: 20,
    height: 10,
  };
  const told = (attempts: number, outcome?: Outcome) => {
    if (!outcome || !('capture' in outcome) || !outcome.capture) throw new Error('nothing was captured');
    return recordOf({ ...outcome, capture: { ...outcome.capture, attempts } }).capture;
  };
  expect(told(1, OUTCOMES['passed, equal'])).toEqual({ ...common, status: 'success', message: 'Captured.', link });
  expect(told(2, OUTCOMES.changed)?.message).toBe('The page was stable after 2 screenshots.');
  expect(recordOf({ status: 'skipped', reason: null }).capture).toBe(null);
  expect(recordOf({ status: 'error', problem: { kind: 'failed', error }, capture: null }).capture).toMatchObject({
    ...{ status: 'error', message: error.message, width: null, height: null, link: null },
  });
});

test('warnings of both live sides are recorded, without credentials of a URL', () => {
  const warned = (url: string) => captureOf(image, url, { warnings: [{ code: 'images', message: `no ${url}/a.png` }] });
  const before = liveOf(warned(BEFORE), EQUAL);
  const { warnings } = recordOf({ status: 'passed', capture: warned(AFTER), before, write: false }, twoState);
  expect(warnings).toEqual([
    { code: 'images', message: 'no https://***@after.test/pricing/a.png' },
    { code: 'images', message: 'before: no https://***@before.test/pricing/a.png' },
  ]);
});

const RULE: Cause = {
  ...{ kind: 'restyled', element: 'a.btn', property: 'color', before: 'red', after: 'blue', certain: true },
  ...{ source: { selector: '.btn', file: '/site.css', line: 42 }, elements: 1, boxes: [], regions: [0], pixels: 10 },
};
const TEXT: Cause = { ...RULE, kind: 'reworded', element: '#price', property: null, source: null };

test('one declaration is one change, whatever its elements, their number and their place', () => {
  const other: Cause = { ...RULE, element: 'button.btn', elements: 7, regions: [1, 2], pixels: 99 };
  expect(fingerprintCauses([RULE])).toBe(fingerprintCauses([other]));
  expect(fingerprintCauses([RULE, TEXT])).toBe(fingerprintCauses([TEXT, other]));
});

const ATTRIBUTE: Cause = { ...RULE, source: { selector: 'style', file: null, line: null } };

test.each<[string, Cause, Cause]>([
  ['value', RULE, { ...RULE, after: 'green' }],
  ['line', RULE, { ...RULE, source: { selector: '.btn', file: '/site.css', line: 43 } }],
  ['property', RULE, { ...RULE, property: 'fill' }],
  ['element with an attribute', ATTRIBUTE, { ...ATTRIBUTE, element: '#other' }],
])('another %s is another change', (_, one, other) => {
  expect(fingerprintCauses([one])).not.toBe(fingerprintCauses([other]));
});

test('a change that is not certain in all parts has no hash, so that its pixels decide', () => {
  expect(fingerprintCauses([RULE, { ...TEXT, certain: false }])).toBeNull();
  expect(fingerprintCauses([])).toBeNull();
  expect(fingerprintCauses(undefined)).toBeNull();
});

test('a record contains no value of headers, cookies, storage state, passwords and fields, but its names and links', () => {
  const storageState = join(makeTempFolder(), 'state.json');
  const localStorage = [{ name: 'auth', value: '{"access":"planted-stored-1"}' }];
  const records = [{ key: 1, value: { token: 'planted-stored-2' } }, { valueEncoded: ['planted-stored-3'] }];
  const indexedDB = [{ name: 'db', stores: [{ name: 'tokens', records }] }];
  const stored = { cookies: [{ value: 'planted-stored-4' }], origins: [{ localStorage }, { indexedDB }] };
  writeFileSync(storageState, JSON.stringify(stored));
  // Each of these lists may be missing.
  const withoutCookies = join(makeTempFolder(), 'state.json');
  writeFileSync(withoutCookies, JSON.stringify({ origins: [{ localStorage: [{ value: 'planted-stored-5' }] }] }));
  const after = targetOf('https://joe:planted-url@a.test/?planted-cookie', {
    headers: { Authorization: 'Bearer planted-header' },
    cookies: [{ name: 's', value: 'planted-cookie', path: '/', httpOnly: false, secure: false, sameSite: 'Lax' }],
    storageState,
    httpCredentials: { username: 'joe', password: 'planted-password' },
  });
  const before = targetOf('https://b.test/', { headers: { X: 'planted-before' }, storageState: withoutCookies });
  const fields = { actions: [{ fill: { selector: '#a', value: 'planted-filled' } }] };
  const shot = shotOf(fields, { page: 'planted-cookie', imageName: 'planted-cookie', after, before });
  const secrets = [
    ...['planted-url', 'planted-header', 'planted-cookie', 'planted-password', 'planted-filled', 'planted-before'],
    ...[
      'planted-stored-1',
      'planted-stored-2',
      'planted-stored-3',
      'planted-stored-4',
      'planted-stored-5',
      Buffer.from('joe:planted-password').toString('base64'),
    ],
  ];
  const leak = secrets.join(' ');
  const leaking = captureOf(image, `https://a.test/${leak}`, {
    ...{ warnings: [{ code: 'x', message: leak }], hidden: [{ element: leak, text: leak }] },
    wrongTexts: [{ selector: leak, pattern: leak, text: leak }],
  });
  const failed = new ProofsheetError({ code: 'page-status', where: leak, found: leak, advice: leak });
  const changed: Outcome = {
    ...{ status: 'changed', capture: leaking, write: false },
    before: liveOf(captureOf(image, `https://b.test/${leak}`), different),
  };
  const outcomes: Outcome[] = [
    ...[changed, { status: 'error', problem: { kind: 'failed', error: failed }, capture: leaking } as const],
    { status: 'skipped', reason: leak },
  ];
  for (const outcome of outcomes) {
    const { page, ...record } = recordOf(outcome, shot, [changed], redactorOf([after, before], shot.capture.actions));
    expect(secrets.filter((secret) => JSON.stringify(record).includes(secret))).toEqual([]);
    expect([page, record.attempts[0]]).toMatchObject([
      'planted-cookie',
      { status: 'changed', reason: expect.stringContaining('***') },
    ]);
  }
});
