import { expect, test } from 'vitest';
import { locateSource, type SourceMaps } from '../../../../src/page/structure/source-maps.js';

/** Line 1 is line 1 of the first source, column 2 of line 2 is its line 5, and line 3 is line 10 of the second source. */
const MAP = { version: 3, sources: ['../scss/button.scss', 'grid.scss'], names: [], mappings: 'AAAA;EAIE;ACKF' };
const SHEET = 'https://site.example/css/site.css?v=1';

const dataUrl = (map: unknown) => `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
const sheetWith = (sourceMapURL?: string) => ({ sourceURL: SHEET, ...(sourceMapURL && { sourceMapURL }) });

/** Locates a position. One map is served, and every other download fails. */
const locate = (sourceMapURL: string | undefined, line = 1, column = 2) =>
  locateSource(new Map(), { sheet: sheetWith(sourceMapURL), line, column }, async (url) => {
    if (url !== 'https://site.example/maps/site.css.map') throw new Error('no connection');
    return JSON.stringify(MAP);
  });

const SECTION = { ...MAP, sources: ['webpack://app/./src/button.scss', 'grid.scss'] };
const SECTIONS = { version: 3, sections: [{ offset: { line: 10, column: 0 }, map: SECTION }] };

test.each<[what: string, url: string, position: [number, number], file: string, line: number]>([
  ['a data URL, relative to the style sheet', dataUrl(MAP), [1, 2], 'https://site.example/scss/button.scss', 5],
  ['its second source', dataUrl(MAP), [2, 40], 'https://site.example/css/grid.scss', 10],
  [
    'a data URL with percents',
    `data:application/json,${encodeURIComponent(JSON.stringify(MAP))}`,
    [1, 2],
    'https://site.example/scss/button.scss',
    5,
  ],
  ['a server, relative to the map', '../maps/site.css.map', [1, 2], 'https://site.example/scss/button.scss', 5],
  ['sections, and sources with a scheme stay', dataUrl(SECTIONS), [11, 2], 'webpack://app/src/button.scss', 5],
])('a map of %s names the source', async (_, url, position, file, line) => {
  expect(await locate(url, ...position)).toEqual({ file, line });
});

test.each([
  ['a style sheet without a map', undefined],
  ['a map that the server does not have', 'site.css.map'],
  ['a URL that is none', 'http://['],
  ['a file', 'file:///etc/passwd'],
  ['no JSON', 'data:application/json,<html>'],
  ['JSON that is no map', dataUrl({ version: 3 })],
  ['mappings that are no mappings', dataUrl({ ...MAP, mappings: 'A€A;;{' })],
  ['sources that do not exist', dataUrl({ ...MAP, sources: [] })],
  ['a line that does not exist', dataUrl({ ...MAP, mappings: 'AAAA;EAJE' })],
  ['a position before the first mapping of its line', dataUrl({ ...MAP, mappings: 'AAAA;KAIE' })],
  ['null', dataUrl(null)],
  ['a text that is not encoded', 'data:application/json,%E0%A4%A'],
  ['a map of more than 5 MB', dataUrl({ ...MAP, sourcesContent: ['x'.repeat(5_000_000)] })],
])('%s: the served line stays', async (_, url) => {
  expect(await locate(url)).toBeNull();
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
