/** What holds where neither the list nor the Playwright project says otherwise. */
export const DEFAULTS = {
  format: 'png',
  quality: { png: 100, jpeg: 80, jpg: 80, webp: 100 },
  width: 1280,
  height: 720,
  fullSize: false,
  scale: 'css',
  /** Seconds. */
  delay: 0,
  /** Seconds, for the whole shot. */
  timeout: 30,
  strict: false,
  threshold: 0.02,
  /** Holds only where neither maxDiffPixels nor maxDiffPixelRatio is set. */
  maxDiffPixels: 0,
  engine: 'odiff',
} as const;
