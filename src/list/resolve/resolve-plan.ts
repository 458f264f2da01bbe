import { pageNameOf, shotNameOf } from '../../baselines/index.js';
import {
  type CookieInput,
  type CredentialsInput,
  DEFAULTS,
  type PageFieldsInput,
  type PageInput,
  type PageListInput,
  type PlannedShot,
  type Position,
  parseUrl,
  type ServedFolder,
  type ShotFieldsInput,
  type ShotName,
} from '../../model/index.js';
import type { Locate, Path } from '../issue.js';
import type { StoryBlock } from '../served-folders.js';
import { storyUrl } from '../storybook.js';

/** A mapping of a list that stands for pages: a page, or an entry of `stories`. */
export interface Owner {
  readonly path: Path;
  readonly page: PageFieldsInput;
}

export interface PlacedShot {
  /** The path of its page, or of its entry of `stories`. */
  readonly page: Path;
  /** The path of its state, if that is a state of the page; otherwise that of the page. */
  readonly path: Path;
  readonly shot: PlannedShot;
}

/** A page of a list, or a story as a page. */
interface Entry extends Pick<PlannedShot, 'served' | 'base'> {
  readonly path: Path;
  readonly page: PageInput;
  readonly story: string | null;
}

/** Returns every shot of a validated list: each page and each of its states, in each of its viewports and modes; then the stories. */
export function resolvePlan(
  list: PageListInput,
  { served, blocks }: { readonly served: ServedFolder | null; readonly blocks: readonly StoryBlock[] },
  locate: Locate,
): PlacedShot[] {
  const baseAt = (url: string | undefined, path: Path) =>
    url === undefined ? null : { url, position: locate(path, 'key') };
  const base = baseAt(list.baseURL, ['baseURL']);
  const pages = pagesOf(list).map(({ path, page }): Entry => {
    return { path, page, story: null, served: parseUrl(page.url) === null ? served : null, base };
  });
  // The `baseURL` of the list is that of its pages. A Storybook has its own.
  const stories = blocks.flatMap(({ path, folder, baseURL, fields, stories }) => {
    const own = baseAt(baseURL ?? undefined, [...path, 'baseURL']);
    const served = own === null ? { folder, base: '/', fallback: null } : null;
    return stories.map(({ id, name }): Entry => {
      return { path, page: { ...fields, name, url: storyUrl(id) }, story: id, served, base: own };
    });
  });
  return [...pages, ...stories].flatMap((entry) => resolveEntry(list, entry, locate));
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

function resolveEntry(list: PageListInput, { path, page, story, served, base }: Entry, locate: Locate): PlacedShot[] {
  const { viewports = {}, modes = {} } = list;
  const { base: hasBase = DEFAULTS.base, states = {} } = { ...list.defaults, ...page };
  const fields = mergeShotFields(shotFieldsOf(list.defaults ?? {}), shotFieldsOf(page));
  const position = locate(path);
  const beforeSite = urlOf(list.before);
  const beforeUrl = urlOf(page.before) ?? (beforeSite === undefined ? undefined : withoutOrigin(page.url));
  const beforeBase = beforeSite === undefined ? base : { url: beforeSite, position: locate(['before'], 'key') };
  const common = {
    before:
      beforeUrl === undefined ? null : { url: beforeUrl, base: beforeBase, credentials: beforeCredentials(list, page) },
    story: story === null ? null : { id: story, viewports: Object.keys(viewports), modes: Object.keys(modes) },
    ...{ served, base },
  };
  const shotOf = (names: Omit<ShotName, 'id' | 'page'>, own: ShotFieldsInput, at: Position): PlannedShot => {
    const size = names.viewport === null ? null : (viewports[names.viewport] ?? null);
    const { globals = {}, ...mode } = names.mode === null ? {} : (modes[names.mode] ?? {});
    const merged = mergeMode(own, mode);
    return {
      ...shotNameOf({ page: page.name ?? pageNameOf(page.url), ...names }),
      ...common,
      ...{ url: story === null ? page.url : storyUrl(story, globals), position: at, size, fields: merged },
      tags: [...new Set((merged.tags ?? []).map((tag) => (tag.startsWith('@') ? tag : `@${tag}`)))],
      skip: merged.skip ?? null,
    };
  };
  const inEach = (state: string | null, own: ShotFieldsInput, place: Path, at: Position): PlacedShot[] =>
    chosenOf(Object.keys(viewports), own.viewports).flatMap((viewport) =>
      chosenOf(Object.keys(modes), own.modes).map((mode) => {
        return { page: path, path: place, shot: shotOf({ viewport, mode, state }, own, at) };
      }),
    );
  return [
    ...(hasBase ? inEach(null, fields, path, position) : []),
    ...Object.entries(states).flatMap(([state, stateFields]) => {
      const place = page.states ? [...path, 'states', state] : path;
      return inEach(state, mergeShotFields(fields, stateFields), place, locate(place, page.states ? 'key' : 'value'));
    }),
  ];
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
