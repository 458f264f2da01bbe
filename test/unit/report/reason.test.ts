import { describe, expect, test } from 'vitest';
import type { ChangeEvent } from '../../../src/model/comparison.js';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { renderPixels } from '../../../src/model/text.js';
import { renderChangeSummary, renderLimit, renderReason } from '../../../src/report/reason.js';
import { changedOf, shotOf } from './specimens.js';

describe('a limit in words', () => {
  const limitsOf = (maxDiffPixels: number | null, maxDiffPixelRatio: number | null) =>
    shotOf({ limits: { threshold: 0.02, maxDiffPixels, maxDiffPixelRatio } });

  test.each([
    ['the pixels of a ratio', null, 0.001, '0.1 % = 10,240 px of 1280x8000', 10_240],
    ['0 px without limits', null, null, '0 px', 0],
    ['the smaller of two', 20_000, 0.001, '20,000 px or 0.1 % = 10,240 px of 1280x8000, whichever is less', 10_240],
  ])('has %s', (_, count, ratio, text, pixels) => {
    const shot = { ...limitsOf(count, ratio), status: 'changed' as const };
    expect(renderLimit(shot)).toBe(text);
    expect(renderReason(shot)).toContain(`, limit ${renderPixels(pixels)}`);
  });

  test('is exact where a product of fractions is not, and has no pixel count without a comparison', () => {
    const shot = limitsOf(null, 0.07);
    const summary = shot.summary && { ...shot.summary, totalPixels: 100 };
    expect(renderLimit({ ...shot, summary, before: null, after: null })).toBe('7 % = 7 px of 100 px');
    const none = { ...limitsOf(null, 0.001), summary: null };
    expect(renderLimit(none)).toBe('0.1 %');
  });
});

type Region = ShotRecord['regions'][number];

const band = (y: number, height: number) => ({ x: 0, y, width: 1280, height });
const rows = (y: number, height: number): Region => ({ ...band(y, height), pixels: 1280 * height });

/** Returns the event of rows that were inserted at a place in after, or, if `by` is negative, removed at one in before. */
function insertedRows(y: number, by: number, regions: number[] = []): ChangeEvent {
  const [before, after] = by > 0 ? [null, band(y, by)] : [band(y, -by), null];
  return { kind: by > 0 ? 'inserted' : 'removed', axis: 'rows', by, before, after, regions };
}

function movedRows(by: number): ChangeEvent {
  const [before, after] = [band(1800, 400), band(1800 + by, 400)];
  return { kind: 'moved', axis: 'rows', by, before, after, regions: [0, 1] };
}

function movedColumns(by: number, y = 340): ChangeEvent {
  const before = { x: 120, y, width: 80, height: 30 };
  return { kind: 'moved', axis: 'columns', by, before, after: { ...before, x: before.x + by }, regions: [] };
}

const word = { x: 120, y: 340, width: 8, height: 30 };
const other: Region = { x: 40, y: 900, width: 8, height: 12, pixels: 34 };
const insertedWord: ChangeEvent = { kind: 'inserted', axis: 'columns', by: 8, before: null, after: word, regions: [0] };
const columns: Region = { ...word, pixels: 240 };
const three = [insertedRows(100, 24, [0]), insertedRows(324, 6, [1]), insertedRows(800, -10, [2])];
const ofThree = [rows(100, 24), rows(324, 6), rows(800, 10)];

describe('the change summary', () => {
  test.each<[ChangeEvent[], Region[], string]>([
    [[insertedRows(24, 48, [0])], [rows(24, 48)], '48 px inserted at y=24; nothing changed below'],
    [[insertedRows(24, 48, [0])], [rows(24, 48), other], '48 px inserted at y=24; 1 region also changed'],
    [[movedRows(12)], [rows(1800, 12), rows(2200, 12)], 'section at y=1800 moved down 12 px; nothing else changed'],
    [
      [...three, insertedRows(920, 30)],
      ofThree,
      '24 px inserted at y=100, 6 px inserted at y=324, 10 px removed at y=800 and 1 more; nothing else changed',
    ],
    [[movedColumns(-8)], [other], 'moved left 8 px at (120, 340); 1 region also changed'],
    [
      [movedColumns(8), movedColumns(-3, 500), movedColumns(8, 600)],
      [],
      '2 areas moved right 8 px, moved left 3 px at (120, 500); nothing else changed',
    ],
    [[insertedWord], [columns], '8 px inserted at (120, 340); nothing changed to the right'],
  ])('of case %#', (events, regions, text) => {
    expect(renderChangeSummary({ events, regions })).toBe(text);
  });

  test('is null without events, and where no events were looked for', () => {
    expect([[], null].map((events) => renderChangeSummary({ events, regions: [] }))).toEqual([null, null]);
  });
});

describe('the reason of a shot', () => {
  const sized = (before: object, after: object): Partial<ShotRecord> => {
    const side = { link: null, width: 1280, height: 8000, source: '' };
    return { before: { ...side, ...before }, after: { ...side, ...after } };
  };

  test.each<[string, ShotRecord, string | null]>([
    ['passed', shotOf(), null],
    ['is new', shotOf({ status: 'new' }), 'no baseline found'],
    ['is written', shotOf({ status: 'new', written: true }), 'no baseline found; this run wrote one'],
    ['changed', changedOf(), '1,204 px (0.13 %) differ, limit 0 px; 1 region: 420x60 px at (312, 480)'],
    [
      'has another size',
      changedOf(sized({}, { width: 1265, height: 8007 })),
      'width 1280 -> 1265 (-15 px), height 8000 -> 8007 (+7 px), first difference at y=480; 1,204 px (0.13 %) differ, limit 0 px; 1 region: 420x60 px at (312, 480)',
    ],
    [
      'did not become stable',
      changedOf({ status: 'unstable' }),
      'page did not become stable; 1 region: 420x60 px at (312, 480)',
    ],
    [
      'differs from load to load',
      changedOf({ status: 'unstable', unsteady: true, regions: [rows(40, 9), rows(10, 2)] }),
      'page differs from load to load; 2 regions, largest: 1280x9 px at (0, 40)',
    ],
  ])('that %s', (_, shot, reason) => {
    expect(renderReason(shot)).toBe(reason);
  });

  test('has the size, then the change summary, then both counts', () => {
    const shot = changedOf({ events: [insertedRows(1240, 7, [0])], regions: [rows(1240, 7)] });
    const counts = { mismatchPixels: 1_204_480, mismatchPercentage: 15.5, mismatchPixelsAfterAlignment: 8960 };
    const summary = shot.summary && { ...shot.summary, ...counts };
    expect(renderReason({ ...shot, ...sized({ height: 6061 }, { height: 6068 }), summary })).toBe(
      'height 6061 -> 6068 (+7 px), first difference at y=1240; 7 px inserted at y=1240; nothing changed below; ' +
        '1,204,480 px (15.50 %) differ, 8,960 px after alignment, limit 0 px',
    );
  });
});
