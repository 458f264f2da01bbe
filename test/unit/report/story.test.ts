import { describe, expect, test } from 'vitest';
import type { ChangeEvent } from '../../../src/model/comparison.js';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { formatChangeSummary, renderReason } from '../../../src/report/format/reason.js';
import { changedOf } from './specimens.js';

type Region = ShotRecord['regions'][number];

const band = (y: number, height: number) => ({ x: 0, y, width: 1280, height });
const rows = (y: number, height: number): Region => ({ ...band(y, height), pixels: 1280 * height });

/** Gives the event of rows that were inserted at a place in after, and the index of their region. */
function insertedRows(y: number, height: number, region: number): ChangeEvent {
  return { kind: 'inserted', axis: 'rows', by: height, before: null, after: band(y, height), regions: [region] };
}

/** Gives the event of rows that were removed at a place in before, and the index of their region. */
function removedRows(y: number, height: number, region: number): ChangeEvent {
  return { kind: 'removed', axis: 'rows', by: -height, before: band(y, height), after: null, regions: [region] };
}

function movedRows(y: number, height: number, by: number, regions: number[]): ChangeEvent {
  return { kind: 'moved', axis: 'rows', by, before: band(y, height), after: band(y + by, height), regions };
}

const summaryOf = (events: ChangeEvent[], regions: Region[]) => formatChangeSummary({ events, regions });

describe('what happened, in one line', () => {
  test('a banner is inserted, and that is all', () => {
    expect(summaryOf([insertedRows(24, 48, 0)], [rows(24, 48)])).toBe(
      '48 px inserted at y=24; below it nothing changed',
    );
  });

  test('space is inserted, of which no region is made', () => {
    const event = { ...insertedRows(24, 48, 0), regions: [] };
    expect(summaryOf([event], [])).toBe('48 px inserted at y=24; below it nothing changed');
  });

  test('rows are removed', () => {
    const removed = { ...rows(500, 300), side: 'before' as const };
    expect(summaryOf([removedRows(500, 300, 0)], [removed])).toBe('300 px removed at y=500; below it nothing changed');
  });

  test('something else changed as well', () => {
    const letter = { x: 40, y: 900, width: 8, height: 12, pixels: 34 };
    expect(summaryOf([insertedRows(24, 48, 0)], [rows(24, 48), letter])).toBe(
      '48 px inserted at y=24; 1 region also changed',
    );
  });

  test('a section moves down, or up, and what is below it does not', () => {
    const regions = [rows(1800, 12), rows(2200, 12)];
    expect(summaryOf([movedRows(1800, 400, 12, [0, 1])], regions)).toBe(
      'section at y=1800 moved down 12 px; nothing else changed',
    );
    expect(summaryOf([movedRows(1800, 400, -12, [0, 1])], regions)).toBe(
      'section at y=1800 moved up 12 px; nothing else changed',
    );
  });

  test('several things happen, of which three are told', () => {
    const events = [insertedRows(100, 24, 0), insertedRows(324, 6, 1), removedRows(800, 10, 2)];
    const regions = [rows(100, 24), rows(324, 6), rows(800, 10)];
    expect(summaryOf(events, regions)).toBe(
      '24 px inserted at y=100, 6 px inserted at y=324, 10 px removed at y=800; nothing else changed',
    );
    const more = [...events, { ...insertedRows(920, 30, 0), regions: [] }];
    expect(summaryOf(more, regions)).toContain('and 1 more; nothing else changed');
  });

  test('nothing moved, or nobody looked: there is nothing to tell', () => {
    expect(formatChangeSummary(changedOf({ events: [] }))).toBe(null);
    expect(formatChangeSummary(changedOf({ events: null }))).toBe(null);
  });
});

describe('what moved sideways', () => {
  const button = { x: 120, y: 340, width: 80, height: 30 };
  const word = { x: 120, y: 340, width: 8, height: 30, pixels: 240 };
  const other = { x: 40, y: 900, width: 8, height: 12, pixels: 34 };
  const moved = (by: number, y = 340): ChangeEvent => {
    const before = { ...button, y };
    return { kind: 'moved', axis: 'columns', by, before, after: { ...before, x: before.x + by }, regions: [] };
  };

  test('one area has its place in before, several with one distance are counted', () => {
    expect(summaryOf([moved(8)], [])).toBe('moved right 8 px at x=120 y=340; nothing else changed');
    expect(summaryOf([moved(-8)], [other])).toBe('moved left 8 px at x=120 y=340; 1 region also changed');
    expect(summaryOf([moved(8), moved(-3, 500), moved(8, 600)], [])).toBe(
      '2 areas moved right 8 px, moved left 3 px at x=120 y=500; nothing else changed',
    );
    expect(summaryOf([moved(8), moved(8, 600)], [])).toBe('2 areas moved right 8 px; nothing else changed');
  });

  test('where columns came in or went out, that is told: it moved what is right of it', () => {
    const place = { x: 120, y: 340, width: 8, height: 30 };
    const inserted: ChangeEvent = {
      ...{ kind: 'inserted', axis: 'columns', by: 8, before: null, after: place, regions: [0] },
    };
    expect(summaryOf([inserted], [word])).toBe('8 px inserted at x=120 y=340; right of it nothing changed');
    expect(summaryOf([inserted], [word, other])).toBe('8 px inserted at x=120 y=340; 1 region also changed');
    const removed: ChangeEvent = {
      ...{ kind: 'removed', axis: 'columns', by: -8, before: { ...place, x: 112 }, after: null, regions: [0] },
    };
    expect(summaryOf([removed], [{ ...word, x: 112, side: 'before' }])).toBe(
      '8 px removed at x=112 y=340; right of it nothing changed',
    );
  });

  test('in rows that moved down, both are told', () => {
    expect(summaryOf([insertedRows(24, 48, 0), moved(8)], [rows(24, 48)])).toBe(
      '48 px inserted at y=24, moved right 8 px at x=120 y=340; nothing else changed',
    );
  });
});

test('the reason tells the size, then what happened, then both counts', () => {
  const shot = changedOf({ events: [insertedRows(1240, 7, 0)], regions: [rows(1240, 7)] });
  const side = { link: null, width: 1280, source: 'baseline' };
  const images = { before: { ...side, height: 6061 }, after: { ...side, height: 6068 } };
  const counts = { mismatchPixels: 1_204_480, mismatchPercentage: 15.5, mismatchPixelsAfterAlignment: 8960 };
  const summary = shot.summary && { ...shot.summary, ...counts, sameDimensions: false };
  expect(renderReason({ ...shot, ...images, summary })).toBe(
    'height 6061 -> 6068 (+7 px), first difference at y=1240; 7 px inserted at y=1240; below it nothing changed; ' +
      '1,204,480 px (15.50 %) differ, 8,960 px once aligned, limit 0 px',
  );
});

test('of several regions the largest is named', () => {
  expect(renderReason(changedOf({ regions: [rows(40, 9), rows(10, 2)] }))).toMatch(
    /; largest of 2 regions at 0,40 1280x9$/,
  );
});
