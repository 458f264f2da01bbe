import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { foldName, safePart, safePathParts } from '../baselines/index.js';
import { type ModeInput, parseJson, renderLog, renderPlain, type StoryFilterInput } from '../model/index.js';

/** Returns the URL of a story, relative to its Storybook. */
export function storyUrl(id: string, globals: NonNullable<ModeInput['globals']> = {}): string {
  const values = Object.entries(globals).map(([name, value]) => {
    return `${encodeURIComponent(name)}:${typeof value === 'boolean' ? `!${value}` : encodeURIComponent(value)}`;
  });
  const suffix = values.length > 0 ? `&globals=${values.join(';')}` : '';
  return `iframe.html?id=${encodeURIComponent(id)}&viewMode=story${suffix}`;
}

/** The stories of a built Storybook, in its order, or the reason why they cannot be read. */
export type StoryIndex =
  | { readonly kind: 'stories'; readonly stories: readonly Story[] }
  /** `found` follows the name of the folder. */
  | { readonly kind: 'unreadable'; readonly found: string; readonly advice: string };

const entrySchema = z.object({
  id: z.string().min(1).describe('such as `example-button--primary`'),
  title: z.string().describe('of its component, with `/` between the groups: `Example/Button`'),
  name: z.string(),
  type: z.string(),
  subtype: z
    .string()
    .optional()
    .describe('`test` for a test of a story, which Storybook 10 lists as a story of its own'),
  tags: z.array(z.string()).default([]),
});

export type Story = Readonly<Pick<z.infer<typeof entrySchema>, 'id' | 'title' | 'name' | 'tags'>>;

/** The format of `index.json` since Storybook 8. */
const indexSchema = z.object({ v: z.literal(5), entries: z.record(z.string(), entrySchema) });

/** Reads the stories of a built Storybook, without documentation pages and tests of stories. @param folder - absolute */
export function readStoryIndex(folder: string): StoryIndex {
  const file = join(folder, 'index.json');
  if (!existsSync(file)) {
    const advice = 'Build it with `npx storybook build -o storybook-static`, and use the path of that folder.';
    return unreadable('has no index.json, so it is not a built Storybook', advice);
  }
  const { data } = indexSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (!data) return unreadable('has an index.json that is not of version 5', 'Build it with Storybook 8, 9 or 10.');
  const entries = withDefaultTags(Object.values(data.entries));
  const stories = entries.filter(({ type, subtype }) => type === 'story' && subtype !== 'test');
  if (stories.length > 0) return { kind: 'stories', stories };
  return unreadable('has no stories', 'Check `stories` in .storybook/main, and build the Storybook again.');
}

/** Storybook 8.0 does not write the tags that each entry has by default. */
function withDefaultTags<T extends { readonly tags: string[] }>(entries: readonly T[]): T[] {
  const hasDefaults = entries.some(({ tags }) => DEFAULT_TAGS.some((tag) => tags.includes(tag)));
  return entries.map((entry) => (hasDefaults ? entry : { ...entry, tags: [...DEFAULT_TAGS, ...entry.tags] }));
}

const DEFAULT_TAGS = ['dev', 'test'];

function unreadable(found: string, advice: string): StoryIndex {
  return { kind: 'unreadable', found, advice };
}

type StoryMatcher = string | { readonly tag: string };

/**
 * Returns the stories that `include` names and `exclude` does not name. Without `include`, all are named. As in the test runner of
 * Storybook, a story without the tag `test` is left out, unless `include` names one of its tags.
 */
export function selectStories<T extends Story>(
  stories: readonly T[],
  include?: StoryFilterInput,
  exclude?: StoryFilterInput,
): T[] {
  const [included, excluded] = [include, exclude].map((filter): StoryMatcher[] => [filter ?? []].flat());
  const tags = included?.filter((matcher) => typeof matcher !== 'string');
  return stories.filter((story) => {
    const isIn = (matchers: readonly StoryMatcher[] = []) => matchers.some((matcher) => matchesStory(matcher, story));
    const isTested = story.tags.includes('test') || isIn(tags);
    return (include === undefined || isIn(included)) && isTested && !isIn(excluded);
  });
}

/** Checks whether a pattern matches the title of a story, or the title and the name, or whether the story has the tag. */
export function matchesStory(matcher: StoryMatcher, { title, name, tags }: Story): boolean {
  if (typeof matcher !== 'string') return tags.includes(matcher.tag.replace(/^@/, ''));
  const pattern = new RegExp(`^${sourceOf(matcher)}$`, 's');
  return pattern.test(title) || pattern.test(`${title}/${name}`);
}

/** Converts a glob pattern, as in `waitFor`: `*` does not match `/`, `**` does, and `{a,b}` matches either. */
function sourceOf(glob: string): string {
  const parts = glob.split(/(\*\*|\*|\{[^{}]*\})/).map((part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (/^\{.*\}$/s.test(part)) return `(?:${part.slice(1, -1).split(',').map(sourceOf).join('|')})`;
    return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return parts.join('');
}

const MAX_NAME_LENGTH = 200;

/**
 * Returns the names of the pages of stories, by their ids: `Example/Button/Primary`. Stories whose names would give the same files also get
 * their id, so that a name does not depend on the order of the stories.
 */
export function nameStories(stories: readonly Story[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const key of stories.map(fileKeyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Map(
    stories.map((story) => {
      const isUnique = counts.get(fileKeyOf(story)) === 1;
      return [story.id, isUnique ? nameOf(story) : `${nameOf(story)} (${story.id})`];
    }),
  );
}

function nameOf({ id, title, name }: Story): string {
  const plain = renderLog([title, name].map(renderPlain).join('/'));
  return plain.length <= MAX_NAME_LENGTH ? plain : safePart(id);
}

function fileKeyOf(story: Story): string {
  return foldName(safePathParts({ page: nameOf(story) }).join('/'));
}
