import { describe, expect, test } from 'vitest';
import { explain, nameChanging } from '../../../src/explain/explain.js';
import { findEdits } from '../../../src/explain/find-edits.js';
import { matchStructures } from '../../../src/explain/match-structures.js';
import type { BrokenResource, StyleAnswer } from '../../../src/model/capture.js';
import type { Cause, ChangeEvent } from '../../../src/model/comparison.js';
import { causeSchema } from '../../../src/model/comparison.js';
import type { Rectangle } from '../../../src/model/image.js';
import { renderCause } from '../../../src/report/causes.js';
import { type Node, structureOf } from '../compare/structures.js';

type Box = Node['box'];

const SOURCE = { selector: '.btn', file: '/site.css', line: 42 };

interface Setting {
  readonly declared?: Readonly<Record<string, string>>;
  readonly broken?: Readonly<Record<'before' | 'after', BrokenResource[]>>;
  /** How far the comparison aligned the regions, in pixels. */
  readonly by?: number;
  readonly contentMoves?: readonly ChangeEvent[];
}

function causesOf(before: Node, after: Node, regions: readonly Box[], setting: Setting = {}): Cause[] {
  const { declared = {}, broken, by = 0, contentMoves = [] } = setting;
  const structure = (side: 'before' | 'after', root: Node) => ({ ...structureOf(root), broken: broken?.[side] ?? [] });
  const explanation = explain(structure('before', before), structure('after', after));
  const answers = explanation.questions().map(({ element, property }): StyleAnswer => {
    const value = declared[property] ?? null;
    return { element, property, value, source: value === null ? null : SOURCE };
  });
  const rectangles = regions.map(rectangleOf);
  const causes = explanation.causes(answers, {
    regions: rectangles.map((rectangle) => ({ ...rectangle, pixels: rectangle.width * rectangle.height })),
    regionPlaces: rectangles.map((after) => ({ before: { ...after, y: after.y - by }, after, diff: after })),
    contentMoves,
  });
  for (const cause of causes) causeSchema.parse(cause);
  return causes;
}

function rectangleOf([x, y, width, height]: Box): Rectangle {
  return { x, y, width, height };
}

/** Explains regions in one line for each cause. */
function linesOf(...[before, after, regions, setting]: Parameters<typeof causesOf>): string[] {
  return causesOf(before, after, regions, setting).map(({ kind, element, property, certain, regions }) =>
    [kind, element, property, certain ? 'certain' : 'uncertain', regions.join()]
      .filter((part) => part !== null)
      .join(' '),
  );
}

const body = (...children: (Node | string)[]): Node => ({ tag: 'html', box: [0, 0, 800, 600], children });
const box = (tag: string, place: Box, rest: Partial<Node> = {}): Node => ({ tag, box: place, ...rest });
const named = (name: string) => ({ content: { classes: [name] } });

describe('a restyled element', () => {
  const colored = (color: string) => {
    const style = { color, 'text-decoration-color': color };
    const bold = box('b', [0, 0, 50, 20], { children: ['Bold'] });
    return body(box('div', [0, 0, 200, 100], { ...named('card'), style, children: [bold, 'text'] }));
  };
  const sized = (size: number) => {
    const style = { 'font-size': `${size}px`, 'padding-top': `${size * 1.5}px`, 'margin-left': '8px' };
    const small = box('small', [0, 0, 50, 20], { style: { 'font-size': `${size * 0.8}px` }, children: ['x'] });
    return body(box('p', [0, 0, 200, 100], { style, children: [small] }));
  };
  const untouched = (color: string, text: string) =>
    body(box('p', [0, 0, 50, 20], { children: [text] }), box('i', [0, 300, 50, 20], { style: { color } }));

  test.each<[string, Node, Node, string]>([
    ['explains what children inherit', colored('red'), colored('blue'), 'restyled .card color certain 0'],
    ['explains lengths that follow its font size', sized(16), sized(20), 'restyled p font-size certain 0'],
    ['is left out if no region touches it', untouched('red', 'a'), untouched('blue', 'b'), 'reworded p certain 0'],
  ])('%s', (_, before, after, line) => {
    expect(linesOf(before, after, [[0, 0, 50, 20]])).toEqual([line]);
  });

  test('is one cause with all elements that one declaration changes', () => {
    const places = [0, 50, 100].map((y): Box => [0, y, 100, 20]);
    const page = (color: string) =>
      body(...places.map((place) => box('div', place, { ...named('card'), style: { 'background-color': color } })));
    const causes = causesOf(page('red'), page('blue'), places, { declared: { 'background-color': 'blue' } });
    const boxes = places.map((place) => ({ before: rectangleOf(place), after: rectangleOf(place) }));
    expect(causes).toMatchObject([{ elements: 3, regions: [0, 1, 2], pixels: 6000, source: SOURCE, boxes }]);
  });
});

