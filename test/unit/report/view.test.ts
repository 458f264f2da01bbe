import { expect, test } from 'vitest';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { createView } from '../../../src/report/view.js';
import { HOSTILE_TEXT } from '../../hostile-texts.js';
import { causeOf, changedOf, ENVIRONMENT, runOf, shotOf } from './specimens.js';

function viewOf(shot: ShotRecord) {
  const [view] = createView(runOf([shot]), null).shots;
  if (!view) throw new Error('the view has no shot');
  return view;
}

function detailsOf(shot: ShotRecord): Record<string, string> {
  return Object.fromEntries(viewOf(shot).details.map(({ name, text }) => [name, text]));
}

test('the details have the metrics, the limit, what moved, the environment, the warnings, and the duration, its longest part first', () => {
  const limits = { threshold: 0.02, maxDiffPixels: null, maxDiffPixelRatio: 0.001 };
  const environment = { ...ENVIRONMENT, fonts: 'f00' };
  const [before, after] = [8000, 8048].map((height) => ({ link: null, width: 1280, height, source: '' }));
  const place = { x: 0, y: 24, width: 1280, height: 48 };
  const event = { kind: 'inserted', axis: 'rows', by: 48, before: null, after: place, regions: [] } as const;
  const settle = { fonts: 9, unchanged: 2_400 };
  const timings = { queue: 3, navigate: 120, settle, screenshot: 310, compare: 0, write: 0 };
  const warnings = [{ code: 'fonts', message: 'fonts pending' }];
  const attempts: ShotRecord['attempts'] = [{ status: 'changed' }, { status: 'passed' }];
  const images = { before: before ?? null, after: after ?? null };
  const more = { environment, warnings, attempts, events: [{ ...event, regions: [] }], durationMs: 2_900, timings };
  expect(detailsOf(changedOf({ limits, causes: [causeOf()], ...images, ...more }))).toEqual({
    mismatch: '1,204 px of 921,600 px (0.13 %)',
    'fails above': '0.1 % = 921 px of 1280x8048 (color distance of a pixel above 0.02)',
    'layout change': '48 px inserted at y=24; 1 region also changed',
    size: '1280x8000 before, 1280x8048 after',
    URL: 'http://127.0.0.1:4173/pricing',
    baseline: 'shots/chromium/pricing.png',
    attempts: '1 changed, 2 passed',
    captured: '2026-11-20 12:00:00 UTC. Captured.',
    environment: 'chromium 141.0.1 on linux/x64, headless shell, scale 1, fonts f00, pixelmatch 7.2.0',
    warning: 'fonts pending',
    duration: '2.9 s: unchanged 2.4 s, screenshot 310 ms, navigate 120 ms',
  });
});

test('errors and unstable shots come first, then groups, the largest at the top; other shots keep their order', () => {
  const shots = [
    shotOf({ id: 'broken', status: 'error', reason: 'x' }),
    shotOf({ id: 'moving', status: 'unstable', reason: 'x' }),
    changedOf({ id: 'small-1', group: '10' }),
    changedOf({ id: 'single' }),
    changedOf({ id: 'large-1', group: '2' }),
    changedOf({ id: 'small-2', group: '10' }),
    changedOf({ id: 'large-2', group: '2' }),
    changedOf({ id: 'large-3', group: '2' }),
    changedOf({ id: 'written', group: '2', written: true, reason: null }),
  ];
  const { shots: views } = createView(runOf(shots), null);
  const order = ['broken', 'moving', 'large-1', 'large-2', 'large-3', 'small-1', 'small-2', 'single', 'written'];
  expect(views.map(({ id }) => id)).toEqual(order);
});

test('a region has its size, its position and its mismatched pixels', () => {
  const regions = [
    { x: 312, y: 480, width: 420, height: 60, pixels: 1204 },
    { x: 0, y: 9, width: 1, height: 1, pixels: 1, side: 'before' as const },
  ];
  const place = { before: null, after: null, diff: { x: 0, y: 0, width: 1, height: 1 } };
  const { regions: views } = viewOf(changedOf({ regions, regionPlaces: [place, place] }));
  expect(views.map(({ text }) => text)).toEqual([
    '420x60 px at (312, 480): 1,204 mismatched px',
    '1x1 px at (0, 9) in the before image: 1 mismatched px',
  ]);
});

test('only changed and new shots can be approved, if they have a baseline that this run did not write', () => {
  const isDecidable = (changes: Partial<ShotRecord>) => viewOf(changedOf(changes)).isDecidable;
  expect([{}, { status: 'new' as const }].map(isDecidable)).toEqual([true, true]);
  const others = (['error', 'unstable', 'passed'] as const).map((status) => ({ status }));
  const undecidable = [...others, { baseline: null }, { written: true, reason: null }];
  expect(undecidable.map(isDecidable)).toEqual(undecidable.map(() => false));
});

test('untrusted text is sanitized, except for the id; a group that is not a plain word is removed', () => {
  const hostile = { id: HOSTILE_TEXT, reason: HOSTILE_TEXT, url: HOSTILE_TEXT, group: '1; rm -rf ~' };
  const { id, name, reason, details, group } = viewOf(changedOf(hostile));
  expect([id, group]).toEqual([HOSTILE_TEXT, undefined]);
  for (const text of [name, reason, ...details.map((detail) => detail.text)])
    expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
});

test('a change is told once: what moved is no detail beside the sentence that says it', () => {
  const [before, after] = [24, 72].map((y) => ({ x: 0, y, width: 1280, height: 48 }));
  const event = {
    kind: 'moved',
    axis: 'rows',
    by: 48,
    before: before ?? null,
    after: after ?? null,
    regions: [],
  } as const;
  const shot = viewOf(changedOf({ events: [{ ...event, regions: [] }], regions: [] }));
  expect(shot.what).toBe('section at y=24 moved down 48 px; nothing else changed');
  expect(shot.details.map(({ name }) => name)).not.toContain('layout change');
  expect(shot.moves).toEqual([{ before, after }]);
});

test('a shot with the causes of a group and others names the group and the others', () => {
  const nav = causeOf();
  const text = causeOf({ kind: 'reworded', property: null, before: '49', after: '4', source: null });
  const group = ['a', 'b'].map((id) => changedOf({ id, group: '1', causes: [nav] }));
  const { shots } = createView(runOf([...group, changedOf({ id: 'c', causes: [nav, text] })]), null);
  expect(shots.map(({ what }) => what)).toEqual([
    ...Array(2).fill('.btn: background-color red -> blue (site.css:12)'),
    'as change 1, plus .btn: text "49" -> "4"',
  ]);
  expect(shots.map(({ causes }) => causes.map(({ sharedWith }) => sharedWith))).toEqual([
    ...Array(2).fill([undefined]),
    ['1', undefined],
  ]);
});

test('the changed words of a long text are marked, and the text around them is cut in the sentence', () => {
  const long = (price: string) =>
    `The price of the plan for small teams is ${price} euros per month, and it includes support by phone.`;
  const cause = causeOf({ kind: 'reworded', property: null, source: null, before: long('9'), after: long('19') });
  const shot = viewOf(changedOf({ causes: [cause] }));
  expect(shot.what).toBe(
    '.btn: text "… for small teams is 9 euros per month, and…" -> "… for small teams is 19 euros per month, and…"',
  );
  const parts = shot.causes[0]?.parts ?? [];
  expect(parts.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['9 ', '19 ']);
  expect(parts.map(({ text }) => text).join('')).toBe(`.btn: text "${long('9')}" -> "${long('19')}"`);
});
