import type { PageFieldsInput, PageInput, ShotFieldsInput } from '../../model/list/page-list.js';

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
