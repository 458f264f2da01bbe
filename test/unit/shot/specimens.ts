import { fileNamesOf } from '../../../src/baselines/names.js';
import { resolveSettings } from '../../../src/list/resolve/resolve-settings.js';
import type { Capture } from '../../../src/model/capture.js';
import type { Comparison } from '../../../src/model/comparison.js';
import type { Environment } from '../../../src/model/environment.js';
import type { EncodedImage } from '../../../src/model/image.js';
import type { ShotFieldsInput } from '../../../src/model/page-fields.js';
import { NO_EMULATION, type Shot, type Target } from '../../../src/model/shot.js';
import type { BaselineImage, Before } from '../../../src/shot/observation.js';

export const URL_OF_PAGE = 'http://127.0.0.1/home';

export function shotOf(fields: ShotFieldsInput = {}, changes: Partial<Shot> = {}): Shot {
  const settings = resolveSettings(fields);
  const names = { id: 'home', page: 'home', viewport: null, mode: null, state: null };
  return {
    ...{ ...names, ...fileNamesOf(names, settings.capture.format, false) },
    ...{ after: targetOf(URL_OF_PAGE), before: null, emulation: NO_EMULATION },
    ...settings,
    ...changes,
  };
}

/** A page to open that needs nobody to be let in. */
export function targetOf(url: string, credentials: Partial<Target['credentials']> = {}): Target {
  const none = { headers: {}, cookies: [], storageState: null, httpCredentials: null };
  return { url, httpStatus: null, finalUrl: null, credentials: { ...none, ...credentials } };
}

/** A capture of this image, with what is of no interest filled in. */
export function captureOf(image: EncodedImage, url: string, changes: Partial<Capture> = {}): Capture {
  return {
    ...{ image, viewport: image.size, takenAt: 1_795_193_105_514, url, attempts: 1 },
    ...{ missingResponses: [], lostResponses: [], masks: [], ignored: [], warnings: [], structure: null },
    environment: {
      ...{ os: 'linux', arch: 'x64', browser: 'chromium', browserVersion: '1' },
      ...{ headless: 'shell', scale: 1, fonts: null },
    },
    ...changes,
  };
}

const counts = { mismatchPixels: 50, antialiasedPixels: 3, totalPixels: 200, sameDimensions: true };
const place = { x: 5, y: 5, width: 10, height: 5 };

export const EQUAL: Comparison = { kind: 'equal', counts: { ...counts, mismatchPixels: 0 }, limitPixels: 0 };
export const WITHIN: Comparison = { kind: 'within-limit', counts, limitPixels: 60 };

/** A comparison with one region and this diff image. */
export function differentBy(diff: EncodedImage): Extract<Comparison, { kind: 'different' }> {
  return {
    ...{ kind: 'different', counts, limitPixels: 0, regions: [{ ...place, pixels: 50 }], fingerprint: 'f' },
    regionPlaces: [{ before: null, after: place, diff: place }],
    ...{ contentMoves: [], shifts: [], columnShifts: [], mismatchPixelsAfterAlignment: 50 },
    ...{ diff: diff.bytes, diffSize: diff.size },
  };
}

export function baselineOf(image: EncodedImage, comparison: Comparison): Extract<Before, { kind: 'baseline' }> {
  const found = { comparison, compared: 1, explanation: null, textChange: null, redraw: null, outdated: [] };
  return { kind: 'baseline', baseline: imageOf(image), ...found };
}

/** A baseline without a record; with an environment, one that has it. */
export function imageOf(image: EncodedImage, environment?: Environment): BaselineImage {
  const record = environment && {
    ...{ schemaVersion: 2 as const, id: 'home', project: '', masks: [], ignored: [], environment },
  };
  return { kind: 'image', image, record: record ?? null, structure: null, sha256: 'b'.repeat(64) };
}

/** The other side of a two-state shot with this comparison. */
export function liveOf(capture: Capture, comparison: Comparison): Extract<Before, { kind: 'live' }> {
  return { kind: 'live', capture, comparison, compared: 1, textChange: null, explanation: null };
}
