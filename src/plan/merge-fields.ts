import type { PageFieldsInput, PageInput } from '../model/page-list.js';

/** Gives a page's fields over the list's defaults: selectors are added to each other, all else is replaced. */
export function mergeFields(defaults: PageFieldsInput, page: PageInput): PageFieldsInput {
  const { name: _name, url: _url, before: _before, ...own } = page;
  const hide = [defaults.hide ?? [], own.hide ?? []].flat();
  return { ...defaults, ...own, ...(hide.length > 0 && { hide }) };
}

/** Gives the named viewports in which a page is captured, in the list's order; none where the list names none. */
export function viewportsOf(fields: PageFieldsInput, names: readonly string[]): readonly string[] {
  return fields.viewports ? names.filter((name) => fields.viewports?.includes(name)) : names;
}
