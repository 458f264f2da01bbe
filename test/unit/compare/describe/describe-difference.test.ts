import { describe, expect, test } from 'vitest';
import type { Pixels } from '../../../../src/model/image.js';
import { renderChangeSummary } from '../../../../src/report/reason.js';
import { plot, sheet } from '../../image/paint.js';
import { type Part, paintPage, put, space, text } from '../paint-page.js';
import { describeChange } from '../settings.js';

const WIDTH = 320;
const PARTS = [text(1, 5), text(2, 6), text(3, 7), text(4, 5), text(5, 6)];
const paint = (parts: readonly Part[]) => paintPage(WIDTH, parts);

/** Compares two images, and returns the moves of content, and how the report summarizes them. */
async function movesOf(before: Pixels, after: Pixels) {
  const { contentMoves: moves, regions, regionPlaces } = await describeChange(before, after);
  const told = renderChangeSummary({ events: [...moves], regions: [...regions] });
  return { moves, regions, regionPlaces, told };
}

describe('rows', () => {
  test('inserted rows are listed with their place in after and their region', async () => {
    const after = paint([...PARTS.slice(0, 2), text(9, 2), ...PARTS.slice(2)]);
    const { moves, regionPlaces, told } = await movesOf(paint(PARTS), after);
    const place = { x: 0, y: 270, width: WIDTH, height: 48 };
    expect(moves).toEqual([{ kind: 'inserted', axis: 'rows', by: 48, before: null, after: place, regions: [0] }]);
    expect(regionPlaces).toMatchObject([{ before: null, after: place }]);
    expect(told).toBe('48 px inserted at y=270; nothing changed below');
    const back = await movesOf(after, paint(PARTS));
    expect(back.moves).toEqual([{ kind: 'removed', axis: 'rows', by: -48, before: place, after: null, regions: [0] }]);
    expect(back.regionPlaces).toMatchObject([{ before: place, after: null }]);
    expect(back.told).toBe('48 px removed at y=270; nothing changed below');
  });

  test('a section that moved down and back is one move', async () => {
    const [before, after] = [
      paint([text(1, 5), text(3, 7), space(60), text(5, 6)]),
      paint([text(1, 5), space(24), text(3, 7), space(36), text(5, 6)]),
    ];
    const { moves, told } = await movesOf(before, after);
    expect(moves).toMatchObject([
      { kind: 'moved', axis: 'rows', by: 24, before: { height: 156 }, after: { height: 156 } },
    ]);
    expect(Number(moves[0]?.after?.y) - Number(moves[0]?.before?.y)).toBe(24);
    expect(told).toMatch(/^section at y=\d+ moved down 24 px; nothing else changed$/);
  });

  test('two sections that moved apart from one another are two', async () => {
    const gap = [space(40), text(8, 3), space(40)];
    const [before, after] = [
      paint([text(1, 4), space(40), text(2, 4), ...gap, text(3, 4), space(40), text(4, 4)]),
      paint([text(1, 4), space(52), text(2, 4), space(28), text(8, 3), space(32), text(3, 4), space(48), text(4, 4)]),
    ];
    expect((await movesOf(before, after)).told).toMatch(
      /^section at y=\d+ moved down 12 px, section at y=\d+ moved up 8 px; nothing else changed$/,
    );
  });

  test('rows that were added at the end are a region, and no move', async () => {
    const { moves, regions, told } = await movesOf(paint(PARTS), paint([...PARTS, text(7, 3)]));
    expect([moves, told, regions.length]).toEqual([[], null, 1]);
  });
});

describe('columns', () => {
  const line = (x: number, y = 100) => put(sheet(WIDTH, 300), paintPage(120, [text(1, 3)]), y, x);

  test('an area that moved is listed with its place in both images', async () => {
    const { moves, told } = await movesOf(line(60), line(72));
    expect(moves).toMatchObject([{ kind: 'moved', axis: 'columns', by: 12, regions: [] }]);
    const [before, after] = [moves[0]?.before, moves[0]?.after];
    expect(after).toEqual({ ...before, x: Number(before?.x) + 12 });
    expect(told).toMatch(/^moved right 12 px at \(\d+, \d+\); nothing else changed$/);
  });

  test('columns that were inserted or removed are listed instead of the move', async () => {
    const picture = plot(40, 72, (x, y) => [x * 6, y * 3, 90]);
    const wide = put(line(100), picture, 100, 66);
    const there = await movesOf(line(60), wide);
    expect(there.moves).toMatchObject([
      { kind: 'inserted', axis: 'columns', by: 40, before: null, after: { width: 40 }, regions: [0] },
    ]);
    expect(there.regionPlaces).toMatchObject([{ before: null, after: { width: 40 } }]);
    expect(there.told).toMatch(/^40 px inserted at \(\d+, \d+\); nothing changed to the right$/);
    const back = await movesOf(wide, line(60));
    expect(back.moves).toMatchObject([{ kind: 'removed', by: -40, before: there.moves[0]?.after, after: null }]);
    expect(back.regionPlaces).toMatchObject([{ before: { width: 40 }, after: null }]);
  });
});
