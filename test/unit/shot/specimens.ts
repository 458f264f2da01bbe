import { resolveSettings } from '../../../src/list/resolve/resolve-settings.js';
import type { Capture } from '../../../src/model/capture.js';
import type { EncodedImage } from '../../../src/model/image.js';
import type { CaptureSettings, Target } from '../../../src/model/shot.js';

/** A capture of this image, with what is of no interest filled in. */
export function captureOf(image: EncodedImage, url: string, changes: Partial<Capture> = {}): Capture {
  return {
    ...{
      image,
      viewport: image.size,
      takenAt: 1_795_193_105_514,
      url,
      shots: 1,
      missingResponses: [],
      lostResponses: [],
      time: 'real',
      masks: [],
      ignored: [],
      warnings: [],
      structure: null,
    },
    environment: {
      ...{ os: 'linux', arch: 'x64', browser: 'chromium', browserVersion: '1' },
      ...{ headless: 'shell', scale: 1, fonts: null },
    },
    ...changes,
  };
}

/** A page to open that needs nobody to be let in. */
export function targetOf(url: string): Target {
  const credentials = { headers: {}, cookies: [], storageState: null, httpCredentials: null };
  return { url, httpStatus: null, finalUrl: null, credentials };
}

/** The settings of a list that sets nothing. */
export const PLAIN_SETTINGS: CaptureSettings = resolveSettings({}).capture;

/** The emulation of a list that sets nothing. */
export const NO_EMULATION = {
  ...{ device: null, size: null, language: null, colorScheme: null, timezone: null, userAgent: null },
};
