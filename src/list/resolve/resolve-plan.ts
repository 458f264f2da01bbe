import { pageNameOf, shotNameOf } from '../../baselines/index.js';
import {
  type CookieInput,
  type CredentialsInput,
  DEFAULTS,
  type PageFieldsInput,
  type PageInput,
  type PageListInput,
  type PlannedShot,
  parseUrl,
  type ServedFolder,
  type ShotFieldsInput,
} from '../../model/index.js';
import type { ListIssue, Locate, Path } from '../issue.js';
import type { StoryBlock } from '../served-folders.js';
import { storyUrl } from '../storybook.js';
import { checkContradictions, type FieldScope, findDuplicates, type PlacedName } from '../validate/check-shots.js';

/** A mapping of a list that stands for pages: a page, or an entry of `stories`. */
export interface Owner {
  readonly path: Path;
  readonly page: PageFieldsInput;
}

/** A page of a list, or a story as a page. */
interface Entry extends Pick<PlannedShot, 'served' | 'base' | 'before'> {
  readonly path: Path;
  readonly page: PageInput;
  readonly story: string | null;
}

/** One shot of an entry, with its name and its merged fields. */
interface Variant extends PlacedName {
  readonly entry: Entry;
  readonly fields: ShotFieldsInput;
  readonly scopes: readonly FieldScope[];
}

/**
 * Returns every shot of a valid list: each page and each of its states, in each of its viewports and modes; then the stories. Its
 * problems are those of shots: fields that contradict each other, and names that two shots have.
 */
export function resolvePlan(
  list: PageListInput,
  folders: { readonly served: ServedFolder | null; readonly blocks: readonly StoryBlock[] },
  locate: Locate,
): { readonly shots: PlannedShot[]; readonly issues: readonly ListIssue[] } {
  const variants = entriesOf(list, folders, locate).flatMap((entry) => variantsOf(list, entry, locate));
  return {
    shots: variants.map((variant) => planShot(list, variant)),
    issues: [
      ...variants.flatMap(({ fields, scopes }) => checkContradictions(fields, scopes)),
      ...findDuplicates(variants),
    ],
  };
}

function entriesOf(
  list: PageListInput,
  { served, blocks }: Parameters<typeof resolvePlan>[1],
  locate: Locate,
): Entry[] {
  const baseAt = (url: string | undefined, path: Path) =>
    url === undefined ? null : { url, position: locate(path, 'key') };
  const base = baseAt(list.baseURL, ['baseURL']);
  const beforeBase = baseAt(urlOf(list.before), ['before']);
  const pages = pagesOf(list).map(({ path, page }) => {
    return { path, page, story: null, served: parseUrl(page.url) === null ? served : null, base };
  });
  // The `baseURL` of the list is that of its pages. A Storybook has its own.
  const stories = blocks.flatMap(({ path, folder, baseURL, fields, stories }) => {
    const own = baseAt(baseURL ?? undefined, [...path, 'baseURL']);
    const served = own === null ? { folder, base: '/', fallback: null } : null;
    return stories.map(({ id, name }) => {
      return { path, page: { ...fields, name, url: storyUrl(id) }, story: id, served, base: own };
    });
  });
  return [...pages, ...stories].map((entry: Omit<Entry, 'before'>) => {
    const { page, base: ownBase } = entry;
    const url = urlOf(page.before) ?? (beforeBase && withoutOrigin(page.url));
    const credentials = beforeCredentials(list, page);
    return { ...entry, before: url ? { url, base: beforeBase ?? ownBase, credentials } : null };
  });
}

export function ownersOf(list: PageListInput, storyBlocks: readonly StoryBlock[]): Owner[] {
  return [...pagesOf(list), ...storyBlocks.map(({ path, fields }) => ({ path, page: fields }))];
}

function pagesOf({ pages = [] }: PageListInput) {
  return pages.map((page, index) => ({
    path: ['pages', index],
    page: typeof page === 'string' ? { url: page } : page,
  }));
}

function variantsOf(list: PageListInput, entry: Entry, locate: Locate): Variant[] {
  const { viewports = {}, modes = {} } = list;
  const page = entry.page.name ?? pageNameOf(entry.page.url);
  return statesOf(list, entry).flatMap(({ state, fields, path, at, scopes }) =>
    chosenOf(Object.keys(viewports), fields.viewports).flatMap((viewport) =>
      chosenOf(Object.keys(modes), fields.modes).map((mode) => {
        const { globals: _, ...own } = (mode === null ? null : modes[mode]) ?? {};
        return {
          ...{ name: shotNameOf({ page, viewport, mode, state }), entry, path, at, position: locate(path, at) },
          fields: mergeMode(fields, own),
          scopes: [{ path: ['modes', mode ?? ''], own }, ...scopes],
        };
      }),
    ),
  );
}

