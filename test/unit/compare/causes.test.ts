import { describe, expect, test } from 'vitest';
import { listQuestions } from '../../../src/compare/causes/admit-edits.js';
import { explainRegions } from '../../../src/compare/causes/explain-regions.js';
import { findEdits } from '../../../src/compare/causes/find-edits.js';
import { matchStructures } from '../../../src/compare/causes/match-structures.js';
import type { Cause } from '../../../src/model/cause.js';
import { causeSchema } from '../../../src/model/cause.js';
import type { Rectangle } from '../../../src/model/image.js';
import type { StyleAnswer } from '../../../src/model/structure.js';
import { type Node, structureOf } from './structures.js';

type Box = Node['box'];

const SOURCE = { selector: '.btn', file: '/site.css', line: 42 };

/** Explains regions of the after image. The declarations are looked up in `declared`. */
function explain(
  before: Node,
  after: Node,
  regions: readonly Box[],
  declared: Readonly<Record<string, string>> = {},
): Cause[] {
  const change = findEdits(structureOf(before), structureOf(after));
  const answers = listQuestions(change).map(({ element, property }): StyleAnswer => {
    const value = declared[property] ?? null;
    return { element, property, value, source: value === null ? null : SOURCE };
  });
  const rectangles = regions.map(([x, y, width, height]): Rectangle => ({ x, y, width, height }));
  const causes = explainRegions(change, answers, {
    regions: rectangles.map((rectangle) => ({ ...rectangle, pixels: rectangle.width * rectangle.height })),
    regionPlaces: rectangles.map((rectangle) => ({ before: rectangle, after: rectangle, diff: rectangle })),
    events: [],
  });
  for (const cause of causes) causeSchema.parse(cause);
  return causes;
}

function shortOf(causes: readonly Cause[]): string[] {
  return causes.map(({ kind, element, property, certain, regions }) =>
    [kind, element, property, certain ? 'certain' : 'uncertain', regions.join()]
      .filter((part) => part !== null)
      .join(' '),
  );
}

const body = (...children: (Node | string)[]): Node => ({ tag: 'html', box: [0, 0, 800, 600], children });
const box = (tag: string, place: Box, rest: Partial<Node> = {}): Node => ({ tag, box: place, ...rest });
const named = (name: string) => ({ content: { classes: [name] } });

describe('a restyled element', () => {
  test('is named with the property, the values and the declaration', () => {
    const button = (color: string) =>
      body(box('a', [10, 10, 100, 40], { ...named('btn'), style: { 'background-color': color }, children: ['Buy'] }));
    const [cause] = explain(button('rgb(59, 130, 246)'), button('rgb(29, 78, 216)'), [[10, 10, 100, 40]], {
      'background-color': '#1d4ed8',
    });
    expect(cause).toMatchObject({
      ...{ kind: 'restyled', element: 'a.btn', property: 'background-color', certain: true, elements: 1 },
      ...{ before: 'rgb(59, 130, 246)', after: 'rgb(29, 78, 216)', source: SOURCE, regions: [0], pixels: 4000 },
      boxes: [{ before: { x: 10, y: 10, width: 100, height: 40 }, after: { x: 10, y: 10, width: 100, height: 40 } }],
    });
  });

  test('explains what its children inherit, and what follows the text color', () => {
    const page = (color: string) =>
      body(
        box('div', [0, 0, 200, 100], {
          ...named('card'),
          style: { color, 'text-decoration-color': color },
          children: [box('b', [0, 0, 50, 20], { children: ['Bold'] }), 'text'],
        }),
      );
    expect(shortOf(explain(page('red'), page('blue'), [[0, 0, 50, 20]]))).toEqual(['restyled .card color certain 0']);
  });

  test('explains lengths that follow its font size', () => {
    const page = (size: number) =>
      body(
        box('p', [0, 0, 200, 100], {
          style: { 'font-size': `${size}px`, 'padding-top': `${size * 1.5}px`, 'margin-left': '8px' },
          children: [box('small', [0, 0, 50, 20], { style: { 'font-size': `${size * 0.8}px` }, children: ['x'] })],
        }),
      );
    expect(shortOf(explain(page(16), page(20), [[0, 0, 50, 20]]))).toEqual(['restyled p font-size certain 0']);
  });

  test('is one cause with all elements that one declaration changes', () => {
    const card = (y: number, color: string) =>
      box('div', [0, y, 100, 20], { ...named('card'), style: { 'background-color': color } });
    const page = (color: string) => body(...[0, 50, 100].map((y) => card(y, color)));
    const regions: Box[] = [0, 50, 100].map((y) => [0, y, 100, 20]);
    const [cause, ...others] = explain(page('red'), page('blue'), regions, { 'background-color': 'blue' });
    expect(cause).toMatchObject({ elements: 3, regions: [0, 1, 2] });
    expect(others).toEqual([]);
  });

  test('is left out if no region touches it', () => {
    const page = (color: string, text: string) =>
      body(box('p', [0, 0, 50, 20], { children: [text] }), box('i', [0, 300, 50, 20], { style: { color } }));
    expect(shortOf(explain(page('red', 'a'), page('blue', 'b'), [[0, 0, 50, 20]]))).toEqual(['reworded p certain 0']);
  });
});

