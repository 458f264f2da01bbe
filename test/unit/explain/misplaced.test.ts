import { describe, expect, test } from 'vitest';
import { findEdits } from '../../../src/explain/find-edits.js';
import { findMisplaced } from '../../../src/explain/misplaced.js';
import { type Node, structureOf } from '../compare/structures.js';

type Box = Node['box'];

const block = (tag: string, box: Box, children: readonly Node[] = [], display = 'block'): Node => ({
  ...{ tag, box, children, style: { display } },
});

/** What is wrong in a page of a section with a heading and an article: `TAG is HOW`. */
function misplacedIn(before: Parts, after: Parts, display?: string): string[] {
  const [one, other] = [structureOf(pageOf(before, display)), structureOf(pageOf(after, display))];
  return findMisplaced(findEdits(one, other)).map(({ element, how }) => `${other.elements[element]?.tag} is ${how}`);
}

interface Parts {
  readonly section?: Box;
  readonly heading?: Box;
  readonly article?: Box;
}

const PARTS = {
  section: [0, 0, 400, 300],
  heading: [0, 0, 400, 40],
  article: [0, 50, 400, 100],
} as const satisfies Parts;

function pageOf(parts: Parts, display?: string): Node {
  const { section, heading, article } = { ...PARTS, ...parts };
  const children = [block('h1', heading, [], display), block('article', article, [], display)];
  return block('html', [0, 0, 800, 600], [block('section', section, children)]);
}

describe('a page with other fonts', () => {
  test('keeps its layout if everything became larger and moved', () => {
    const larger: Parts = { section: [0, 0, 400, 420], heading: [0, 0, 400, 80], article: [0, 90, 400, 320] };
    expect(misplacedIn({}, larger)).toEqual([]);
    // Text that is a little too large for its box.
    expect(misplacedIn({}, { article: [0, 210, 400, 105] })).toEqual([]);
  });

  test('lost the place of an element that was within its parent', () => {
    expect(misplacedIn({}, { article: [0, 310, 400, 100] })).toEqual(['article is outside its parent']);
    expect(misplacedIn({}, { article: [200, 50, 400, 100] })).toEqual(['article is outside its parent']);
    // It was there before.
    const outside: Parts = { article: [0, 310, 400, 100] };
    expect(misplacedIn(outside, outside)).toEqual([]);
  });

  test('lost the place of an element that covers a sibling', () => {
    expect(misplacedIn({}, { article: [0, 20, 400, 100] })).toEqual(['article is over a sibling']);
    expect(misplacedIn({}, { article: [0, 38, 400, 100] })).toEqual([]);
    // The lines of inline elements enclose each other.
    expect(misplacedIn({}, { article: [0, 20, 400, 100] }, 'inline')).toEqual([]);
  });

  test('lost the area of an element, once', () => {
    expect(misplacedIn({}, { article: [0, 50, 400, 0] })).toEqual(['article is without an area']);
    const collapsed: Parts = { section: [0, 0, 0, 300], article: [0, 50, 400, 100] };
    expect(misplacedIn({}, collapsed)).toEqual(['section is without an area']);
  });
});
