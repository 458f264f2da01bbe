import { describe, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { explain } from '../../../src/explain/explain.js';
import { findEdits } from '../../../src/explain/find-edits.js';
import { findMisplaced } from '../../../src/explain/redrawn.js';
import type { Pixels, Rectangle } from '../../../src/model/image.js';
import { settings } from '../compare/settings.js';
import { type Node, structureOf } from '../compare/structures.js';
import { fill, png, sheet } from '../image/paint.js';

const SIZE = { width: 200, height: 100 };

interface Side {
  readonly root: Node;
  readonly image: Pixels;
}

/** Judges two sides in one line: how the page was redrawn, or its causes. */
async function redrawOf(before: Side, after: Side, ignored: readonly Rectangle[] = []): Promise<string> {
  const images = { before: png(before.image), after: png(after.image) };
  const comparison = await compareImages(images.before, images.after, settings({ antialiasing: 'ignore' }), ignored);
  if (comparison.kind !== 'different') throw new Error(`expected different images, found ${comparison.kind}`);
  const explanation = explain(structureOf(before.root), structureOf(after.root));
  const redraw = await explanation.redraw([], { ...comparison, ...images });
  if (redraw.kind === 'redrawn') return `redrawn, layout ${redraw.layout}`;
  const causes = redraw.causes.map(({ kind, elements, element, after }) => [kind, elements, element, after].join(' '));
  return `changed: ${causes.join(', ')}`;
}

type Place = Node['box'];

/** A page with one text, drawn as a bar. */
function pageOf(text: string, place: Place, color: `#${string}`, more: readonly Node[] = []): Side {
  const [x, y, width, height] = place;
  return {
    root: {
      tag: 'html',
      box: [0, 0, SIZE.width, SIZE.height],
      children: [{ tag: 'p', box: place, children: [text] }, ...more],
    },
    image: fill(sheet(SIZE.width, SIZE.height), { x, y, width, height }, color),
  };
}

/** The page with a box that its image has as well. */
function withBox(side: Side, node: Node, color: `#${string}` = '#0044aa', height = node.box[3]): Side {
  const [x, y, width] = node.box;
  const root = { ...side.root, children: [...(side.root.children ?? []), node] };
  return { root, image: fill(side.image, { x, y, width, height }, color) };
}

const REDRAWN = 'redrawn, layout compared';
const WITHOUT_LAYOUT = 'redrawn, layout not-compared';
/** The place of the text, with the same and with other fonts. */
const [SAME, OTHER]: readonly [Place, Place] = [
  [10, 10, 80, 16],
  [10, 12, 95, 19],
];
const page = (place: Place, color: `#${string}` = '#444444') => pageOf('Prices', place, color);
const before = page(SAME);

describe('a page in another environment', () => {
  const withLogo = (width: number, color: `#${string}`) =>
    pageOf('Prices', SAME, color, [{ tag: 'b', box: [120, 10, width, 16], children: ['Logo'] }]);
  const footer: Node = { tag: 'footer', box: [0, 60, 200, 20] };
  const withShare = (basis: string, width: number, text: Place) =>
    withBox(page(text), { tag: 'img', box: [100, 40, width, 30], style: { 'flex-basis': basis } });
  const withImage = (x: number) => withBox(page(SAME), { tag: 'img', box: [x, 40, 30, 30] });
  const withList = (text: Place, y: number) => {
    const items = [0, 1].map((at): Node => ({ tag: 'li', box: [40 * at, y, 30, 20] }));
    const side = pageOf('Prices', text, '#444444', [{ tag: 'ul', box: [0, 40, 100, 30], children: items }]);
    return { ...side, image: fill(side.image, { x: 0, y, width: 70, height: 20 }, '#0044aa') };
  };
  const [dark, light] = ['#444444', '#999999'] as const;
  const reworded = pageOf('Offers', OTHER, dark);
  const [share, other] = [withShare('40%', 60, SAME), withShare('40%', 60, OTHER)];

  test.each<[string, Side, Side, expected: string]>([
    ['is redrawn if only its pixels differ a little', before, page(SAME, '#4c4c4c'), REDRAWN],
    ['is redrawn if words moved, as another text shows', withLogo(40, dark), withLogo(41, light), REDRAWN],
    ['changed if no text shows that', withLogo(40, dark), withLogo(40, light), 'changed'],
    ['is redrawn without its layout if texts have other sizes', before, page(OTHER), WITHOUT_LAYOUT],
    ['changed if a text differs', before, reworded, 'changed: reworded 1 p Offers$'],
    ['changed if an element is new', before, withBox(page(OTHER), footer, '#eeeeee'), 'changed: inserted 1 footer $'],
    ['is redrawn if a declared share is the same', share, other, WITHOUT_LAYOUT],
    ['changed if it differs', share, withShare('4%', 8, OTHER), 'changed: restyled 1 img 4%'],
    ['changed if a box moved and no text has another size', withImage(100), withImage(108), 'changed'],
    ['is redrawn if a box moved by a pixel', withImage(100), withImage(101), REDRAWN],
    [
      'changed if places are lost',
      withList(SAME, 40),
      withList(OTHER, 75),
      'changed: misplaced 2 li outside its parent$',
    ],
  ])('%s', async (_, one, other, expected) => {
    expect(await redrawOf(one, other)).toMatch(new RegExp(`^${expected}`));
  });

  test('changed if what has no structure looks different', async () => {
    const chart = (place: Place, color: `#${string}`, text: Place) =>
      withBox(page(text), { tag: 'canvas', box: place, content: { opaque: 'canvas' } }, color);
    const one = chart([100, 40, 30, 30], '#0044aa', SAME);
    const opaque = 'changed: opaque 1 canvas ';
    expect(await redrawOf(one, chart([100, 40, 30, 30], '#aa4400', SAME))).toBe(opaque);
    // Other fonts moved the canvas: it is compared where it is.
    expect(await redrawOf(one, chart([100, 46, 30, 30], '#0044aa', [10, 10, 90, 19]))).toBe(WITHOUT_LAYOUT);
    const repainted = chart([100, 46, 30, 30], '#aa4400', [10, 10, 90, 19]);
    expect(await redrawOf(one, repainted)).toBe(opaque);
    const ignored = [{ x: 95, y: 35, width: 45, height: 50 }];
    expect(await redrawOf(one, repainted, ignored)).toBe(WITHOUT_LAYOUT);
    // A text over it has another place, too.
    const titled = (y: number, color: `#${string}`, text: Place) => {
      const title: Node = { tag: 'b', box: [105, y + 20, text[3], 10], children: ['Film'] };
      const video: Node = { tag: 'video', box: [100, y, 60, 60], content: { opaque: 'video' } };
      return withBox(withBox(page(text), video, color), title, '#ffffff');
    };
    const film = titled(20, '#0044aa', SAME);
    expect(await redrawOf(film, titled(26, '#0044aa', [10, 10, 90, 24]))).toBe(WITHOUT_LAYOUT);
    expect(await redrawOf(film, titled(26, '#aa4400', [10, 10, 90, 24]))).toBe('changed: opaque 1 video ');
  });
});

describe('an element at the edge of an image', () => {
  const last = (y: number): Node => ({ tag: 'footer', box: [0, y, 200, 30] });
  /** A page that goes on below its image. */
  const cut = (place: Place, ...more: readonly Node[]): Side => {
    const side = pageOf('Prices', place, '#444444', more);
    return { ...side, root: { ...side.root, box: [0, 0, SIZE.width, 400] } };
  };
  const chart = (y: number, color: `#${string}`, text: Place) =>
    withBox(
      cut(text),
      { tag: 'canvas', box: [100, y, 30, 30], content: { opaque: 'canvas' } },
      color,
      Math.min(30, 100 - y),
    );
  const [fits, beyond] = [cut([10, 10, 80, 60], last(75)), cut([10, 10, 90, 90])];
  const [whole, larger] = [chart(60, '#0044aa', SAME), [10, 10, 90, 36] as const];
  const full = pageOf('Prices', [10, 10, 80, 60], '#444444', [last(75)]);

  test.each<[string, Side, Side, expected: string]>([
    ['is no change if other fonts moved it beyond the edge', fits, beyond, WITHOUT_LAYOUT],
    ['is no change if other fonts moved it into the image', beyond, fits, WITHOUT_LAYOUT],
    ['is compared as far as both images show it', whole, chart(80, '#0044aa', larger), WITHOUT_LAYOUT],
    ['is a change if that differs', whole, chart(80, '#aa4400', larger), 'changed'],
    ['is a change within the image', cut(SAME, last(30)), cut([10, 10, 90, 20]), 'changed: removed 1 footer $'],
    ['is a change of a full page', full, pageOf('Prices', [10, 10, 90, 85], '#444444'), 'changed'],
  ])('%s', async (_, one, other, expected) => {
    expect(await redrawOf(one, other)).toMatch(new RegExp(`^${expected}`));
  });
});

/** A section with a heading and an article. */
const PARTS = { section: [0, 0, 400, 300], h1: [0, 0, 400, 40], article: [0, 50, 400, 100] } as const;
type Parts = Partial<Record<keyof typeof PARTS, Place>>;

describe('an element of a page with other fonts', () => {
  const larger: Parts = { section: [0, 0, 400, 420], h1: [0, 0, 400, 80], article: [0, 90, 400, 320] };
  const outside: Parts = { article: [0, 310, 400, 100] };

  test.each<[string, Parts, Parts, string, string[]]>([
    ['keeps its place if everything is larger', {}, larger, 'block', []],
    ['keeps its place if it is a little too large', {}, { article: [0, 210, 400, 105] }, 'block', []],
    ['is below its parent', {}, outside, 'block', ['article is outside its parent']],
    ['is beside its parent', {}, { article: [200, 50, 400, 100] }, 'block', ['article is outside its parent']],
    ['was below its parent before', outside, outside, 'block', []],
    ['covers a sibling', {}, { article: [0, 20, 400, 100] }, 'block', ['article is over a sibling']],
    ['covers a little of a sibling', {}, { article: [0, 38, 400, 100] }, 'block', []],
    ['is a line within a sibling', {}, { article: [0, 20, 400, 100] }, 'inline', []],
    ['has no area', {}, { article: [0, 50, 400, 0] }, 'block', ['article is without an area']],
    ['is in a parent without an area', {}, { section: [0, 0, 0, 300] }, 'block', ['section is without an area']],
  ])('%s', (_, before, after, display, misplaced) => {
    const structureWith = (parts: Parts) => {
      const { section, h1, article } = { ...PARTS, ...parts };
      const nodeOf = (tag: string, place: Place, children: Node[] = [], own = 'block'): Node => ({
        ...{ tag, box: place, children, style: { display: own } },
      });
      const children = [nodeOf('h1', h1, [], display), nodeOf('article', article, [], display)];
      return structureOf(nodeOf('html', [0, 0, 800, 600], [nodeOf('section', section, children)]));
    };
    const [one, other] = [structureWith(before), structureWith(after)];
    const found = findMisplaced(findEdits(one, other));
    expect(found.map(({ element, how }) => `${other.elements[element]?.tag} is ${how}`)).toEqual(misplaced);
  });
});
