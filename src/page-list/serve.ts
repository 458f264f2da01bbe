import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { serveSchema } from '../model/list/page-list.js';
import type { ServedFolder } from '../model/served-folder.js';
import { parseUrl } from '../model/url.js';
import { describeValue, invalid, isMapping, type ListIssue, type Path, renderFile, valueAt } from './issue.js';
import type { StoryBlock } from './stories/story-block.js';
import { refersToEnv } from './yaml/env.js';

/** The texts of a list, and its Storybooks. */
interface ServeContext {
  /** Absolute path of the list. */
  readonly file: string;
  /** The list as written, for messages. */
  readonly written: unknown;
  readonly storyBlocks: readonly StoryBlock[];
}

/** The folder that the run serves for the pages of a list, and the problems of `serve` and `reuse`. */
interface ReadServe {
  /** Null: none, or `serve` does not fit its schema, which reports it. */
  readonly served: ServedFolder | null;
  readonly issues: readonly ListIssue[];
}

/** Reads `serve` of a list. */
export function readServe(filled: unknown, { file, written, storyBlocks }: ServeContext): ReadServe {
  const value = valueAt(filled, ['serve']);
  if (value === undefined) return { served: null, issues: checkReuse(filled, storyBlocks) };
  const { data } = serveSchema.safeParse(value);
  if (data === undefined) return { served: null, issues: [] };
  const { folder, base = '/', fallback = null } = typeof data === 'string' ? { folder: data } : data;
  const served = { folder: resolve(dirname(file), folder), base: base.replace(/\/?$/, '/'), fallback };
  const place = typeof data === 'string' ? ['serve'] : ['serve', 'folder'];
  return {
    served,
    issues: [
      ...checkFolder(served, place, written),
      ...(valueAt(filled, ['baseURL']) === undefined ? [] : [BOTH]),
      ...checkBase(filled, served.base),
    ],
  };
}

const BOTH: ListIssue = {
  ...invalid(
    ['baseURL'],
    '"serve" and "baseURL" exclude each other: each names the server of the pages',
    'Remove one.',
  ),
  at: 'key',
};

function checkFolder({ folder, fallback }: ServedFolder, place: Path, written: unknown): ListIssue[] {
  const text = valueAt(written, place);
  const shown = refersToEnv(text) ? describeValue(text) : renderFile(folder) || '.';
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return [invalid(place, `the folder ${shown} does not exist`, `${BUILD} It is relative to the list.`)];
  if (!stats.isDirectory()) return [invalid(place, `${shown} is a file, expected a folder`, BUILD)];
  if (fallback === null || statSync(resolve(folder, fallback), { throwIfNoEntry: false })?.isFile()) return [];
  const found = `the folder ${shown} has no file ${describeValue(valueAt(written, ['serve', 'fallback']))}`;
  return [invalid(['serve', 'fallback'], found, 'Write the path of a file in the folder, such as index.html.')];
}

const BUILD = 'Build the site, and use the path of the folder with its files.';

/** Finds paths of pages that are outside of `base`: the run has no files for them. */
function checkBase(filled: unknown, base: string): ListIssue[] {
  const pages = valueAt(filled, ['pages']);
  return (Array.isArray(pages) ? pages : []).flatMap((page: unknown, index) => {
    const url: unknown = isMapping(page) ? page.url : page;
    if (typeof url !== 'string' || !url.startsWith('/') || `${parseUrl(url, ORIGIN)?.pathname}/`.startsWith(base))
      return [];
    const path = ['pages', index, ...(isMapping(page) ? ['url'] : [])];
    const fixed = JSON.stringify(base + url.slice(1));
    return [invalid(path, `the path is outside of the base ${JSON.stringify(base)}`, `Write ${fixed}.`)];
  });
}

const ORIGIN = 'http://served.invalid';

/** Only the files of a served folder are known without a browser. */
function checkReuse(filled: unknown, storyBlocks: readonly StoryBlock[]): ListIssue[] {
  const reuse = valueAt(filled, ['reuse']);
  const isServed = storyBlocks.some(({ baseURL }) => baseURL === null);
  if (reuse === undefined || reuse === false || isServed) return [];
  const found = '"reuse" needs pages of a folder that the run serves itself';
  return [
    { ...invalid(['reuse'], found, 'Add "serve" with the folder of the built site, or remove "reuse".'), at: 'key' },
  ];
}
