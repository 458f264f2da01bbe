import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  listSome,
  type PageFieldsInput,
  type PageListInput,
  type ServedFolder,
  type StoriesInput,
} from '../model/index.js';
import { invalid, invalidKey, type ListIssue, type Path } from './issue.js';
import { matchesStory, nameStories, readStoryIndex, type Story, selectStories } from './storybook.js';

/** Reads `serve` of a list, and the problems of `serve` and `reuse`. `served`: null if there is none. @param listFolder - absolute */
export function readServe(list: PageListInput, listFolder: string, blocks: readonly StoryBlock[]) {
  const { serve: data } = list;
  if (data === undefined) return { served: null, issues: checkReuse(list, blocks) };
  const { folder, base = '/', fallback = null } = typeof data === 'string' ? { folder: data } : data;
  const served = { folder: resolve(listFolder, folder), base: base.replace(/\/?$/, '/'), fallback };
  const place = typeof data === 'string' ? ['serve'] : ['serve', 'folder'];
  const issues = checkFolder(served, place);
  const found = '"serve" and "baseURL" exclude each other: each names the server of the pages';
  if (list.baseURL !== undefined) issues.push(invalidKey(['baseURL'], found, 'Remove one.'));
  return { served, issues };
}

function checkFolder({ folder, fallback }: ServedFolder, place: Path): ListIssue[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    const advice = 'Build the site, and use the path of the folder with its files, relative to the list.';
    return [invalid(place, 'the folder {value} does not exist', advice)];
  }
  if (fallback === null || statSync(resolve(folder, fallback), { throwIfNoEntry: false })?.isFile()) return [];
  const advice = 'Write the path of a file in the folder, such as index.html.';
  return [invalid(['serve', 'fallback'], 'the folder has no file {value}', advice)];
}

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
  readonly folder: string;
  /** URL under which the Storybook is served; null: the run serves the folder. */
  readonly baseURL: string | null;
  readonly fields: PageFieldsInput;
  /** The stories to capture, with the names of their pages, in the order of the Storybook. */
  readonly stories: readonly { readonly id: string; readonly name: string }[];
}

/** Reads the Storybooks of a list. @param listFolder - absolute */
export function readStories({ stories = [] }: PageListInput, listFolder: string) {
  const read = [stories].flat().map((entry, index) => {
    return readEntry(entry, Array.isArray(stories) ? ['stories', index] : ['stories'], listFolder);
  });
  return { blocks: read.map(({ block }): StoryBlock => block), issues: read.flatMap(({ issues }) => issues) };
}

function readEntry(entry: string | StoriesInput, path: Path, listFolder: string) {
  const options: StoriesInput = typeof entry === 'string' ? { folder: entry } : entry;
  const { folder: name, baseURL = null, include, exclude, ...fields } = options;
  const folder = resolve(listFolder, name);
  const place = typeof entry === 'string' ? path : [...path, 'folder'];
  const index = readStoryIndex(folder);
  const block = { path, folder, baseURL, fields };
  if (index.kind === 'unreadable') {
    const issue = invalid(place, `the Storybook {value} ${index.found}`, index.advice);
    return { block: { ...block, stories: [] }, issues: [issue] };
  }
  const names = nameStories(index.stories);
  const issues = checkInclude([...path, 'include'], include, index.stories);
  const selected = selectStories(index.stories, include, exclude);
  if (selected.length === 0 && issues.length === 0) {
    const advice =
      'Correct "include" and "exclude". A story without the tag "test" needs one of its tags in "include".';
    issues.push(invalid(place, 'no story is left', advice));
  }
  return { block: { ...block, stories: selected.map(({ id }) => ({ id, name: names.get(id) ?? id })) }, issues };
}

/** Finds items of `include` that match no story. A new story can match `exclude` later, so its items are not checked. */
function checkInclude(path: Path, include: StoriesInput['include'], stories: readonly Story[]): ListIssue[] {
  return [include ?? []].flat().flatMap((matcher, index) => {
    if (stories.some((story) => matchesStory(matcher, story))) return [];
    const place = Array.isArray(include) ? [...path, index] : path;
    const isTitle = typeof matcher === 'string';
    const names = [...new Set(stories.flatMap(({ title, tags }) => (isTitle ? title : tags)))];
    const advice = `${isTitle ? 'Titles' : 'Tags'} of this Storybook: ${listSome(names, 8)}.`;
    return [invalid(isTitle ? place : [...place, 'tag'], 'no story matches {value}', advice, names)];
  });
}
