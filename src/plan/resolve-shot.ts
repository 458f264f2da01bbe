import { ProofsheetError } from '../model/errors.js';
import type { Size } from '../model/image.js';
import type { PageFieldsInput } from '../model/page-list.js';
import type { CaptureSettings, CompareSettings, PlannedShot, ProjectUse, Shot, Target } from '../model/plan.js';
import { DEFAULTS } from './defaults.js';
import { renderPosition } from './finding.js';
import { listSelectors } from './selectors.js';

/** What a shot does beyond opening its page, with nothing left open. */
export type Settings = Pick<Shot, 'capture' | 'compare' | 'timeoutMs' | 'strict'>;

/**
 * Fills in what the list left open, from the project and from the defaults.
 *
 * Paths are joined to their base as Playwright does it, by `new URL(path, base)`; a relative `finalUrl` is joined to the
 * URL of its side.
 *
 * @throws ProofsheetError `base-url-missing`, at the page, when a path has no site that it is below.
 */
export function resolveShot(planned: PlannedShot, use: ProjectUse): Shot {
  const { id, page, viewport, state, url, before, baseURL, beforeBaseURL, fields } = planned;
  return {
    ...{ id, page, viewport, state },
    after: resolveTarget(planned, url, baseURL ?? use.baseURL),
    before: before === null ? null : resolveTarget(planned, before, beforeBaseURL ?? use.baseURL),
    size: resolveSize(planned, use),
    ...resolveSettings(fields),
  };
}

/**
 * Fills in the settings of a page, or of a matcher's options, from the defaults.
 *
 * Where no limit is set, no pixel may differ; where one is set, it alone counts, and the other is null.
 */
export function resolveSettings(fields: PageFieldsInput): Settings {
  return {
    capture: resolveCapture(fields),
    compare: resolveCompare(fields),
    timeoutMs: Math.round((fields.timeout ?? DEFAULTS.timeout) * 1000),
    strict: fields.strict ?? DEFAULTS.strict,
  };
}

function resolveCapture(fields: PageFieldsInput): CaptureSettings {
  const format = fields.format ?? DEFAULTS.format;
  return {
    format,
    quality: fields.quality ?? DEFAULTS.quality[format],
    fullSize: fields.fullSize ?? DEFAULTS.fullSize,
    scale: fields.scale ?? DEFAULTS.scale,
    delayMs: Math.round((fields.delay ?? DEFAULTS.delay) * 1000),
    hide: listSelectors(fields.hide),
    javascriptCode: fields.javascriptCode ?? null,
  };
}

function resolveCompare({ threshold, maxDiffPixels, maxDiffPixelRatio, engine }: PageFieldsInput): CompareSettings {
  const isUnlimited = maxDiffPixels === undefined && maxDiffPixelRatio === undefined;
  return {
    threshold: threshold ?? DEFAULTS.threshold,
    maxDiffPixels: isUnlimited ? DEFAULTS.maxDiffPixels : (maxDiffPixels ?? null),
    maxDiffPixelRatio: maxDiffPixelRatio ?? null,
    engine: engine ?? DEFAULTS.engine,
  };
}

/** A named viewport, else the page's own width and height, else the project's; a device has a size of its own. */
function resolveSize({ size, fields }: PlannedShot, use: ProjectUse): Size | null {
  if (size) return 'device' in size ? null : { width: size.width, height: size.height };
  return {
    width: fields.width ?? use.viewport?.width ?? DEFAULTS.width,
    height: fields.height ?? use.viewport?.height ?? DEFAULTS.height,
  };
}

function resolveTarget(planned: PlannedShot, path: string, base: string | null): Target {
  const url = resolveUrl(planned, path, base);
  const { httpStatus, finalUrl } = planned.fields;
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
