import { describe, expect, test } from 'vitest';
import type { ChangeEvent } from '../../../src/model/comparison.js';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { formatChangeSummary, renderReason } from '../../../src/report/reason.js';
import { changedOf } from './specimens.js';

type Region = ShotRecord['regions'][number];

const band = (y: number, height: number) => ({ x: 0, y, width: 1280, height });
const rows = (y: number, height: number): Region => ({ ...band(y, height), pixels: 1280 * height });

/** Returns the event of rows that were inserted at a place in after, and the index of their region. */
function insertedRows(y: number, height: number, region: number): ChangeEvent {
  return { kind: 'inserted', axis: 'rows', by: height, before: null, after: band(y, height), regions: [region] };
}

/** Returns the event of rows that were removed at a place in before, and the index of their region. */
function removedRows(y: number, height: number, region: number): ChangeEvent {
  return { kind: 'removed', axis: 'rows', by: -height, before: band(y, height), after: null, regions: [region] };
}

function movedRows(y: number, height: number, by: number, regions: number[]): ChangeEvent {
  return { kind: 'moved', axis: 'rows', by, before: band(y, height), after: band(y + by, height), regions };
}

const summaryOf = (events: ChangeEvent[], regions: Region[]) => formatChangeSummary({ events, regions });

describe('the change summary', () => {
  test('of an inserted banner says that nothing changed below', () => {
    expect(summaryOf([insertedRows(24, 48, 0)], [rows(24, 48)])).toBe('48 px inserted at y=24; nothing changed below');
  });

  test('of inserted empty space has no region', () => {
    const event = { ...insertedRows(24, 48, 0), regions: [] };
    expect(summaryOf([event], [])).toBe('48 px inserted at y=24; nothing changed below');
  });

  test('of removed rows has their position in the before image', () => {
    const removed = { ...rows(500, 300), side: 'before' as const };
    expect(summaryOf([removedRows(500, 300, 0)], [removed])).toBe('300 px removed at y=500; nothing changed below');
  });

  test('counts the regions that also changed', () => {
    const letter = { x: 40, y: 900, width: 8, height: 12, pixels: 34 };
    expect(summaryOf([insertedRows(24, 48, 0)], [rows(24, 48), letter])).toBe(
      '48 px inserted at y=24; 1 region also changed',
    );
  });

  test('of a moved section has its direction and distance', () => {
    const regions = [rows(1800, 12), rows(2200, 12)];
    expect(summaryOf([movedRows(1800, 400, 12, [0, 1])], regions)).toBe(
      'section at y=1800 moved down 12 px; nothing else changed',
    );
    expect(summaryOf([movedRows(1800, 400, -12, [0, 1])], regions)).toBe(
      'section at y=1800 moved up 12 px; nothing else changed',
    );
  });

  test('lists three events and counts the others', () => {
    const events = [insertedRows(100, 24, 0), insertedRows(324, 6, 1), removedRows(800, 10, 2)];
    const regions = [rows(100, 24), rows(324, 6), rows(800, 10)];
    expect(summaryOf(events, regions)).toBe(
      '24 px inserted at y=100, 6 px inserted at y=324, 10 px removed at y=800; nothing else changed',
    );
    const more = [...events, { ...insertedRows(920, 30, 0), regions: [] }];
    expect(summaryOf(more, regions)).toContain('and 1 more; nothing else changed');
  });

  test('is null without events, and where no events were looked for', () => {
    expect(formatChangeSummary(changedOf({ events: [] }))).toBe(null);
    expect(formatChangeSummary(changedOf({ events: null }))).toBe(null);
  });
});

describe('the change summary of columns', () => {
  const button = { x: 120, y: 340, width: 80, height: 30 };
  const word = { x: 120, y: 340, width: 8, height: 30, pixels: 240 };
  const other = { x: 40, y: 900, width: 8, height: 12, pixels: 34 };
  const moved = (by: number, y = 340): ChangeEvent => {
    const before = { ...button, y };
    return { kind: 'moved', axis: 'columns', by, before, after: { ...before, x: before.x + by }, regions: [] };
  };

  test('has the position of one area, and counts several areas with one distance', () => {
    expect(summaryOf([moved(8)], [])).toBe('moved right 8 px at (120, 340); nothing else changed');
    expect(summaryOf([moved(-8)], [other])).toBe('moved left 8 px at (120, 340); 1 region also changed');
    expect(summaryOf([moved(8), moved(-3, 500), moved(8, 600)], [])).toBe(
      '2 areas moved right 8 px, moved left 3 px at (120, 500); nothing else changed',
    );
    expect(summaryOf([moved(8), moved(8, 600)], [])).toBe('2 areas moved right 8 px; nothing else changed');
  });

  test('says that nothing changed to the right of inserted and removed columns', () => {
    const place = { x: 120, y: 340, width: 8, height: 30 };
    const inserted: ChangeEvent = {
      ...{ kind: 'inserted', axis: 'columns', by: 8, before: null, after: place, regions: [0] },
    };
    expect(summaryOf([inserted], [word])).toBe('8 px inserted at (120, 340); nothing changed to the right');
    expect(summaryOf([inserted], [word, other])).toBe('8 px inserted at (120, 340); 1 region also changed');
    const removed: ChangeEvent = {
      ...{ kind: 'removed', axis: 'columns', by: -8, before: { ...place, x: 112 }, after: null, regions: [0] },
    };
    expect(summaryOf([removed], [{ ...word, x: 112, side: 'before' }])).toBe(
      '8 px removed at (112, 340); nothing changed to the right',
    );
  });

  test('lists rows before columns', () => {
    expect(summaryOf([insertedRows(24, 48, 0), moved(8)], [rows(24, 48)])).toBe(
      '48 px inserted at y=24, moved right 8 px at (120, 340); nothing else changed',
    );
  });
});

test('the reason has the size, then the change summary, then both counts', () => {
  const shot = changedOf({ events: [insertedRows(1240, 7, 0)], regions: [rows(1240, 7)] });
  const side = { link: null, width: 1280, source: 'baseline' };
  const images = { before: { ...side, height: 6061 }, after: { ...side, height: 6068 } };
  const counts = { mismatchPixels: 1_204_480, mismatchPercentage: 15.5, mismatchPixelsAfterAlignment: 8960 };
  const summary = shot.summary && { ...shot.summary, ...counts, sameDimensions: false };
  expect(renderReason({ ...shot, ...images, summary })).toBe(
    'height 6061 -> 6068 (+7 px), first difference at y=1240; 7 px inserted at y=1240; nothing changed below; ' +
      '1,204,480 px (15.50 %) differ, 8,960 px after alignment, limit 0 px',
  );
});

test('the reason names the largest of several regions', () => {
  expect(renderReason(changedOf({ regions: [rows(40, 9), rows(10, 2)] }))).toMatch(
    /; 2 regions, largest: 1280x9 px at \(0, 40\)$/,
  );
});
