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
  const { place, base, url, opened, fixes } = first;
  return withoutCredentials(
    `${place}${more}: "${url}" opens ${opened}, without the path of baseURL ${base}. Write ${fixes.join(' and ')}.`,
  );
}

function droppedPathOf(shot: PlannedShot, projectBaseURL: string | null) {
  for (const { url, base: own } of [shot, shot.before].flatMap((page) => page ?? [])) {
    // The base URL of a served page is that of its server.
    const projectBase = own === null && shot.served === null ? projectBaseURL : null;
    const base = projectBaseURL === null ? (own?.url ?? null) : projectBase;
    if (base === null || parseUrl(url) !== null) continue;
    const found = dropsPath(url, base);
    if (found) return { place: renderPosition(shot.position), base, url, ...found };
  }
  return null;
}

/** A last segment with a dot is a file. Only its folder is expected to be used. */
function dropsPath(url: string, base: string): { opened: string; fixes: string[] } | null {
  const path = parseUrl(base)?.pathname.replace(/[^/]*\.[^/]*$/, '') ?? '';
  const folder = path.replace(/\/$/, '');
  const opened = parseUrl(url, base);
  if (folder === '' || opened === null || url.startsWith('..')) return null;
  if (opened.pathname === folder || opened.pathname.startsWith(`${folder}/`)) return null;
  const isFolder = new URL('.', base).pathname === `${folder}/`;
  const fixes = [
    ...(url.startsWith('/') ? [`".${url}"`] : []),
    ...(isFolder ? [] : [`baseURL: ${opened.origin}${folder}/`]),
  ];
  return { opened: opened.href, fixes };
}
