import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type PageListInput, parseUrl, type ServedFolder } from '../model/index.js';
import { invalid, invalidKey, type ListIssue, type Path } from './issue.js';
import type { StoryBlock } from './stories/read-stories.js';
import type { ValidList } from './validate/valid-list.js';

/**
 * Reads `serve` of a list: the folder that the run serves for its pages, and the problems of `serve` and `reuse`. `served` is null if there
 * is none, or if `serve` does not fit its schema, which reports it.
 *
 * @param file - absolute path of the list
 */
export function readServe(
  { list, isInvalidBelow }: ValidList,
  file: string,
  blocks: readonly StoryBlock[],
): { readonly served: ServedFolder | null; readonly issues: readonly ListIssue[] } {
  const { serve: data } = list;
  if (isInvalidBelow(['serve'])) return { served: null, issues: [] };
  if (data === undefined) return { served: null, issues: checkReuse(list, blocks) };
  const { folder, base = '/', fallback = null } = typeof data === 'string' ? { folder: data } : data;
  const served = { folder: resolve(dirname(file), folder), base: base.replace(/\/?$/, '/'), fallback };
  const place = typeof data === 'string' ? ['serve'] : ['serve', 'folder'];
  const conflicts = list.baseURL === undefined ? [] : [BOTH];
  return { served, issues: [...checkFolder(served, place), ...conflicts, ...checkBase(list, served.base)] };
}

const BOTH = invalidKey(
  ['baseURL'],
  '"serve" and "baseURL" exclude each other: each names the server of the pages',
  'Remove one.',
);

function checkFolder({ folder, fallback }: ServedFolder, place: Path): ListIssue[] {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return [invalid(place, 'the folder {value} does not exist', `${BUILD} It is relative to the list.`)];
  if (!stats.isDirectory()) return [invalid(place, '{value} is a file, expected a folder', BUILD)];
  if (fallback === null || statSync(resolve(folder, fallback), { throwIfNoEntry: false })?.isFile()) return [];
  const advice = 'Write the path of a file in the folder, such as index.html.';
  return [invalid(['serve', 'fallback'], 'the folder has no file {value}', advice)];
}

const BUILD = 'Build the site, and use the path of the folder with its files.';

function checkBase({ pages = [] }: PageListInput, base: string): ListIssue[] {
  return pages.flatMap((page, index) => {
    const url = typeof page === 'string' ? page : page.url;
    if (!url.startsWith('/') || `${parseUrl(url, ORIGIN)?.pathname}/`.startsWith(base)) return [];
    const path = ['pages', index, ...(typeof page === 'string' ? [] : ['url'])];
    const fixed = JSON.stringify(base + url.slice(1));
    return [invalid(path, `the path is outside of the base ${JSON.stringify(base)}`, `Write ${fixed}.`)];
  });
}

const ORIGIN = 'http://served.invalid';

/** Only the files of a served folder are known without a browser. */
function checkReuse({ reuse }: PageListInput, blocks: readonly StoryBlock[]): ListIssue[] {
  const isServed = blocks.some(({ baseURL }) => baseURL === null);
  if (reuse === undefined || reuse === false || isServed) return [];
  const found = '"reuse" needs pages of a folder that the run serves itself';
  return [invalidKey(['reuse'], found, 'Add "serve" with the folder of the built site, or remove "reuse".')];
}
