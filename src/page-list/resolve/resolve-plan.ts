import type { Position } from '../../model/errors.js';
import type { CredentialsInput } from '../../model/list/fields.js';
import type { PageInput, PageListInput, ShotFieldsInput } from '../../model/list/page-list.js';
import type { PlannedShot } from '../../model/shot.js';
import { DEFAULTS } from '../schema/defaults.js';
import type { Source } from '../yaml/source.js';
import { layFields, mergeFields, viewportsOf } from './merge-fields.js';
import { pageNameOf, shotNameOf } from './names.js';

/** What the shots of a page have in common, or those of one of its states. */
interface Interactions {
  readonly state: string | null;
  readonly fields: ShotFieldsInput;
  readonly position: Position;
}

/** Returns every shot of a list that was checked, in the list's order: each page and each of its states, in each of its viewports. */
export function resolvePlan(list: PageListInput, source: Pick<Source, 'locate'>): PlannedShot[] {
  return list.pages.flatMap((entry, index) => {
    const page = typeof entry === 'string' ? { url: entry } : entry;
    return interactionsOf(list, page, index, source).flatMap((situation) => resolveInteractions(list, page, situation));
  });
}

function interactionsOf(
  list: PageListInput,
  page: PageInput,
  index: number,
  { locate }: Pick<Source, 'locate'>,
): Interactions[] {
  const { base = DEFAULTS.base, states = {} } = { ...list.defaults, ...page };
  const fields = mergeFields(list.defaults ?? {}, page);
  const position = locate(['pages', index]);
  return [
    ...(base ? [{ state: null, fields, position }] : []),
    ...Object.entries(states).map(([state, own]) => ({
      state,
      fields: layFields(fields, own),
      position: page.states ? locate(['pages', index, 'states', state], 'key') : position,
    })),
  ];
}

function resolveInteractions(
  list: PageListInput,
  page: PageInput,
  { state, fields, position }: Interactions,
): PlannedShot[] {
  const names = Object.keys(list.viewports ?? {});
  const viewports = names.length === 0 ? [null] : viewportsOf(fields, names);
  return viewports.map((viewport) => ({
    ...shotNameOf(page.name ?? pageNameOf(page.url), viewport, state),
    position,
    url: page.url,
    before: urlOf(page.before) ?? (list.before === undefined ? null : belowSite(page.url)),
    beforeCredentials: beforeCredentials(list, page),
    baseURL: list.baseURL ?? null,
    beforeBaseURL: urlOf(list.before) ?? list.baseURL ?? null,
    tags: tagsOf(fields.tags ?? []),
    skip: fields.skip ?? null,
    size: viewport === null ? null : (list.viewports?.[viewport] ?? null),
    fields,
  }));
}

type Before = PageInput['before'] | PageListInput['before'];

function urlOf(before: Before): string | undefined {
  return typeof before === 'object' ? before.url : before;
}

/** A page's own, else those of the site that is before; they go to no other origin than its own. */
function beforeCredentials(list: PageListInput, page: PageInput): CredentialsInput | null {
  const url = urlOf(page.before) ?? '';
  const isOfSite = !URL.canParse(url) || new URL(url).origin === new URL(urlOf(list.before) ?? url).origin;
  return credentialsOf(page.before) ?? (isOfSite ? credentialsOf(list.before) : null);
}

function credentialsOf(before: Before): CredentialsInput | null {
  if (typeof before !== 'object') return null;
  const { url: _, ...credentials } = before;
  return Object.keys(credentials).length > 0 ? credentials : null;
}

/** Returns a page's place below a site: of a URL its path, query and hash. */
function belowSite(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}

function tagsOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => (tag.startsWith('@') ? tag : `@${tag}`)))];
}