/** Returns the page itself, with state null, unless `base` is false; and its states, or those of the defaults. */
function statesOf({ defaults = {} }: PageListInput, { path, page }: Entry) {
  const { base = DEFAULTS.base, states = {} } = { ...defaults, ...page };
  const fields = mergeShotFields(shotFieldsOf(defaults), shotFieldsOf(page));
  const ofPage = { path, own: page };
  const ofDefaults = { path: ['defaults'], own: defaults };
  const whole = { state: null, fields, path, at: 'value' as const, scopes: [ofPage, ofDefaults] };
  const each = Object.entries(states).map(([state, own]) => {
    const merged = { state, fields: mergeShotFields(fields, own) };
    if (!page.states)
      return { ...whole, ...merged, scopes: [ofPage, { path: ['defaults', 'states', state], own }, ofDefaults] };
    const place = [...path, 'states', state];
    return { ...merged, path: place, at: 'key' as const, scopes: [{ path: place, own }, ofPage, ofDefaults] };
  });
  return base ? [whole, ...each] : each;
}

function planShot({ viewports = {}, modes = {} }: PageListInput, variant: Variant): PlannedShot {
  const { name, fields, position, entry } = variant;
  const { page, story, served, base, before } = entry;
  const { globals } = (name.mode === null ? null : modes[name.mode]) ?? {};
  return {
    ...name,
    ...{ position, served, base, before, fields },
    url: story === null ? page.url : storyUrl(story, globals),
    story: story === null ? null : { id: story, viewports: Object.keys(viewports), modes: Object.keys(modes) },
    size: name.viewport === null ? null : (viewports[name.viewport] ?? null),
    tags: [...new Set((fields.tags ?? []).map((tag) => (tag.startsWith('@') ? tag : `@${tag}`)))],
    skip: fields.skip ?? null,
  };
}

type Before = PageInput['before'] | PageListInput['before'];

function urlOf(before: Before): string | undefined {
  return typeof before === 'object' ? before.url : before;
}

/** Returns the page's own `before` credentials, otherwise those of the list, but only for the list's own origin. */
function beforeCredentials(list: PageListInput, page: PageInput): CredentialsInput | null {
  const url = urlOf(page.before) ?? '';
  const hasListOrigin = parseUrl(url) === null || new URL(url).origin === new URL(urlOf(list.before) ?? url).origin;
  return credentialsOf(page.before) ?? (hasListOrigin ? credentialsOf(list.before) : null);
}

function credentialsOf(before: Before): CredentialsInput | null {
  if (typeof before !== 'object') return null;
  const { url: _, ...credentials } = before;
  return Object.keys(credentials).length > 0 ? credentials : null;
}

function withoutOrigin(url: string): string {
  if (parseUrl(url) === null) return url;
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}

const CONCATENATED = ['hide', 'remove', 'mask', 'block'] as const;

/** Merges fields over inherited ones: those of a page over the defaults, those of a state over its page. */
function mergeShotFields(under: ShotFieldsInput, over: ShotFieldsInput): ShotFieldsInput {
  const fields = { ...under, ...over };
  for (const field of CONCATENATED) {
    const selectors = [under[field] ?? [], over[field] ?? []].flat();
    if (selectors.length > 0) fields[field] = selectors;
  }
  if (under.ignore && over.ignore) fields.ignore = [under.ignore, over.ignore].flat();
  if (under.texts && over.texts) fields.texts = { ...under.texts, ...over.texts };
  if (under.mock && over.mock) fields.mock = { ...under.mock, ...over.mock };
  if (under.settle && over.settle) fields.settle = { ...under.settle, ...over.settle };
  return fields;
}

/** Returns the fields of a page, or of the defaults, that a single shot has. */
function shotFieldsOf(fields: PageFieldsInput & Partial<PageInput>): ShotFieldsInput {
  const { name: _name, url: _url, before: _before, states: _states, base: _base, ...shotFields } = fields;
  return shotFields;
}

/** Returns the named viewports or modes in which a page is captured, in list order; one without a name if the list names none. */
function chosenOf(names: readonly string[], chosen: readonly string[] = names): readonly (string | null)[] {
  return names.length === 0 ? [null] : names.filter((name) => chosen.includes(name));
}

/**
 * Adds a mode to the fields of a page. What both have is merged as for a state, and further: the waits and actions of both run, cookies and
 * headers are merged by name, and the script of the mode runs before that of the page.
 */
function mergeMode(page: ShotFieldsInput, mode: ShotFieldsInput): ShotFieldsInput {
  const fields = mergeShotFields(page, mode);
  if (page.javascriptCode && mode.javascriptCode)
    fields.javascriptCode = `await (async () => {\n${mode.javascriptCode}\n})();\n${page.javascriptCode}`;
  if (page.waitFor && mode.waitFor) fields.waitFor = [page.waitFor, mode.waitFor].flat();
  if (page.actions && mode.actions) fields.actions = [...mode.actions, ...page.actions];
  if (page.tags && mode.tags) fields.tags = [...page.tags, ...mode.tags];
  if (page.headers && mode.headers) fields.headers = { ...page.headers, ...mode.headers };
  if (page.cookies && mode.cookies) {
    const [ours, theirs] = [listCookies(page.cookies), listCookies(mode.cookies)];
    fields.cookies = [...ours.filter(({ name }) => theirs.every((cookie) => cookie.name !== name)), ...theirs];
  }
  return fields;
}

export function listCookies(cookies: NonNullable<CredentialsInput['cookies']>): CookieInput[] {
  return Array.isArray(cookies) ? cookies : Object.entries(cookies).map(([name, value]) => ({ name, value }));
}
