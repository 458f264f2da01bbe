import { describe, expect, test } from 'vitest';
import type { RenderedTexts } from '../../../src/model/capture.js';
import { encode } from '../../../src/page/rendered-texts.js';
import { compareTexts, warnOfTexts, withSteadyTexts } from '../../../src/shot/rendered-texts.js';
import { captureOf, EQUAL, imageOf, URL_OF_PAGE } from './specimens.js';

const IMAGE = { bytes: Buffer.of(1), size: { width: 10, height: 10 }, codec: 'png' } as const;

/** The texts of a page. Those with `>` before them are beyond the edge of an area. */
const textsOf = (some: readonly string[], scope = ''): RenderedTexts => {
  const texts = some.map((one) => {
    const text = one.replace('>', '');
    const hash = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) & 0xffffff, 7);
    return { hash, text, element: 'p', isBeyond: one !== text };
  });
  const hashesOf = (of: typeof texts) => encode(of.map(({ hash }) => hash));
  const beyond = hashesOf(texts.filter(({ isBeyond }) => isBeyond));
  return { hashes: { scope, hashes: hashesOf(texts), beyond }, texts };
};
const capture = (texts: readonly string[], scope?: string) =>
  captureOf(IMAGE, URL_OF_PAGE, { rendered: textsOf(texts, scope) });
const compare = (before: readonly string[], after: readonly string[]) =>
  compareTexts(textsOf(before).hashes, capture(after));
const added = (...texts: string[]) => texts.map((text) => ({ text, element: 'p' }));

describe('texts that differ', () => {
  test('are none if the texts are the same in another order', () => {
    expect(compare(['a', 'b', 'b'], ['b', 'a', 'b'])).toBeNull();
  });

  test('are those that are new, and the number of those that are gone', () => {
    expect(compare(['a', 'b'], ['a', 'c', 'd'])).toEqual({ added: added('c', 'd'), removed: 1, isBeyond: false });
  });

  test('are counted: a text may be there several times', () => {
    expect(compare(['a', 'b'], ['a', 'a'])).toEqual({ added: added('a'), removed: 1, isBeyond: false });
    expect(compare(['a', 'a'], ['a'])).toEqual({ added: [], removed: 1, isBeyond: false });
  });

  test('are beyond the edge of an area if one of them is there, or was', () => {
    expect(compare(['a'], ['a', '>b'])?.isBeyond).toBe(true);
    expect(compare(['a', '>b'], ['a'])?.isBeyond).toBe(true);
    expect(compare(['a', '>b'], ['>b'])?.isBeyond).toBe(false);
    expect(compare(['Buy', '>Buy'], ['>Buy'])?.isBeyond).toBe(false);
    expect(compare(['Buy', '>Buy'], ['Buy'])?.isBeyond).toBe(true);
  });

  test('leave out dates and times, and those that they replace', () => {
    expect(compare(['14:05', 'a'], ['15:10', 'a'])).toBeNull();
    expect(compare(['14:05', 'a'], ['15:10', 'b'])).toEqual({ added: added('b'), removed: 1, isBeyond: false });
    expect(compare(['>14:05', 'a'], ['>15:10'])).toEqual({ added: [], removed: 1, isBeyond: false });
  });

  test('are not known without a record, without texts, and if other fields excluded texts', () => {
    expect(compareTexts(undefined, capture(['a']))).toBeNull();
    expect(compareTexts(textsOf(['a']).hashes, captureOf(IMAGE, URL_OF_PAGE))).toBeNull();
    expect(compareTexts(textsOf(['a']).hashes, capture(['b'], 'other'))).toBeNull();
  });
});

test('a warning names them, unless the shot is changed by them', () => {
  const [warning] = warnOfTexts(compare(['a'], ['b']), '; advice');
  expect(warning?.message).toMatch(/: new: "b" \(p\); 1 text not there any more; advice$/);
  expect(warnOfTexts(compare(['a'], ['>b']), '')).toEqual([]);
});

test('texts that another load does not have are forgotten', () => {
  const outdated = warnOfTexts(compare(['a'], ['b']), '');
  const load = {
    ...({ status: 'captured', capture: capture(['b']), differing: [] } as const),
    before: {
      ...({ kind: 'baseline', baseline: imageOf(IMAGE), comparison: EQUAL, compared: 1 } as const),
      ...{ explanation: null, redraw: null, textChange: compare(['a'], ['b']), outdated },
    },
  } as const;
  expect(withSteadyTexts(load, capture(['b']))).toBe(load);
  for (const other of [capture(['c']), null])
    expect(withSteadyTexts(load, other)).toMatchObject({ before: { textChange: null, outdated: [] } });
  expect(withSteadyTexts(load, null).capture.rendered).toBeUndefined();
});
