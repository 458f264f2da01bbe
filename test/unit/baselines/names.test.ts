import { describe, expect, test } from 'vitest';
import { foldName, pageNameOf, safePathParts, shotNameOf } from '../../../src/baselines/names.js';
import { createOpenedShot } from '../../../src/shot/opened-shot.js';

describe('the name of a page that has none', () => {
  test.each([
    ['/', 'index'],
    ['https://www.example.com/pricing/', 'pricing'],
    ['/blog/2024/post.html', 'blog/2024/post.html'],
    ['/search?a=b&c=d', 'search?a=b&c=d'],
    ['/#/about', 'index#/about'],
    ['/docs?v=2#top', 'docs?v=2#top'],
    ['/docs#', 'docs'],
    ['/%C3%BCber%20uns', 'über uns'],
    ['/a%2Fb%3Fc', 'a%2Fb%3Fc'],
    ['/100%/%zz/%C3', '100%/%zz/%C3'],
    ['/a%0Ab%00', 'a%0Ab%00'],
  ])('of %s is %s', (url, name) => {
    expect(pageNameOf(url)).toBe(name);
  });
});

test('the id of a shot has the parts that it has', () => {
  const named = { page: 'home', viewport: 'phone', mode: 'dark', state: 'open' };
  expect(shotNameOf(named)).toEqual({ id: 'home/phone/dark/open', ...named });
  expect(shotNameOf({ ...named, viewport: null, state: null }).id).toBe('home/dark');
});

describe('the path of a shot', () => {
  test.each([
    ['pricing', ['pricing']],
    ['blog/2024/post', ['blog', '2024', 'post']],
    ['search?a=b&c=d', ['search-a=b-c=d']],
    ['Über uns', ['Über-uns']],
    ['u\u0308ber', ['über']],
    ['हिन्दी', ['हिन्दी']],
    ['a:b*c"d<e>f|g\\h', ['a-b-c-d-e-f-g-h']],
    ['👍', ['-']],
    ['../../etc', ['_', '_', 'etc']],
    ['/a//b/', ['a', 'b']],
    ['.', ['_']],
    ['a. . /b...', ['a', 'b']],
    ['con.txt/aux/COM1', ['con_.txt', 'aux_', 'COM1_']],
    ['lpt¹', ['lpt¹_']],
    ['a/Node_Modules/.GIT', ['a', 'Node_Modules_', '.GIT_']],
    ['.github/node_modules.x', ['.github', 'node_modules.x']],
    ['console/nulls', ['console', 'nulls']],
  ])('of page %j is %j', (page, parts) => {
    expect(safePathParts({ page, viewport: null, state: null })).toEqual(parts);
  });

  test('ends in the viewport and the state, which are never folders', () => {
    const parts = safePathParts({ page: 'a/b', viewport: 'wide/4k', state: 'menu open' });
    expect(parts.join(' ')).toBe('a b wide-4k menu-open');
  });

  test.each([
    ['300 letters', 'a'.repeat(300), 'a'.repeat(299)],
    ['letters of three bytes', '基'.repeat(99), `${'基'.repeat(98)}本`],
    ['letters outside of the BMP', '𠀀'.repeat(90), '𠀀'.repeat(91)],
  ])('is cut where a part is too long, and stays its own: %s', (_, page, other) => {
    const [part] = safePathParts({ page, viewport: null, state: null });
    const [otherPart] = safePathParts({ page: other, viewport: null, state: null });
    expect(part?.length).toBeLessThanOrEqual(100);
    expect(Buffer.byteLength(part ?? '')).toBeLessThanOrEqual(180);
    expect(part).toMatch(/^\p{L}+-[0-9a-f]{8}$/u);
    expect(part).not.toBe(otherPart);
  });

  test.each([
    ['Über', 'über'],
    ['u\u0308ber', 'ÜBER'],
    ['STRASSE', 'straße'],
    ['ΑΣ', 'ασ'],
  ])('%s and %s are the same to a file system that ignores case', (one, other) => {
    expect(foldName(one)).toBe(foldName(other));
  });
});

test.each([
  // Playwright makes the name of a file safe, as it does for toHaveScreenshot.
  [['a b', 'home (mobile).png'], {}, ['a b', 'home (mobile).png']],
  ['home (mobile)', {}, ['home--mobile-.png']],
  // git does not add files of such folders.
  [['.git', 'node_modules', 'c.png'], {}, ['.git_', 'node_modules_', 'c.png']],
  ['a: b.png', { environment: 'separate' }, ['a--b.png']],
] as const)('the baseline of toMatchBaseline(%j, %j) is in %j', (name, options, parts) => {
  const { shot } = createOpenedShot({ spec: 'own', name, url: 'http://a/' }, options);
  expect(shot.baseline).toEqual({ parts, perEnvironment: 'environment' in options });
});
