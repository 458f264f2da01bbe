import { renderPosition } from '../list/index.js';
import { type Plan, type PlannedShot, parseUrl, renderCountOf, withoutCredentials } from '../model/index.js';

/**
 * Returns a notice if pages do not use the path of their base URL: `new URL('/a', 'http://host/app/')` is `http://host/a`.
 * @param projectBaseURL - null: only the base URLs of the list are checked
 */
export function renderDroppedPath({ shots }: Pick<Plan, 'shots'>, projectBaseURL: string | null): string | null {
  const dropped = shots.flatMap((shot) => droppedPathOf(shot, projectBaseURL) ?? []);
  const [first] = dropped;
  if (!first) return null;
  const pages = new Set(dropped.map(({ place }) => place));
  const more = pages.size > 1 ? ` (and ${renderCountOf(pages.size - 1, 'more page')})` : '';
  const { place, base, url, opened } = first;
  return withoutCredentials(
    `${place}${more}: "${url}" opens ${opened}, without the path of baseURL ${base}. Write "./a" instead of "/a", and end baseURL with a slash.`,
  );
}

function droppedPathOf(shot: PlannedShot, projectBaseURL: string | null) {
  for (const { url, base: own } of [shot, shot.before].flatMap((page) => page ?? [])) {
    // The base URL of a served page is that of its server.
    const projectBase = own === null && shot.served === null ? projectBaseURL : null;
    const base = projectBaseURL === null ? (own?.url ?? null) : projectBase;
    if (base === null || parseUrl(url) !== null) continue;
    const opened = parseUrl(url, base);
    if (opened && dropsPath(url, base, opened))
      return { place: renderPosition(shot.position), base, url, opened: opened.href };
  }
  return null;
}

/** A last segment with a dot is a file. Only its folder is expected to be used. */
function dropsPath(url: string, base: string, opened: URL): boolean {
  const folder = new URL(base).pathname.replace(/[^/]*\.[^/]*$/, '').replace(/\/$/, '');
  return folder !== '' && !url.startsWith('..') && !`${opened.pathname}/`.startsWith(`${folder}/`);
}
