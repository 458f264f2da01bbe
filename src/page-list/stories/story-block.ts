import type { PageFieldsInput } from '../../model/list/page-list.js';
import { isMapping, type Path } from '../issue.js';

/** The page of a built Storybook that renders one story. */
export const STORY_PAGE = 'iframe.html';

/** An entry of `stories` in a list: a built Storybook, with the stories to capture. */
export interface StoryBlock {
  readonly path: Path;
  /** Absolute path of the built Storybook. */
  readonly folder: string;
  /** URL under which the Storybook is served; null: the run serves the folder. */
  readonly baseURL: string | null;
  /** The page fields of the entry, without invalid ones. */
  readonly fields: PageFieldsInput;
  /** The names of the invalid fields. */
  readonly invalid: ReadonlySet<unknown>;
  /** The stories to capture, in the order of the Storybook. */
  readonly stories: readonly NamedStory[];
}

/** A story as a page. */
export interface NamedStory {
  /** The id in Storybook: `example-button--primary`. */
  readonly id: string;
  /** The name of its page: `Example/Button/Primary`. */
  readonly name: string;
}

/** Returns the path of each entry of `stories`: the value itself, or the items of a list. */
export function blockPathsOf(stories: unknown): Path[] {
  if (Array.isArray(stories)) return stories.map((_, index) => ['stories', index]);
  return typeof stories === 'string' || isMapping(stories) ? [['stories']] : [];
}

/** Returns the URL of a story, relative to its Storybook. */
export function storyUrl(id: string): string {
  return `${STORY_PAGE}?id=${encodeURIComponent(id)}&viewMode=story`;
}
