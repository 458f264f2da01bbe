import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  listSome,
  type PageFieldsInput,
  type PageListInput,
  parseUrl,
  type ServedFolder,
  type StoriesInput,
} from '../model/index.js';
import { invalid, invalidKey, type ListIssue, type Path } from './issue.js';
import { matchesStory, nameStories, readStoryIndex, type Story, selectStories } from './storybook.js';
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

/** An entry of `stories` in a list: a built Storybook, with the stories to capture. */
export interface StoryBlock {
  readonly path: Path;
  /** Absolute path of the built Storybook. */
  readonly folder: string;
  /** URL under which the Storybook is served; null: the run serves the folder. */
  readonly baseURL: string | null;
  /** The page fields of the entry. */
  readonly fields: PageFieldsInput;
  /** The stories to capture, with the names of their pages, in the order of the Storybook. */
  readonly stories: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Reads the Storybooks of a list.
 *
 * @param file - absolute path of the list
 * @param isInvalid - whether the schema reports the value at a path
 */
export function readStories({ stories = [] }: PageListInput, file: string, isInvalid: (path: Path) => boolean) {
  const blocks: StoryBlock[] = [];
  const issues: ListIssue[] = [];
  for (const [index, entry] of [stories].flat().entries()) {
    const path = Array.isArray(stories) ? ['stories', index] : ['stories'];
    if (isInvalid(path) || isInvalid([...path, 'folder'])) continue;
    const read = readEntry(entry, path, dirname(file));
    blocks.push(read.block);
    issues.push(...read.issues);
  }
  return { blocks, issues };
}

function readEntry(entry: string | StoriesInput, path: Path, base: string) {
  const options = typeof entry === 'string' ? { folder: entry } : entry;
  const { baseURL = null, include, exclude, ...rest } = options;
  const { folder: _, ...fields } = rest;
  const folder = resolve(base, rest.folder);
  const place = typeof entry === 'string' ? path : [...path, 'folder'];
  const index = readStoryIndex(folder, baseURL === null);
  const block = { path, folder, baseURL, fields };
  if (index.kind === 'unreadable') {
    const issue = invalid(place, `the Storybook {value} ${index.found}`, index.advice);
    return { block: { ...block, stories: [] }, issues: [issue] };
  }
  const names = nameStories(index.stories);
  const issues = checkInclude([...path, 'include'], include, index.stories);
  const selected = selectStories(index.stories, include, exclude);
  if (selected.length === 0 && issues.length === 0) issues.push(nothingLeft(place, index.stories, options));
  return { block: { ...block, stories: selected.map(({ id }) => ({ id, name: names.get(id) ?? id })) }, issues };
}

/** Finds items of `include` that match no story. A new story can match `exclude` later, so its items are not checked. */
function checkInclude(path: Path, include: StoriesInput['include'], stories: readonly Story[]): ListIssue[] {
  return [include ?? []].flat().flatMap((matcher, index) => {
    if (stories.some((story) => matchesStory(matcher, story))) return [];
    const place = Array.isArray(include) ? [...path, index] : path;
    return typeof matcher === 'string'
      ? [unmatched(place, matcher, 'title', [...new Set(stories.map(({ title }) => title))])]
      : [unmatched([...place, 'tag'], matcher.tag, 'tag', [...new Set(stories.flatMap(({ tags }) => tags))])];
  });
}

function unmatched(path: Path, wanted: string, kind: 'title' | 'tag', names: readonly string[]): ListIssue {
  const found = kind === 'tag' ? 'no story has the tag {value}' : 'no story has a title that matches {value}';
  if (names.some((name) => name.startsWith(`${wanted}/`))) return invalid(path, found, `Did you mean "${wanted}/**"?`);
  const advice = `${kind === 'tag' ? 'Tags' : 'Titles'} of this Storybook: ${listSome(names, 8)}.`;
  return invalid(path, found, advice, names);
}

function nothingLeft(path: Path, stories: readonly Story[], { include, exclude }: StoriesInput): ListIssue {
  const isUntested = selectStories(stories, include).length === 0;
  return invalid(
    path,
    isUntested ? 'no story is left: none has the tag "test"' : 'no story is left: "exclude" matches all of them',
    isUntested || exclude === undefined
      ? 'Name a tag of the stories in "include", such as { tag: dev }.'
      : 'Correct "exclude", or remove this entry.',
  );
}
