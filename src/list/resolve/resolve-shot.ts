import { basename, dirname, resolve } from 'node:path';
import { fileNamesOf } from '../../baselines/index.js';
import {
  browserFields,
  type Credentials,
  type CredentialsInput,
  cookieOptions,
  DEFAULTS,
  type Emulation,
  fill,
  type Plan,
  type PlannedPage,
  type PlannedShot,
  type ProjectUse,
  ProofsheetError,
  parseUrl,
  renderCountOf,
  type Shot,
  type ShotFieldsInput,
  type Target,
  withoutCredentials,
} from '../../model/index.js';
import { renderFile, renderPosition } from '../issue.js';
import { listCookies } from './resolve-plan.js';
import { resolveSettings } from './resolve-settings.js';

export const NO_CREDENTIALS: Credentials = { headers: {}, cookies: [], storageState: null, httpCredentials: null };

/**
 * Resolves a planned shot with the settings of the Playwright project and the defaults.
 *
 * @throws ProofsheetError at the position of the page: `base-url-missing` if a path has no base URL; `list-invalid` if
 * both sides of a two-state shot are the same page.
 */
export function resolveShot(planned: PlannedShot, use: ProjectUse): Shot {
  const { id, page, viewport, mode, state, story, served, fields } = planned;
  const after = resolveSide(planned, planned, use);
  const before = planned.before && resolveSide(planned, planned.before, use);
  const beforeCredentials = planned.before?.credentials ?? null;
  // With different credentials, one URL can be two pages.
  if (beforeCredentials === null && before?.url === after.url) throw samePage(planned, after.url);
  // Without credentials of its own, the before page has those of the other side, but only on the same origin.
  const isOneOrigin = before !== null && new URL(before.url).origin === new URL(after.url).origin;
  const { capture, ...settings } = resolveSettings(fields, dirname(planned.position.file));
  const choosesArea = fields.element !== undefined || fields.fullSize !== undefined || capture.format === 'pdf';
  const cropsStory = story !== null && !choosesArea;
  const { emulation, contentHeight } = resolveEmulation(planned, use);
  const names = { page, viewport, mode, state };
  const perEnvironment = settings.verdict.environment === 'separate' && before === null;
  return {
    ...{ id, ...names, ...fileNamesOf(names, capture.format, perEnvironment) },
    after: {
      ...after,
      ...(served !== null && { servedFolder: basename(served.folder) }),
      credentials: resolveCredentials(fields, planned),
    },
    before: before && {
      ...before,
      credentials: resolveCredentials(beforeCredentials ?? (isOneOrigin ? fields : {}), planned),
    },
    emulation,
    capture: {
      ...{ ...capture, contentHeight },
      // Storybook reports whether a story failed. A story of an error message is not a failure.
      ...(story !== null && { story, warnsOfErrorText: false }),
      ...(cropsStory && { cropsStory, fullSize: true }),
    },
    ...settings,
  };
}

function samePage({ position }: PlannedShot, url: string): ProofsheetError {
  const found = `before and after are the same page, ${url}`;
  const advice = 'Set "before" and "baseURL" to different sites.';
  return new ProofsheetError({ code: 'list-invalid', where: renderPosition(position), found, advice }, position);
}

/**
 * The viewport is the named one, otherwise the page's `width` and `height`, otherwise that of the project. A device defines its own. The
 * height of the content is known only after the page has loaded: until then, the project's height or the default applies.
 */
function resolveEmulation({ size, fields }: PlannedShot, use: ProjectUse) {
  const given: { device?: string } & Pick<ShotFieldsInput, 'width' | 'height'> = size ?? fields;
  const width = given.width ?? use.viewport?.width ?? DEFAULTS.width;
  const height = given.height ?? use.viewport?.height ?? DEFAULTS.height;
  const emulation: Emulation = {
    device: given.device ?? null,
    size: given.device === undefined ? { width, height } : null,
    ...fill(browserFields, fields),
  };
  return { emulation, contentHeight: given.height === null };
}

/** Does not check whether the storage state file exists: a setup project may write it later. */
function resolveCredentials(
  { headers = {}, cookies = [], storageState, httpCredentials }: CredentialsInput,
  { position }: PlannedShot,
): Credentials {
  return {
    headers,
    cookies: listCookies(cookies).map((cookie) => {
      const { name, value } = cookie;
      return { ...fill(cookieOptions, cookie), name, value };
    }),
    storageState: storageState === undefined ? null : resolve(dirname(position.file), storageState),
    httpCredentials: httpCredentials ?? null,
  };
}

function resolveSide(
  { position: place, fields: { httpStatus, finalUrl } }: PlannedShot,
  page: PlannedPage,
  use: ProjectUse,
): Omit<Target, 'credentials'> {
  const { base, url } = joinBase(page, use.baseURL);
  if (url === null) {
    const problem = base ? `baseURL "${base}" is not a valid base for it` : 'baseURL is not set';
    const found = `the URL is a path, but ${problem}`;
    const advice = 'Set serve or baseURL in the page list, or use.baseURL in playwright.config.';
    // The same text for all pages, so that the summary of the run shows it once. Playwright prints the position.
    throw new ProofsheetError({ code: 'base-url-missing', where: page.url, found, advice }, place);
  }
  const own = page.base?.position;
  const baseURLSource = own ? `${renderFile(own.file)}:${own.line}` : 'the Playwright config';
  const final = finalUrl === undefined ? null : new URL(finalUrl, url).href;
  return {
    ...{ url: url.href, httpStatus: httpStatus ?? null, finalUrl: final },
    ...(base !== null && { baseURLSource }),
  };
}

/** Returns the URL of a page, or null if it is a path without a valid base. `base`: the base URL of a path; otherwise null. */
function joinBase({ url: path, base: own }: PlannedPage, projectBaseURL: string | null) {
  const whole = parseUrl(path);
  const base = whole ? null : (own?.url ?? projectBaseURL);
  return { base, url: whole ?? (base === null ? null : parseUrl(path, base)) };
}

/** Returns a notice if pages do not use the path of their base URL: `new URL('/a', 'http://host/app/')` is `http://host/a`. */
export function renderDroppedPath({ shots }: Pick<Plan, 'shots'>, projectBaseURL: string | null): string | null {
  const dropped = shots.flatMap(({ position, served, before, ...after }) =>
    [after, before ?? []].flat().flatMap((page) => {
      // The base URL of a served page is that of its server.
      const { base, url } = joinBase(page, served === null ? projectBaseURL : null);
      const isDropped = base !== null && url !== null && dropsPath(page.url, base, url);
      return isDropped ? [{ place: renderPosition(position), path: page.url, base, opened: url.href }] : [];
    }),
  );
  const [first] = dropped;
  if (!first) return null;
  const pages = new Set(dropped.map(({ place }) => place));
  const more = pages.size > 1 ? ` (and ${renderCountOf(pages.size - 1, 'more page')})` : '';
  const { place, path, base, opened } = first;
  return withoutCredentials(
    `${place}${more}: "${path}" opens ${opened}, without the path of baseURL ${base}. Write "./a" instead of "/a", and end baseURL with a slash.`,
  );
}

/** A last segment with a dot is a file. Only its folder is expected to be used. */
function dropsPath(path: string, base: string, opened: URL): boolean {
  const folder = new URL(base).pathname.replace(/[^/]*\.[^/]*$/, '').replace(/\/$/, '');
  return folder !== '' && !path.startsWith('..') && !`${opened.pathname}/`.startsWith(`${folder}/`);
}
