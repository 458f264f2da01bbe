import { describe, expect, test } from 'vitest';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { formatChangeSummary } from '../../../src/report/format/change-summary.js';
import { renderReason } from '../../../src/report/format/reason.js';
import { changedOf } from './specimens.js';

type Shifts = NonNullable<ShotRecord['shifts']>;
type Region = ShotRecord['regions'][number];

const rows = (y: number, height: number): Region => ({ x: 0, y, width: 1280, height, pixels: 1280 * height });

/** Gives the record of a page of these heights, of which these rows moved. */
function movedOf(before: number, after: number, shifts: Shifts, regions: readonly Region[]): ShotRecord {
  const shot = changedOf();
  const side = { link: null, width: 1280, source: 'baseline' };
  return {
    ...shot,
    ...{ before: { ...side, height: before }, after: { ...side, height: after } },
    ...{ shifts, regions: [...regions] },
  };
}

describe('what happened, in one line', () => {
  test('a banner is inserted, and that is all', () => {
    const shot = movedOf(8000, 8048, [{ y: 24, height: 7976, by: 48 }], [rows(24, 48)]);
    expect(formatChangeSummary(shot)).toBe('48 px inserted at y=24; below it nothing changed');
  });

  test('a banner is inserted where the image keeps its height', () => {
    const shot = movedOf(720, 720, [{ y: 24, height: 648, by: 48 }], [rows(24, 48)]);
    expect(formatChangeSummary(shot)).toBe('48 px inserted at y=24; below it nothing changed');
  });

  test('rows are removed', () => {
    const shot = movedOf(8000, 7700, [{ y: 800, height: 7200, by: -300 }], [rows(500, 300)]);
    expect(formatChangeSummary(shot)).toBe('300 px removed at y=500; below it nothing changed');
  });

  test('something else changed as well', () => {
    const letter = { x: 40, y: 900, width: 8, height: 12, pixels: 34 };
    const shot = movedOf(8000, 8048, [{ y: 24, height: 7976, by: 48 }], [rows(24, 48), letter]);
    expect(formatChangeSummary(shot)).toBe('48 px inserted at y=24; 1 region also changed');
  });

  test('a section moves down, or up, and what is below it does not', () => {
    const down = movedOf(8000, 8000, [{ y: 1800, height: 400, by: 12 }], [rows(1800, 12), rows(2200, 12)]);
    expect(formatChangeSummary(down)).toBe('section at y=1800 moved down 12 px; nothing else changed');
    const up = movedOf(8000, 8000, [{ y: 1800, height: 400, by: -12 }], [rows(1788, 12), rows(2188, 12)]);
    expect(formatChangeSummary(up)).toBe('section at y=1800 moved up 12 px; nothing else changed');
  });

  test('several things happen, of which three are told', () => {
    const shifts = [
      { y: 100, height: 200, by: 24 },
      { y: 300, height: 500, by: 30 },
      { y: 810, height: 190, by: 20 },
    ];
    const regions = [rows(100, 24), rows(324, 6), rows(800, 10)];
    expect(formatChangeSummary(movedOf(1000, 1020, shifts, regions))).toBe(
      '24 px inserted at y=100, 6 px inserted at y=324, 10 px removed at y=800; nothing else changed',
    );
    const more = [...shifts.slice(0, 2), { y: 810, height: 90, by: 20 }, { y: 900, height: 100, by: 50 }];
    expect(formatChangeSummary(movedOf(1000, 1050, more, regions))).toContain('and 1 more; nothing else changed');
  });

  test('two sections that moved apart from one another are two', () => {
    const shifts = [
      { y: 100, height: 50, by: 12 },
      { y: 600, height: 50, by: -8 },
    ];
    expect(formatChangeSummary(movedOf(1000, 1000, shifts, []))).toBe(
      'section at y=100 moved down 12 px, section at y=600 moved up 8 px; nothing else changed',
    );
  });

  test('nothing moved, or nobody looked: there is nothing to tell', () => {
    expect(formatChangeSummary(changedOf({ shifts: [] }))).toBe(null);
    expect(formatChangeSummary(changedOf({ shifts: null }))).toBe(null);
  });
});

describe('what moved sideways', () => {
  const sideways = (
    columnShifts: NonNullable<ShotRecord['columnShifts']>,
    regions: readonly Region[],
    shifts: Shifts = [],
  ) => formatChangeSummary({ ...movedOf(8000, 8000, shifts, regions), columnShifts });
  const button = { x: 120, y: 340, width: 80, height: 30, by: 8 };
  const word = { x: 120, y: 340, width: 8, height: 30, pixels: 240 };
  const other = { x: 40, y: 900, width: 8, height: 12, pixels: 34 };

  test('one area has its place in before, several with one distance are counted', () => {
    expect(sideways([button], [])).toBe('moved right 8 px at x=120 y=340; nothing else changed');
    expect(sideways([{ ...button, by: -8 }], [other])).toBe('moved left 8 px at x=120 y=340; 1 region also changed');
    const more = [button, { ...button, y: 400 }, { ...button, y: 500, by: -3 }];
    expect(sideways(more, [])).toBe('2 areas moved right 8 px, moved left 3 px at x=120 y=500; nothing else changed');
  });

  test('where columns came in or went out, that is told: it moved what is right of it', () => {
    expect(sideways([button], [word])).toBe('8 px inserted at x=120 y=340; right of it nothing changed');
    expect(sideways([button], [word, other])).toBe('8 px inserted at x=120 y=340; 1 region also changed');
    expect(sideways([{ ...button, by: -8 }], [{ ...word, x: 112, side: 'before' }])).toBe(
      '8 px removed at x=112 y=340; right of it nothing changed',
    );
  });

  test('in rows that moved down, both are told', () => {
    const shifts = [{ y: 24, height: 7976, by: 48 }];
    expect(sideways([button], [rows(24, 48)], shifts)).toBe(
      '48 px inserted at y=24, moved right 8 px at x=120 y=340; nothing else changed',
    );
    expect(sideways([button], [rows(24, 48), { ...word, y: 388 }], shifts)).toBe(
      '48 px inserted at y=24, 8 px inserted at x=120 y=388; nothing else changed',
    );
  });
});

test('the reason tells the size, then what happened, then both counts', () => {
  const shot = movedOf(6061, 6068, [{ y: 1240, height: 4821, by: 7 }], [rows(1240, 7)]);
  const counts = { mismatchPixels: 1_204_480, mismatchPercentage: 15.5, mismatchPixelsAfterAlignment: 8960 };
  const summary = shot.summary && { ...shot.summary, ...counts, sameDimensions: false };
  expect(renderReason({ ...shot, summary })).toBe(
    'height 6061 -> 6068 (+7 px), first difference at y=1240; 7 px inserted at y=1240; below it nothing changed; ' +
      '1,204,480 px (15.50 %) differ, 8,960 px once aligned, limit 0 px',
  );
});

test('of several regions the largest is named', () => {
  expect(renderReason(changedOf({ regions: [rows(40, 9), rows(10, 2)] }))).toMatch(
    /; largest of 2 regions at 0,40 1280x9$/,
  );
});
