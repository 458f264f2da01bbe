import type { PageFieldsInput, PageInput, ShotFieldsInput } from '../../model/list/page-list.js';

/** Lists of selectors: a page's own are added to those of the defaults. What is ignored is added as well. */
const ADDED = ['hide', 'remove', 'mask'] as const;

/**
 * Lays fields over others, a page's over the defaults' and a state's over its page's: selectors are added to each other,
 * the switches of `settle` are replaced one by one, and all else is replaced whole.
 */
export function layFields(under: ShotFieldsInput, over: ShotFieldsInput): ShotFieldsInput {
  const fields = { ...under, ...over };
  for (const field of ADDED) {
    const selectors = [under[field] ?? [], over[field] ?? []].flat();
    if (selectors.length > 0) fields[field] = selectors;
  }
  if (under.ignore && over.ignore) fields.ignore = [under.ignore, over.ignore].flat();
  if (under.settle && over.settle) fields.settle = { ...under.settle, ...over.settle };
  return fields;
}

/** Returns a page's fields over the list's defaults, without what is no field of a single shot. */
export function mergeFields(defaults: PageFieldsInput, page: PageInput): ShotFieldsInput {
  return layFields(shotFieldsOf(defaults), shotFieldsOf(page));
}

/** Returns of a page's fields, or of the defaults, those that a single shot has. */
export function shotFieldsOf(fields: PageFieldsInput & Partial<PageInput>): ShotFieldsInput {
  const { name: _name, url: _url, before: _before, states: _states, base: _base, ...own } = fields;
  return own;
}

/** Returns the named viewports in which a page is captured, in the list's order; none where the list names none. */
export function viewportsOf(fields: ShotFieldsInput, names: readonly string[]): readonly string[] {
  return fields.viewports ? names.filter((name) => fields.viewports?.includes(name)) : names;
}
