import { foldName, safePart, safePathParts } from '../../baselines/index.js';
import { renderLog, renderPlain, type StoryFilterInput } from '../../model/index.js';
import type { Story } from './read-index.js';

/** `include` or `exclude`, as a list. */
export type StoryFilter = readonly StoryMatcher[];

/** A pattern of titles, or a tag. */
export type StoryMatcher = string | { readonly tag: string };

/** Returns a filter as a list. */
export function matchersOf(filter: StoryFilterInput | undefined): StoryFilter | null {
  return filter === undefined ? null : [filter].flat();
}

/** Tag of the stories that the test runner of Storybook runs. Storybook adds it to every story without `!test`. */
const TEST_TAG = 'test';

/**
 * Returns the stories that `include` names and `exclude` does not name. Without `include`, all are named.
 *
 * As in the test runner of Storybook, a story without the tag `test` is left out, unless `include` names one of its tags.
 */
export function selectStories<T extends Story>(
  stories: readonly T[],
  include: StoryFilter | null,
  exclude: StoryFilter | null,
): T[] {
  const tagMatchers = (include ?? []).filter((matcher) => typeof matcher !== 'string');
  return stories.filter((story) => {
    const isNamed = include === null || include.some((matcher) => matchesStory(matcher, story));
    const isTested = story.tags.includes(TEST_TAG) || tagMatchers.some((matcher) => matchesStory(matcher, story));
    return isNamed && isTested && !(exclude ?? []).some((matcher) => matchesStory(matcher, story));
  });
}

/** Checks whether a pattern matches the title of a story, or the title and the name, or whether the story has the tag. */
export function matchesStory(matcher: StoryMatcher, { title, name, tags }: Story): boolean {
  if (typeof matcher !== 'string') return tags.includes(matcher.tag.replace(/^@/, ''));
  const pattern = patternOf(matcher);
  return pattern.test(title) || pattern.test(`${title}/${name}`);
}

/** Converts a glob pattern, as in `waitFor`: `*` does not match `/`, `**` does, and `{a,b}` matches either. */
function patternOf(glob: string): RegExp {
  return new RegExp(`^${sourceOf(glob)}$`, 's');
}

function sourceOf(glob: string): string {
  const parts = glob.split(/(\*\*|\*|\{[^{}]*\})/).map((part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (/^\{.*\}$/s.test(part)) return `(?:${part.slice(1, -1).split(',').map(sourceOf).join('|')})`;
    return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return parts.join('');
}

/** A story as a page. */
export interface NamedStory {
  /** The id in Storybook: `example-button--primary`. */
  readonly id: string;
  /** The name of its page: `Example/Button/Primary`. */
  readonly name: string;
}

/** Maximum length of a page name in a list, in characters. */
const MAX_NAME_LENGTH = 200;

/**
 * Names each story by its title and its name: `Example/Button/Primary`. Stories whose names would give the same files also get
 * their id, so that a name does not depend on the order of the stories.
 */
export function nameStories(stories: readonly Story[]): NamedStory[] {
  const named = stories.map((story) => ({ id: story.id, name: nameOf(story) }));
  const counts = new Map<string, number>();
  for (const { name } of named) counts.set(fileKeyOf(name), (counts.get(fileKeyOf(name)) ?? 0) + 1);
  return named.map(({ id, name }) => ({
    id,
    name: (counts.get(fileKeyOf(name)) ?? 0) > 1 ? `${name} (${id})` : name,
  }));
}

function nameOf({ id, title, name }: Story): string {
  const plain = renderLog([title, name].map(renderPlain).join('/'));
  return plain.length <= MAX_NAME_LENGTH ? plain : safePart(id);
}

function fileKeyOf(name: string): string {
  return foldName(safePathParts({ page: name, viewport: null, state: null }).join('/'));
}
