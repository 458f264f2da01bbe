import type { FolderServer } from '../../../src/reuse/folder-servers.js';
import type { StoredCapture } from '../../../src/reuse/reuse-cache.js';

/** A server that does not run. */
export const SERVER: FolderServer = {
  ...{ folder: '/site', base: '/', fallback: null, url: 'http://127.0.0.1:1/' },
  takeAnswers: () => new Map(),
  digestOf: () => 'missing',
};

export const STORED: StoredCapture = {
  capture: { fetchTime: '2026-11-20T12:00:00.000Z', width: 1280, height: 720 },
  findings: {
    limits: { threshold: 0.005, maxDiffPixels: 0, maxDiffPixelRatio: null },
    ...{ compared: 1, summary: null, environment: null, warnings: [] },
  },
};
