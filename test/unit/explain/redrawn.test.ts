import { describe, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { explain } from '../../../src/explain/explain.js';
import { findEdits } from '../../../src/explain/find-edits.js';
import { findMisplaced, type Redraw } from '../../../src/explain/redrawn.js';
import type { Pixels, Rectangle } from '../../../src/model/image.js';
import { settings } from '../compare/settings.js';
import { type Node, structureOf } from '../compare/structures.js';
import { fill, png, sheet } from '../image/paint.js';

const SIZE = { width: 200, height: 100 };

/** One side: a structure and its image. */
interface Side {
  readonly root: Node;
  readonly image: Pixels;
}

async function redrawOf(before: Side, after: Side, ignored: readonly Rectangle[] = []): Promise<Redraw> {
  const images = { before: png(before.image), after: png(after.image) };
  const comparison = await compareImages(images.before, images.after, settings({ antialiasing: 'ignore' }), ignored);
  if (comparison.kind !== 'different') throw new Error(`expected different images, found ${comparison.kind}`);
  return explain(structureOf(before.root), structureOf(after.root)).redraw([], { ...comparison, ...images });
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

const before = pageOf('Prices', [10, 10, 80, 16], '#444444');

describe('a page in another environment', () => {
  test('is redrawn if its structure is the same, and its pixels differ a little', async () => {
    expect(await redrawOf(before, pageOf('Prices', [10, 10, 80, 16], '#4c4c4c'))).toEqual({
      ...{ kind: 'redrawn', layout: 'compared' },
    });
  });

  test('is redrawn if the words of a text in a box of the same size have other places, as another text shows', async () => {
    const withLogo = (width: number, color: `#${string}`): Side =>
      pageOf('Prices', [10, 10, 80, 16], color, [{ tag: 'b', box: [120, 10, width, 16], children: ['Logo'] }]);
    const before = withLogo(40, '#444444');
    expect(await redrawOf(before, withLogo(41, '#999999'))).toEqual({ kind: 'redrawn', layout: 'compared' });
    expect(await redrawOf(before, withLogo(40, '#999999'))).toMatchObject({ kind: 'changed' });
  });

  test('is redrawn without its layout if texts have other sizes', async () => {
    expect(await redrawOf(before, pageOf('Prices', [10, 12, 95, 19], '#444444'))).toEqual({
      ...{ kind: 'redrawn', layout: 'not-compared' },
    });
  });

  test('changed if a text, a style or an element differs, and names it alone', async () => {
    const reworded = await redrawOf(before, pageOf('Offers', [10, 12, 95, 19], '#444444'));
    expect(reworded).toMatchObject({ kind: 'changed', causes: [{ kind: 'reworded', after: 'Offers' }] });
    const footer: Node = { tag: 'footer', box: [0, 60, 200, 20] };
    const inserted = pageOf('Prices', [10, 12, 95, 19], '#444444', [footer]);
    fill(inserted.image, { x: 0, y: 60, width: 200, height: 20 }, '#eeeeee');
    expect(await redrawOf(before, inserted)).toMatchObject({ kind: 'changed', causes: [{ kind: 'inserted' }] });
  });

  test('changed if the share of an element that the cascade declares differs, also with other fonts', async () => {
    const sideOf = (basis: string, width: number, text: Place): Side => {
      const image: Node = { tag: 'img', box: [100, 40, width, 30], style: { 'flex-basis': basis } };
      const side = pageOf('Prices', text, '#444444', [image]);
      return { ...side, image: fill(side.image, { x: 100, y: 40, width, height: 30 }, '#0044aa') };
    };
    const wide = sideOf('40%', 60, [10, 10, 80, 16]);
    expect(await redrawOf(wide, sideOf('40%', 60, [10, 12, 95, 19]))).toMatchObject({ kind: 'redrawn' });
    expect(await redrawOf(wide, sideOf('4%', 8, [10, 12, 95, 19]))).toMatchObject({
      ...{ kind: 'changed', causes: [{ kind: 'restyled', property: 'flex-basis', before: '40%', after: '4%' }] },
    });
  });

  test('changed if a box moved and no text has another size', async () => {
    const image = (x: number): Node => ({ tag: 'img', box: [x, 40, 30, 30] });
    const sideOf = (x: number): Side => {
      const side = pageOf('Prices', [10, 10, 80, 16], '#444444', [image(x)]);
      return { ...side, image: fill(side.image, { x, y: 40, width: 30, height: 30 }, '#0044aa') };
    };
    expect(await redrawOf(sideOf(100), sideOf(108))).toMatchObject({ kind: 'changed' });
    expect(await redrawOf(sideOf(100), sideOf(101))).toMatchObject({ kind: 'redrawn' });
  });

  test('changed if texts have other sizes and elements lost their place, named as one cause', async () => {
    const sideOf = (text: Place, y: number): Side => {
      const items = [0, 1].map((at): Node => ({ tag: 'li', box: [40 * at, y, 30, 20] }));
      const side = pageOf('Prices', text, '#444444', [{ tag: 'ul', box: [0, 40, 100, 30], children: items }]);
      return { ...side, image: fill(side.image, { x: 0, y, width: 70, height: 20 }, '#0044aa') };
    };
    expect(await redrawOf(sideOf([10, 10, 80, 16], 40), sideOf([10, 12, 95, 19], 75))).toMatchObject({
      kind: 'changed',
      causes: [{ kind: 'misplaced', element: 'li', after: 'outside its parent', certain: true, elements: 2 }],
    });
  });

  test('changed if what has no structure looks different', async () => {
    const chart = (place: Place, color: `#${string}`, text: Place): Side => {
      const canvas: Node = { tag: 'canvas', box: place, content: { opaque: 'canvas' } };
      const side = pageOf('Prices', text, '#444444', [canvas]);
      const [x, y] = place;
      return { ...side, image: fill(side.image, { x, y, width: 20, height: 20 }, color) };
    };
    const one = chart([100, 40, 30, 30], '#0044aa', [10, 10, 80, 16]);
    const opaque = { kind: 'changed', causes: [{ kind: 'opaque', element: 'canvas' }] };
    expect(await redrawOf(one, chart([100, 40, 30, 30], '#aa4400', [10, 10, 80, 16]))).toMatchObject(opaque);
    // Other fonts moved the canvas: it is compared where it is.
    expect(await redrawOf(one, chart([100, 46, 30, 30], '#0044aa', [10, 10, 90, 19]))).toMatchObject({
      kind: 'redrawn',
    });
    const repainted = chart([100, 46, 30, 30], '#aa4400', [10, 10, 90, 19]);
    expect(await redrawOf(one, repainted)).toMatchObject(opaque);
    // A text over it has another place, too.
    const titled = (y: number, color: `#${string}`, text: Place): Side => {
      const title = { x: 105, y: y + 20, width: text[3], height: 10 };
      const video: Node = { tag: 'video', box: [100, y, 60, 60], content: { opaque: 'video' } };
      const name: Node = { tag: 'b', box: [title.x, title.y, title.width, title.height], children: ['Film'] };
      const side = pageOf('Prices', text, '#444444', [video, name]);
      const image = fill(side.image, { x: 100, y, width: 60, height: 60 }, color);
      return { ...side, image: fill(image, title, '#ffffff') };
    };
    const film = titled(20, '#0044aa', [10, 10, 80, 16]);
    expect(await redrawOf(film, titled(26, '#0044aa', [10, 10, 90, 24]))).toMatchObject({ kind: 'redrawn' });
    expect(await redrawOf(film, titled(26, '#aa4400', [10, 10, 90, 24]))).toMatchObject({
      ...{ kind: 'changed', causes: [{ kind: 'opaque', element: 'video' }] },
    });
    expect(await redrawOf(one, repainted, [{ x: 95, y: 35, width: 45, height: 50 }])).toMatchObject({
      kind: 'redrawn',
    });
  });
});

describe('an element at the edge of an image', () => {
  const last = (y: number): Node => ({ tag: 'footer', box: [0, y, 200, 30] });
  /** A page that goes on below its image. */
  const cut = (place: Place, more: readonly Node[]): Side => {
    const side = pageOf('Prices', place, '#444444', more);
    return { ...side, root: { ...side.root, box: [0, 0, SIZE.width, 400] } };
  };

  test('is no change if other fonts moved it beyond the edge of the image', async () => {
    const [fits, beyond] = [cut([10, 10, 80, 60], [last(75)]), cut([10, 10, 90, 90], [])];
    expect(await redrawOf(fits, beyond)).toMatchObject({ kind: 'redrawn' });
    expect(await redrawOf(beyond, fits)).toMatchObject({ kind: 'redrawn' });
  });

  test('without a structure is compared as far as both images show it', async () => {
    const chart = (y: number, color: `#${string}`, text: Place): Side => {
      const side = cut(text, [{ tag: 'canvas', box: [100, y, 30, 30], content: { opaque: 'canvas' } }]);
      return { ...side, image: fill(side.image, { x: 100, y, width: 30, height: Math.min(30, 100 - y) }, color) };
    };
    const whole = chart(60, '#0044aa', [10, 10, 80, 16]);
    expect(await redrawOf(whole, chart(80, '#0044aa', [10, 10, 90, 36]))).toMatchObject({ kind: 'redrawn' });
    expect(await redrawOf(whole, chart(80, '#aa4400', [10, 10, 90, 36]))).toMatchObject({ kind: 'changed' });
  });

  test('is a change if it would be within the image, or if the image shows the full page', async () => {
    expect(await redrawOf(cut([10, 10, 80, 16], [last(30)]), cut([10, 10, 90, 20], []))).toMatchObject({
      ...{ kind: 'changed', causes: [{ kind: 'removed' }] },
    });
    const full = pageOf('Prices', [10, 10, 80, 60], '#444444', [last(75)]);
    expect(await redrawOf(full, pageOf('Prices', [10, 10, 90, 85], '#444444'))).toMatchObject({ kind: 'changed' });
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