describe('a size', () => {
  const page = (width: number, padding = 0) =>
    body(box('div', [0, 0, width, 20], { ...named('box'), style: { 'padding-left': `${padding}px` } }));

  test('is a cause if the page declares it', () => {
    const causes = explain(page(200), page(220), [[0, 0, 220, 20]], { width: '220px' });
    expect(shortOf(causes)).toEqual(['restyled .box width certain 0']);
    expect(causes[0]).toMatchObject({ before: '200px', after: '220px' });
  });

  test('is no cause if the declared size did not change', () => {
    const causes = explain(page(200), page(220, 20), [[0, 0, 220, 20]], { width: '200px', 'padding-left': '20px' });
    expect(shortOf(causes)).toEqual(['restyled .box padding-left certain 0']);
  });

  test('is no cause if it follows the content', () => {
    expect(shortOf(explain(page(200), page(220), [[0, 0, 220, 20]]))).toEqual(['unexplained uncertain 0']);
  });

  test('is not certain if the declaration is relative', () => {
    expect(shortOf(explain(page(200), page(220), [[0, 0, 220, 20]], { width: 'calc(1em + 2vw)' }))).toEqual([
      'restyled .box width uncertain 0',
    ]);
  });
});

describe('content', () => {
  const item = (text: string, y: number) => box('li', [0, y, 100, 20], { children: [text] });

  test('an inserted banner explains everything that moved', () => {
    const banner = box('div', [0, 0, 800, 40], { ...named('banner'), children: ['Sale'] });
    const before = body(item('one', 0), item('two', 20));
    const after = body(banner, item('one', 40), item('two', 60));
    const causes = explain(before, after, [
      [0, 0, 800, 40],
      [0, 60, 100, 20],
    ]);
    expect(shortOf(causes)).toEqual(['inserted .banner certain 0,1']);
  });

  test('a removed item of a list is named, not the next one', () => {
    const before = body(item('one', 0), item('two', 20), item('three', 40));
    const [cause] = explain(before, body(item('one', 0), item('three', 20)), [[0, 20, 100, 20]]);
    expect(cause).toMatchObject({ kind: 'removed', certain: true, boxes: [{ before: { y: 20 }, after: null }] });
  });

  test('a subtree at another place moved, and is not inserted', () => {
    const card = box('div', [0, 0, 50, 50], { content: { id: 'card' }, children: [item('a', 0), item('b', 20)] });
    const left = (children: Node[]) => box('nav', [0, 0, 100, 100], { children });
    const right = (children: Node[]) => box('main', [100, 0, 100, 100], { children });
    const moved = findEdits(
      structureOf(body(left([card]), right([]))),
      structureOf(body(left([]), right([{ ...card, box: [100, 0, 50, 50] }]))),
    );
    expect(moved.edits.map(({ kind }) => kind)).toContain('moved');
    expect(moved.edits.map(({ kind }) => kind)).not.toContain('inserted');
  });

  test('an image with the same URL and other content is replaced', () => {
    const image = (hash: string) =>
      body(box('img', [0, 0, 50, 50], { content: { image: '/a.png', hash, classes: ['logo'] } }));
    expect(explain(image('1'), image('2'), [[0, 0, 50, 50]])[0]).toMatchObject({
      ...{ kind: 'image', element: 'img.logo', before: '/a.png', after: '/a.png' },
    });
    const renamed = (url: string) => body(box('img', [0, 0, 50, 50], { content: { image: url, hash: '1' } }));
    expect(shortOf(explain(renamed('/a.1.png'), renamed('/a.2.png'), [[0, 0, 50, 50]]))).toEqual([
      'unexplained uncertain 0',
    ]);
  });

  test('a canvas is named as an element without a structure', () => {
    const page = body(box('canvas', [0, 0, 50, 50], { content: { opaque: 'canvas', id: 'chart' } }));
    expect(shortOf(explain(page, page, [[0, 0, 50, 50]]))).toEqual(['opaque #chart uncertain 0']);
  });

  test('what no element explains is the last cause, with its pixels', () => {
    const page = (text: string) => body(box('p', [0, 0, 50, 20], { children: [text] }));
    const causes = explain(page('a'), page('b'), [
      [400, 400, 10, 10],
      [0, 0, 50, 20],
    ]);
    expect(shortOf(causes)).toEqual(['reworded p certain 1', 'unexplained uncertain 0']);
    expect(causes[1]?.pixels).toBe(100);
  });
});

describe('a matching', () => {
  test('of a structure with itself is complete and moves nothing', () => {
    const page = structureOf(
      body(...Array.from({ length: 300 }, (_, y) => box('p', [0, y, 9, 9], { children: ['x'] }))),
    );
    const { toAfter, moved } = matchStructures(page, page);
    expect([...toAfter]).toEqual([...toAfter.keys()]);
    expect(moved.size).toBe(0);
  });

  test('of two large pages without anything in common takes less than two seconds of a processor', () => {
    const page = (tag: string) =>
      structureOf(
        body(...Array.from({ length: 7_500 }, (_, y) => box('div', [0, y, 9, 9], { children: [`${tag} ${y}`] }))),
      );
    const [before, after] = [page('before'), page('after')];
    const start = process.cpuUsage();
    findEdits(before, after);
    // The time of other processes does not count.
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
  });
});