describe('padding that only moves what stands beside it', () => {
  const menu = (padding: number) => {
    const link = box('a', [160 - padding, 0, 60 + padding, 20], { style: { 'padding-left': `${padding}px` } });
    const items = [
      box('li', [100 - padding, 0, 60, 20], { children: ['Home'] }),
      box('li', [160 - padding, 0, 60 + padding, 20], { children: [link] }),
    ];
    return body(box('ul', [100 - padding, 0, 120 + padding, 20], { children: items }));
  };

  test.each([1, 2, 12])('is the cause of a move of %i px', (padding) => {
    const [before, after] = [rectangleOf([100, 4, 50, 12]), rectangleOf([100 - padding, 4, 50, 12])];
    const contentMoves: ChangeEvent[] = [{ kind: 'moved', axis: 'columns', by: -padding, before, after, regions: [] }];
    expect(linesOf(menu(0), menu(padding), [], { contentMoves })).toEqual(['restyled a padding-left certain ']);
    expect(linesOf(menu(0), menu(0), [], { contentMoves })).toEqual([]);
  });
});

describe('a size', () => {
  const page = (width: number, padding = 0) =>
    body(box('div', [0, 0, width, 20], { ...named('box'), style: { 'padding-left': `${padding}px` } }));
  const padded = { width: '200px', 'padding-left': '20px' };

  test.each<[string, Node, Readonly<Record<string, string>>, string]>([
    ['is a cause if the page declares it', page(220), { width: '220px' }, 'restyled .box width certain 0'],
    ['is no cause if its declaration did not change', page(220, 20), padded, 'restyled .box padding-left certain 0'],
    ['is no cause if it follows the content', page(220), {}, 'unexplained uncertain 0'],
    ['is uncertain if relative', page(220), { width: 'calc(1em + 2vw)' }, 'restyled .box width uncertain 0'],
  ])('%s', (_, after, declared, line) => {
    expect(linesOf(page(200), after, [[0, 0, 220, 20]], { declared })).toEqual([line]);
  });
});

