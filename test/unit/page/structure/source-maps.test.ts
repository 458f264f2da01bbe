import { expect, test } from 'vitest';
import { locateSource, type SourceMaps } from '../../../../src/page/structure/source-maps.js';

/** Line 1 is line 1 of the first source, column 2 of line 2 is its line 5, and line 3 is line 10 of the second source. */
const MAP = { version: 3, sources: ['../scss/button.scss', 'grid.scss'], names: [], mappings: 'AAAA;EAIE;ACKF' };
const SHEET = 'https://site.example/css/site.css?v=1';

const dataUrl = (json: string) => `data:application/json;charset=utf-8;base64,${Buffer.from(json).toString('base64')}`;
const sheetWith = (sourceMapURL?: string) => ({
  sourceURL: SHEET,
  frameId: 'frame',
  ...(sourceMapURL && { sourceMapURL }),
});

/** Locates a position. Without `served`, every download fails. */
const locate = (
  sourceMapURL: string | undefined,
  [line, column]: readonly [number, number] = [1, 2],
  served: Readonly<Record<string, string>> = {},
) =>
  locateSource(new Map(), { sheet: sheetWith(sourceMapURL), line, column }, async (url) => {
    const json = served[url];
    if (json === undefined) throw new Error('no connection');
    return json;
  });

test.each([
  ['base64', dataUrl(JSON.stringify(MAP))],
  ['percent-encoded', `data:application/json,${encodeURIComponent(JSON.stringify(MAP))}`],
])('a map in a %s data URL names the source, relative to the style sheet', async (_, url) => {
  expect(await locate(url)).toEqual({ file: 'https://site.example/scss/button.scss', line: 5 });
  expect(await locate(url, [2, 40])).toEqual({ file: 'https://site.example/css/grid.scss', line: 10 });
});

test('a map of a server names the source, relative to the map', async () => {
  const served = { 'https://site.example/maps/site.css.map': JSON.stringify(MAP) };
  expect(await locate('../maps/site.css.map', [1, 2], served)).toEqual({
    ...{ file: 'https://site.example/scss/button.scss', line: 5 },
  });
});

test('a map of sections is read, and sources with a scheme stay', async () => {
  const map = { ...MAP, sources: ['webpack://app/./src/button.scss', 'grid.scss'] };
  const sections = { version: 3, sections: [{ offset: { line: 10, column: 0 }, map }] };
  expect(await locate(dataUrl(JSON.stringify(sections)), [11, 2])).toEqual({
    ...{ file: 'webpack://app/src/button.scss', line: 5 },
  });
});

test.each([
  ['a style sheet without a map', undefined],
  ['a map that the server does not have', 'site.css.map'],
  ['a URL that is none', 'http://['],
  ['a file', 'file:///etc/passwd'],
  ['no JSON', dataUrl('<html>')],
  ['JSON that is no map', dataUrl('{"version":3}')],
  ['mappings that are no mappings', dataUrl(JSON.stringify({ ...MAP, mappings: 'A€A;;{' }))],
  ['sources that do not exist', dataUrl(JSON.stringify({ ...MAP, sources: [] }))],
  ['a line that does not exist', dataUrl(JSON.stringify({ ...MAP, mappings: 'AAAA;EAJE' }))],
  ['null', dataUrl('null')],
  ['a text that is not encoded', 'data:application/json,%E0%A4%A'],
  ['a map of more than 5 MB', dataUrl(JSON.stringify({ ...MAP, sourcesContent: ['x'.repeat(5_000_000)] }))],
])('%s: the served line stays', async (_, url) => {
  expect(await locate(url)).toBeNull();
});

test('a position before the first mapping of its line has no source', async () => {
  expect(await locate(dataUrl(JSON.stringify(MAP)), [1, 1])).toBeNull();
});

test('each map is loaded once, also if it fails or takes too long', async () => {
  const maps: SourceMaps = new Map();
  const asked: string[] = [];
  const download = (url: string) => {
    asked.push(url.slice(url.lastIndexOf('/') + 1));
    if (url.endsWith('slow.map')) return new Promise<never>(() => {});
    return url.endsWith('good.map') ? Promise.resolve(JSON.stringify(MAP)) : Promise.reject(new Error('failed'));
  };
  const names = ['good.map', 'bad.map', 'slow.map', 'good.map', 'bad.map', 'slow.map'];
  const found = await Promise.all(
    names.map((name) => locateSource(maps, { sheet: sheetWith(name), line: 0, column: 0 }, download)),
  );
  expect(asked).toEqual(['good.map', 'bad.map', 'slow.map']);
  expect(found.map((source) => source?.line ?? null)).toEqual([1, null, null, 1, null, null]);
  for (let number = 0; number < 100; number++)
    await locateSource(maps, { sheet: sheetWith(`${number}.map`), line: 0, column: 0 }, download);
  expect(maps.size).toBe(50);
});
