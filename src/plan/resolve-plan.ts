import type { Position } from '../model/errors.js';
import type { PageInput, PageListInput } from '../model/page-list.js';
import type { PlannedShot } from '../model/plan.js';
import type { Path } from './finding.js';
import { mergeFields, viewportsOf } from './merge-fields.js';
import { pageNameOf, shotNameOf } from './names.js';

/** Gives every shot of a list that was checked, in the list's order: each page in each of its viewports. */
export function resolvePlan(list: PageListInput, locate: (path: Path) => Position): PlannedShot[] {
  return list.pages.flatMap((page, index) => {
    const position = locate(['pages', index]);
    return planPage(list, typeof page === 'string' ? { url: page } : page, position);
  });
}

function planPage(list: PageListInput, page: PageInput, position: Position): PlannedShot[] {
  const fields = mergeFields(list.defaults ?? {}, page);
  const names = Object.keys(list.viewports ?? {});
  const viewports = names.length === 0 ? [null] : viewportsOf(fields, names);
  return viewports.map((viewport) => ({
    ...shotNameOf(page.name ?? pageNameOf(page.url), viewport, null),
    position,
    url: page.url,
    before: page.before ?? (list.before === undefined ? null : belowSite(page.url)),
    baseURL: list.baseURL ?? null,
    beforeBaseURL: list.before ?? list.baseURL ?? null,
    tags: tagsOf(fields.tags ?? []),
    skip: fields.skip ?? null,
    size: viewport === null ? null : (list.viewports?.[viewport] ?? null),
    fields,
  }));
}

/** Gives a page's place below a site: of a URL its path, query and hash. */
function belowSite(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}

function tagsOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => (tag.startsWith('@') ? tag : `@${tag}`)))];
}