describe('content', () => {
  const item = (text: string, y: number) => box('li', [0, y, 100, 20], { children: [text] });

  test('an inserted banner explains everything that moved', () => {
    const banner = box('div', [0, 0, 800, 40], { ...named('banner'), children: ['Sale'] });
    const before = body(item('one', 0), item('two', 20));
    const after = body(banner, item('one', 40), item('two', 60));
    const regions: Box[] = [
      [0, 0, 800, 40],
      [0, 60, 100, 20],
    ];
    expect(linesOf(before, after, regions)).toEqual(['inserted .banner certain 0,1']);
  });

  describe('a drawing that moved', () => {
    const icon = (y: number, hash: string) => box('svg', [0, y, 20, 20], { content: { classes: ['icon'], hash } });
    const canvas = (y: number) => box('canvas', [0, y, 90, 90], { content: { opaque: 'canvas' } });
    const page = (padding: number, ...drawings: Node[]) =>
      body(box('header', [0, 0, 800, 40 + padding], { style: { 'padding-top': `${padding}px` } }), ...drawings);
    const card = (y: number) => box('pre', [0, y, 90, 90], { style: { 'border-top-left-radius': '14px' } });
    const [icons, cards] = [page(0, icon(50, 'a')), page(0, card(50))];
    const covered = page(0, icon(50, 'a'), canvas(50));
    const moved = 'restyled header padding-top certain 0,1';
    const nothing = 'unexplained uncertain 1';

    test.each<[string, Node, Node, region: Box, last: string]>([
      ['is smoothed in another way, which follows from the move', icons, page(8, icon(58, 'a')), [3, 60, 4, 2], moved],
      ['can be a rounded corner', cards, page(8, card(58)), [1, 59, 6, 6], moved],
      ['does not explain other content', icons, page(8, icon(58, 'b')), [3, 60, 4, 2], 'drawing svg.icon certain 1'],
      ['does not explain what is beside it', icons, page(8, icon(58, 'a')), [3, 60, 90, 2], nothing],
      ['does not explain its middle', cards, page(8, card(58)), [40, 80, 6, 6], nothing],
      ['does not explain a corner without a radius', cards, page(8, card(58)), [80, 59, 6, 6], nothing],
      ['may be covered', covered, page(8, icon(58, 'a'), canvas(58)), [3, 60, 4, 2], 'opaque canvas uncertain 1'],
    ])('%s', (_, before, after, region, last) => {
      const setting = { declared: { 'padding-top': '8px' }, by: 8 };
      expect(linesOf(before, after, [[0, 0, 800, 48], region], setting).at(-1)).toBe(last);
    });
  });

  test('a removed item of a list is named, not the next one', () => {
    const before = body(item('one', 0), item('two', 20), item('three', 40));
    const [cause] = causesOf(before, body(item('one', 0), item('three', 20)), [[0, 20, 100, 20]]);
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
    expect(causesOf(image('1'), image('2'), [[0, 0, 50, 50]])[0]).toMatchObject({
      ...{ kind: 'image', element: 'img.logo', before: '/a.png', after: '/a.png' },
    });
    const renamed = (url: string) => body(box('img', [0, 0, 50, 50], { content: { image: url, hash: '1' } }));
    expect(linesOf(renamed('/a.1.png'), renamed('/a.2.png'), [[0, 0, 50, 50]])).toEqual(['unexplained uncertain 0']);
  });

  test('what no element explains is the last cause, with its pixels', () => {
    const page = (text: string) => body(box('p', [0, 0, 50, 20], { children: [text] }));
    const regions: Box[] = [
      [400, 400, 10, 10],
      [0, 0, 50, 20],
    ];
    expect(linesOf(page('a'), page('b'), regions)).toEqual(['reworded p certain 1', 'unexplained uncertain 0']);
    expect(causesOf(page('a'), page('b'), regions)[1]?.pixels).toBe(100);
  });
});

describe('a name that is another one in each load', () => {
  const inBox = (content: Node['content'] = {}, children: Node['children'] = []) =>
    box('div', [0, 0, 50, 50], { content, children });
  const nameOf = (before: Node, after: Node) => causesOf(before, after, [[0, 0, 50, 50]])[0]?.element;
  test('is left out of the path to an element without a name', () => {
    const page = (id: string, word: string) =>
      body(
        box('main', [0, 0, 90, 90], {
          content: { id: 'main' },
          children: [inBox({ id }, [box('p', [0, 0, 50, 50], { children: [word] })])],
        }),
      );
    expect(nameOf(page('r-a', 'a'), page('r-b', 'b'))).toBe('#main p');
  });

  test('is recognized in an element without a counterpart, and not confused with another name', () => {
    const generated = [
      ...['mermaid-1795736994447', ':r1:', 'radix-:R2ab:', '«r3»', '_r_4_', 'headlessui-menu-:ra:'],
      ...['44179a11-3b5c-4d52-9f4c-0a4e1a6d7c11', 'x-k3j9x8f2a1', 'chart_3f2a9c1b04de'],
    ];
    expect(generated.filter((id) => nameOf(body(), body(inBox({ id, classes: ['banner'] }))) !== '.banner')).toEqual(
      [],
    );
    const others = ['banner', 'step-2', 'section12345678', 'h1-title', 'user_profile', 'iso8601', 'post-10234'];
    expect(others.map((id) => nameOf(body(inBox({ id })), body()))).toEqual(others.map((id) => `#${id}`));
    // It looks generated, but is the same one.
    const kept = (word: string) => body(inBox({ id: 'post-1795736994447' }, [word]));
    expect(nameOf(kept('a'), kept('b'))).toBe('#post-1795736994447');
  });
});

