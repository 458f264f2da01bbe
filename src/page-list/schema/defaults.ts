import type { SettleSwitches } from '../../model/settle.js';

const settle: SettleSwitches = {
  load: true,
  fonts: true,
  images: true,
  layout: true,
  busy: true,
  animations: true,
  motion: true,
  videos: true,
  gifs: true,
  caret: true,
  scrollbars: true,
  spelling: true,
  scroll: true,
  random: true,
};

/** What holds where neither the list nor the Playwright project says otherwise. */
export const DEFAULTS = {
  format: 'png',
  quality: { png: 100, jpeg: 80, jpg: 80, webp: 100, pdf: 100 },
  width: 1280,
  height: 720,
  fullSize: false,
  scale: 'css',
  hideCookie: false,
  strictMasks: false,
  settle,
  /** Seconds. */
  late: 0,
  /** The page itself is captured, not only its states. */
  base: true,
  cookie: { path: '/', httpOnly: false, secure: false, sameSite: 'Lax' },
  /** Seconds. */
  delay: 0,
  /** Seconds, for the whole shot. */
  timeout: 30,
  strict: false,
  minCompared: 0.05,
  /**
   * `npm run bench -- accuracy` finds the same at 0, 0.005, 0.01 and 0.02, so it does not choose among them. This is the least
   * of them that leaves out what rounding can do: one step of 255 in every channel.
   */
  threshold: 0.005,
  /** Holds only where neither maxDiffPixels nor maxDiffPixelRatio is set. */
  maxDiffPixels: 0,
  maxSizeDiff: 0,
  allowShift: 0,
  antialiasing: 'auto',
  engine: 'pixelmatch',
  environment: 'warn',
} as const;
