import { basename } from 'node:path';
import {
  type CaptureSettings,
  type CompareSettings,
  DEFAULTS,
  type Emulation,
  type PlannedShot,
  type Position,
  type ProjectUse,
  ProofsheetError,
  parseUrl,
  type Shot,
  type ShotFieldsInput,
  type Size,
  type Target,
} from '../../model/index.js';
import { renderFile, renderPosition } from '../issue.js';
import { resolveCapture } from './resolve-capture.js';
import { resolveBeforeCredentials, resolveCredentials } from './resolve-credentials.js';

/** The resolved settings of a shot, except its pages and its emulation. */
export type Settings = Pick<Shot, 'capture' | 'compare' | 'timeoutMs' | 'strict' | 'minCompared' | 'environment'>;

/**
 * Resolves a planned shot with the settings of the Playwright project and the defaults.
 *
 * Paths are resolved as in Playwright, by `new URL(path, base)`. A relative `finalUrl` is resolved against the URL of
 * its side.
 *
 * @throws ProofsheetError at the position of the page: `base-url-missing` if a path has no base URL; `list-invalid` if
 * both sides of a two-state shot are the same page.
 */
export function resolveShot(planned: PlannedShot, use: ProjectUse): Shot {
  const { id, page, viewport, state, url, before, baseURL, beforeBaseURL, fields } = planned;
  const afterUrl = resolveUrl(planned, url, baseURL ?? use.baseURL);
  const beforeUrl = before === null ? null : resolveUrl(planned, before, beforeBaseURL ?? use.baseURL);
  const { capture, ...settings } = resolveSettings(fields);
  if (isSamePage(planned, afterUrl, beforeUrl)) throw samePage(planned, afterUrl);
  return {
    ...{ id, page, viewport, state },
    after: {
      ...resolveTarget(fields, afterUrl),
      ...baseSourceOf(url, planned.baseURLPosition),
      ...servedFolderOf(planned),
      credentials: resolveCredentials(planned),
    },
    before: beforeUrl === null ? null : resolveBefore(planned, afterUrl, beforeUrl),
    emulation: resolveEmulation(planned, use),
    capture: { ...capture, contentHeight: heightOf(planned) === null, ...storySettings(planned) },
    ...settings,
  };
}

/** Storybook reports whether a story failed. A story of an error message is not a failure. */
function storySettings({ story }: PlannedShot): Partial<Pick<CaptureSettings, 'story' | 'warnsOfErrorText'>> {
  return story === null ? {} : { story, warnsOfErrorText: false };
}

function servedFolderOf({ served }: PlannedShot): Pick<Target, 'servedFolder'> {
  return served === null ? {} : { servedFolder: basename(served.folder) };
}

/** With different credentials, one URL can be two pages. */
function isSamePage({ beforeCredentials }: PlannedShot, afterUrl: string, beforeUrl: string | null): boolean {
  return beforeCredentials === null && beforeUrl !== null && new URL(beforeUrl).href === new URL(afterUrl).href;
}

function samePage({ position }: PlannedShot, url: string): ProofsheetError {
  return new ProofsheetError(
    {
      code: 'list-invalid',
      where: renderPosition(position),
      found: `before and after are the same page, ${url}`,
      advice: 'Set "before" and "baseURL" to different sites.',
    },
    position,
  );
}

/**
 * Resolves the fields of a page, or the options of a matcher, with the defaults.
 *
 * If neither limit is set, no pixel may differ. If only one limit is set, the other is null.
 */
export function resolveSettings(fields: ShotFieldsInput): Settings {
  return {
    capture: resolveCapture(fields),
    compare: resolveCompare(fields),
    timeoutMs: Math.round((fields.timeout ?? DEFAULTS.timeout) * 1000),
    strict: fields.strict ?? DEFAULTS.strict,
    minCompared: fields.minCompared ?? DEFAULTS.minCompared,
    environment: fields.environment ?? DEFAULTS.environment,
  };
}

function resolveCompare(fields: ShotFieldsInput): CompareSettings {
  const { threshold, maxDiffPixels, maxDiffPixelRatio, maxSizeDiff, allowShift, antialiasing, engine } = fields;
  const isUnlimited = maxDiffPixels === undefined && maxDiffPixelRatio === undefined;
  return {
    threshold: threshold ?? DEFAULTS.threshold,
    maxDiffPixels: isUnlimited ? DEFAULTS.maxDiffPixels : (maxDiffPixels ?? null),
    maxDiffPixelRatio: maxDiffPixelRatio ?? null,
    maxSizeDiff: maxSizeDiff ?? DEFAULTS.maxSizeDiff,
    allowShift: allowShift ?? DEFAULTS.allowShift,
    antialiasing: antialiasing ?? DEFAULTS.antialiasing,
    engine: engine ?? DEFAULTS.engine,
  };
}

function resolveEmulation(planned: PlannedShot, use: ProjectUse): Emulation {
  const { size, fields } = planned;
  return {
    device: size && 'device' in size ? size.device : null,
    size: resolveSize(planned, use),
    language: fields.language ?? null,
    colorScheme: fields.colorScheme ?? null,
    timezone: fields.timezone ?? null,
    userAgent: fields.userAgent ?? null,
  };
}

/**
 * Returns the named viewport, otherwise the page's `width` and `height`, otherwise the project's viewport. Returns null
 * for a device, because it defines its own size.
 */
function resolveSize(planned: PlannedShot, use: ProjectUse): Size | null {
  const { size, fields } = planned;
  if (size && 'device' in size) return null;
  return {
    width: (size ?? fields).width ?? use.viewport?.width ?? DEFAULTS.width,
    // A content height is known only after the page has loaded. Until then, the project's height or the default applies.
    height: heightOf(planned) ?? use.viewport?.height ?? DEFAULTS.height,
  };
}

/** Returns the height in the list: null for the height of the content, undefined if it is not set. */
function heightOf({ size, fields }: PlannedShot): number | null | undefined {
  if (size === null) return fields.height;
  return 'device' in size ? undefined : size.height;
}

function resolveBefore(planned: PlannedShot, afterUrl: string, beforeUrl: string): Target {
  const credentials = resolveBeforeCredentials(planned, afterUrl, beforeUrl);
  const source = baseSourceOf(planned.before ?? '', planned.beforeBaseURLPosition);
  return { ...resolveTarget(planned.fields, beforeUrl), ...source, credentials };
}

/** Names the place that sets the base URL of a path, by its line. */
function baseSourceOf(url: string, position: Position | null): Pick<Target, 'baseURLSource'> {
  if (parseUrl(url) !== null) return {};
  return { baseURLSource: position ? `${renderFile(position.file)}:${position.line}` : 'the Playwright config' };
}

function resolveTarget({ httpStatus, finalUrl }: ShotFieldsInput, url: string): Omit<Target, 'credentials'> {
  return {
    url,
    httpStatus: httpStatus ?? null,
    finalUrl: finalUrl === undefined ? null : new URL(finalUrl, url).href,
  };
}

function resolveUrl({ position }: PlannedShot, path: string, base: string | null): string {
  if (parseUrl(path) !== null) return new URL(path).href;
  if (base !== null && parseUrl(path, base) !== null) return new URL(path, base).href;
  throw new ProofsheetError(
    {
      code: 'base-url-missing',
      // The same text for all pages, so that the summary of the run shows it once. Playwright prints the position.
      where: path,
      found: `the URL is a path, but ${base ? `baseURL "${base}" is not a valid base for it` : 'baseURL is not set'}`,
      advice: 'Set serve or baseURL in the page list, or use.baseURL in playwright.config.',
    },
    position,
  );
}