describe('a resource that did not load', () => {
  const page = (image: string, word: string) => {
    const background = { 'list-style-image': 'url("/dot.png")' };
    const text = box('p', [0, 100, 50, 50], { style: background, children: [word] });
    return body(box('img', [0, 0, 50, 50], { content: { image } }), text);
  };
  const failure = (kind: BrokenResource['kind'], url: string) => ({ kind, url, reason: '404' });
  const [image, font] = [failure('image', '/a.png'), failure('font', '/f.woff2')];
  const dot = failure('image', '/dot.png');
  const reworded = 'p: text "a" -> "b"';

  test.each<[string, string, was: BrokenResource[], is: BrokenResource[], expected: string[]]>([
    ['is named at the image that shows it', '/a.png', [], [image], ['img: /a.png (404) did not load', reworded]],
    ['is named when it loads again', '/a.png', [image], [], ['img: image /a.png (404) -> /a.png', reworded]],
    [
      'is named for the whole page if only a style shows it',
      '/a.png',
      [],
      [dot],
      ['/dot.png (404) did not load', reworded],
    ],
    ['is no cause if it did not load before', '/a.png', [image, font], [image, font], [reworded]],
    ['is no cause if no element shows it', '/b.png', [], [image], [reworded]],
  ])('%s', (_, url, was, is, expected) => {
    const places: Box[] = [
      [0, 0, 50, 50],
      [0, 100, 50, 50],
    ];
    const causes = causesOf(page(url, 'a'), page(url, 'b'), places, { broken: { before: was, after: is } });
    expect(causes.filter(({ kind }) => kind !== 'unexplained').map(renderCause)).toEqual(expected);
  });
});

describe('a page that keeps changing', () => {
  const regionsOf = (...places: Box[]) =>
    places.map(([x, y, width, height]) => ({ x, y, width, height, pixels: width * height }));
  const item = (x: number, name: string) => box('b', [x, 10, 20, 20], named(name));
  const page = structureOf(
    body(
      box('main', [0, 0, 400, 100], { children: [item(0, 'a'), item(100, 'b'), item(200, 'c'), item(300, 'd')] }),
      box('p', [0, 200, 100, 20], { content: { id: 'clock' }, children: ['12:01'] }),
      box('canvas', [0, 300, 100, 100], { content: { opaque: 'canvas' } }),
    ),
  );
  const namesIn = (...places: Box[]) =>
    nameChanging(page, { regions: regionsOf(...places) }).map(({ element }) => element);

  test('has the innermost elements of each region, or their common ancestor', () => {
    expect(namesIn([2, 202, 10, 10])).toEqual(['#clock']);
    expect(namesIn([10, 310, 5, 5])).toEqual(['canvas']);
    expect(namesIn([0, 10, 150, 20])).toEqual(['b.a', 'b.b']);
    expect(namesIn([0, 10, 400, 20])).toEqual(['main']);
    expect(namesIn([0, 500, 20, 20])).toEqual(['html']);
    const [cause] = nameChanging(page, { regions: regionsOf([2, 202, 10, 10], [40, 202, 10, 5]) });
    expect(cause).toMatchObject({ kind: 'changing', element: '#clock', regions: [0, 1], pixels: 150, certain: true });
    expect(cause && renderCause(cause)).toBe('#clock: differs between the last two screenshots');
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
