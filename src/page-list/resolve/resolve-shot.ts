import { ProofsheetError } from '../../model/errors.js';
import type { Size } from '../../model/image.js';
import type { ShotFieldsInput } from '../../model/list/page-list.js';
import type { CompareSettings, Emulation, PlannedShot, ProjectUse, Shot, Target } from '../../model/shot.js';
import { renderPosition } from '../issue.js';
import { DEFAULTS } from '../schema/defaults.js';
import { resolveCapture } from './resolve-capture.js';
import { resolveBeforeCredentials, resolveCredentials } from './resolve-credentials.js';

/** What a shot does beyond opening its page, with nothing left open. */
export type Settings = Pick<Shot, 'capture' | 'compare' | 'timeoutMs' | 'strict' | 'minCompared' | 'environment'>;

/**
 * Fills in what the list left open, from the project and from the defaults.
 *
 * Paths are joined to their base as Playwright does it, by `new URL(path, base)`; a relative `finalUrl` is joined to the
 * URL of its side.
 *
 * @throws ProofsheetError `base-url-missing`, at the page, when a path has no site that it is below; `list-invalid` when
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
    after: { ...resolveTarget(fields, afterUrl), credentials: resolveCredentials(planned) },
    before: beforeUrl === null ? null : resolveBefore(planned, afterUrl, beforeUrl),
    emulation: resolveEmulation(planned, use),
    capture: { ...capture, contentHeight: heightOf(planned) === null },
    ...settings,
  };
}

/** With other credentials, one URL can be two pages. */
function isSamePage({ beforeCredentials }: PlannedShot, afterUrl: string, beforeUrl: string | null): boolean {
  return beforeCredentials === null && beforeUrl !== null && new URL(beforeUrl).href === new URL(afterUrl).href;
}

function samePage({ position }: PlannedShot, url: string): ProofsheetError {
  return new ProofsheetError(
    {
      code: 'list-invalid',
      where: renderPosition(position),
      found: `both sides of this two-state shot are ${url}, so it can never differ`,
      advice: 'Set `before` and `baseURL` to two sites.',
    },
    position,
  );
}

/**
 * Fills in the settings of a page, or of a matcher's options, from the defaults.
 *
 * Where no limit is set, no pixel may differ; where one is set, it alone counts, and the other is null.
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

/** A named viewport, else the page's own width and height, else the project's; a device has a size of its own. */
function resolveSize(planned: PlannedShot, use: ProjectUse): Size | null {
  const { size, fields } = planned;
  if (size && 'device' in size) return null;
  return {
    width: (size ?? fields).width ?? use.viewport?.width ?? DEFAULTS.width,
    // As tall as the content is told by the content; until then it is as tall as where nothing is said.
    height: heightOf(planned) ?? use.viewport?.height ?? DEFAULTS.height,
  };
}

/** Returns the height that the list says: null is that of the content. */
function heightOf({ size, fields }: PlannedShot): number | null | undefined {
  if (size === null) return fields.height;
  return 'device' in size ? undefined : size.height;
}

function resolveBefore(planned: PlannedShot, afterUrl: string, beforeUrl: string): Target {
  const credentials = resolveBeforeCredentials(planned, afterUrl, beforeUrl);
  return { ...resolveTarget(planned.fields, beforeUrl), credentials };
}

function resolveTarget({ httpStatus, finalUrl }: ShotFieldsInput, url: string): Omit<Target, 'credentials'> {
  return {
    url,
    httpStatus: httpStatus ?? null,
    finalUrl: finalUrl === undefined ? null : new URL(finalUrl, url).href,
  };
}

function resolveUrl({ id, position }: PlannedShot, path: string, base: string | null): string {
  if (URL.canParse(path)) return new URL(path).href;
  if (base !== null && URL.canParse(path, base)) return new URL(path, base).href;
  throw new ProofsheetError(
    {
      code: 'base-url-missing',
      where: renderPosition(position),
      found: `the URL of the shot "${id}" is a path, and ${base ? `"${base}" is no URL that it could be below` : 'there is no baseURL'}`,
      advice: 'Write baseURL into the page list, or use.baseURL into playwright.config.',
    },
    position,
  );
}
