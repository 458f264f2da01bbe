import { SETTLE_DEFAULTS } from './settle.js';

/** Default values of all fields that neither the list nor the Playwright project sets. */
export const DEFAULTS = {
  format: 'png',
  quality: { png: 100, jpeg: 80, jpg: 80, webp: 100, pdf: 100 },
  width: 1280,
  height: 720,
  fullSize: false,
  expand: true,
  scale: 'css',
  hideCookie: false,
  strictMasks: false,
  explain: true,
  settle: SETTLE_DEFAULTS,
  /** Seconds. */
  late: 0,
  /** Captures the page itself, not only its states. */
  base: true,
  cookie: { path: '/', httpOnly: false, secure: false, sameSite: 'Lax' },
  /** Seconds. */
  delay: 0,
  /** Seconds, for each load of the page. */
  timeout: 30,
  strict: false,
  minCompared: 0.05,
  /**
   * `npm run bench -- accuracy` gives the same result at 0, 0.005, 0.01 and 0.02. This is the smallest of them that
   * ignores rounding errors: a difference of 1 of 255 in every channel.
   */
  threshold: 0.005,
  /** Applies only if neither maxDiffPixels nor maxDiffPixelRatio is set. */
  maxDiffPixels: 0,
  maxSizeDiff: 0,
  allowShift: 0,
  antialiasing: 'auto',
  engine: 'pixelmatch',
  environment: 'warn',
} as const;
