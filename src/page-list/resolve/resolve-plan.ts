import type { Position } from '../../model/errors.js';
import { DEFAULTS } from '../../model/list/defaults.js';
import type { CredentialsInput } from '../../model/list/fields.js';
import type { PageFieldsInput, PageInput, PageListInput, ShotFieldsInput } from '../../model/list/page-list.js';
import type { PlannedShot } from '../../model/shot.js';
import { parseUrl } from '../../model/url.js';
import type { Source } from '../yaml/source.js';
import { pageNameOf, shotNameOf } from './names.js';

/** A page, or one of its states, before it is split by viewport. */
interface StateFields {
  readonly state: string | null;
  readonly fields: ShotFieldsInput;
  readonly position: Position;
}

/** Returns every shot of a validated list, in list order: each page and each of its states, in each of its viewports. */
export function resolvePlan(list: PageListInput, source: Pick<Source, 'locate'>): PlannedShot[] {
  return list.pages.flatMap((entry, index) => {
    const page = typeof entry === 'string' ? { url: entry } : entry;
    return stateFieldsOf(list, page, index, source).flatMap((state) => resolveViewports(list, page, state, source));
  });
}

function stateFieldsOf(
  list: PageListInput,
  page: PageInput,
  index: number,
  { locate }: Pick<Source, 'locate'>,
): StateFields[] {
  const { base = DEFAULTS.base, states = {} } = { ...list.defaults, ...page };
  const fields = mergeFields(list.defaults ?? {}, page);
  const position = locate(['pages', index]);
  return [
    ...(base ? [{ state: null, fields, position }] : []),
    ...Object.entries(states).map(([state, stateFields]) => ({
      state,
      fields: mergeShotFields(fields, stateFields),
      position: page.states ? locate(['pages', index, 'states', state], 'key') : position,
    })),
  ];
}

function resolveViewports(
  list: PageListInput,
  page: PageInput,
  { state, fields, position }: StateFields,
  source: Pick<Source, 'locate'>,
): PlannedShot[] {
  const names = Object.keys(list.viewports ?? {});
  const viewports = names.length === 0 ? [null] : viewportsOf(fields, names);
  const basePositions = basePositionsOf(list, source);
  return viewports.map((viewport) => ({
    ...shotNameOf(page.name ?? pageNameOf(page.url), viewport, state),
    position,
    url: page.url,
    before: urlOf(page.before) ?? (list.before === undefined ? null : withoutOrigin(page.url)),
    beforeCredentials: beforeCredentials(list, page),
    baseURL: list.baseURL ?? null,
    beforeBaseURL: urlOf(list.before) ?? list.baseURL ?? null,
    ...basePositions,
    tags: tagsOf(fields.tags ?? []),
    skip: fields.skip ?? null,
    size: viewport === null ? null : (list.viewports?.[viewport] ?? null),
    fields,
  }));
}

function basePositionsOf(
  list: PageListInput,
  { locate }: Pick<Source, 'locate'>,
): Pick<PlannedShot, 'baseURLPosition' | 'beforeBaseURLPosition'> {
  const baseURLPosition = list.baseURL === undefined ? null : locate(['baseURL'], 'key');
  const before = list.before === undefined ? baseURLPosition : locate(['before'], 'key');
  return { baseURLPosition, beforeBaseURLPosition: before };
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

/** Returns the path, query and hash of a URL; a path unchanged. */
function withoutOrigin(url: string): string {
  if (parseUrl(url) === null) return url;
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}

function tagsOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => (tag.startsWith('@') ? tag : `@${tag}`)))];
}

/** Selector fields that are concatenated with those of the defaults. `ignore` is concatenated as well. */
const CONCATENATED = ['hide', 'remove', 'mask'] as const;

/**
 * Merges fields over inherited fields: those of a page over the defaults, those of a state over its page.
 *
 * Selector lists and `ignore` are concatenated. `settle` is merged switch by switch. Every other field is replaced.
 */
export function mergeShotFields(under: ShotFieldsInput, over: ShotFieldsInput): ShotFieldsInput {
  const fields = { ...under, ...over };
  for (const field of CONCATENATED) {
    const selectors = [under[field] ?? [], over[field] ?? []].flat();
    if (selectors.length > 0) fields[field] = selectors;
  }
  if (under.ignore && over.ignore) fields.ignore = [under.ignore, over.ignore].flat();
  if (under.settle && over.settle) fields.settle = { ...under.settle, ...over.settle };
  return fields;
}

/** Merges a page's fields over the defaults, without the fields that a single shot does not have. */
export function mergeFields(defaults: PageFieldsInput, page: PageInput): ShotFieldsInput {
  return mergeShotFields(shotFieldsOf(defaults), shotFieldsOf(page));
}

/** Returns the fields of a page, or of the defaults, that a single shot has. */
export function shotFieldsOf(fields: PageFieldsInput & Partial<PageInput>): ShotFieldsInput {
  const { name: _name, url: _url, before: _before, states: _states, base: _base, ...shotFields } = fields;
  return shotFields;
}

/** Returns the named viewports in which a page is captured, in list order; empty if the list names none. */
export function viewportsOf(fields: ShotFieldsInput, names: readonly string[]): readonly string[] {
  return fields.viewports ? names.filter((name) => fields.viewports?.includes(name)) : names;
}
