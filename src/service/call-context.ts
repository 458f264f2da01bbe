import { LRUCache } from 'lru-cache';
import type { CaptureBrowser } from './captures/capture-browser.js';
import type { AnalyzeResponse } from './protocol/analyze.js';
import type { LanguageModel } from './protocol/settings.js';
import type { Storage } from './storage/storage.js';

/** The resources that the service shares between calls. */
export interface CallContext {
  readonly captures: CaptureBrowser;
  readonly storage: Storage;
  /** Maximum number of pixels of all images of one comparison together. */
  readonly maxPixels: number;
  /** Writes summaries; null if none is configured. */
  readonly languageModel: LanguageModel | null;
  /** Cached analyses. */
  readonly answers: AnswerCache<AnalyzeResponse>;
}

/** One request in progress. */
export interface Call {
  /** Aborts when the client disconnects or the request times out. */
  readonly signal: AbortSignal;
  /** Returns the absolute URL of a capture link. */
  readonly urlOf: (link: string) => string;
}

/** Caches responses by request. */
export interface AnswerCache<T> {
  /** Returns the cached answer; null if there is none or it has expired. */
  get(key: string): T | null;
  put(key: string, answer: T): void;
}

/** The limits of a cache: age in milliseconds (0 disables the cache), number of answers, total size. */
export interface CacheLimits {
  readonly ms: number;
  readonly answers: number;
  /** Total length of all answers as JSON. */
  readonly characters: number;
}

/** Creates an in-memory cache that evicts the least recently used answer. Answers are kept as JSON, so that callers share none. */
export function createAnswerCache<T>(limits: CacheLimits, read: (value: unknown) => T, now = Date.now): AnswerCache<T> {
  const texts = new LRUCache<string, string>({
    max: limits.answers,
    maxSize: limits.characters,
    sizeCalculation: (text) => text.length,
    ttl: limits.ms,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    get(key) {
      const text = texts.get(key);
      return text === undefined ? null : read(JSON.parse(text));
    },
    put(key, answer) {
      // A lifetime of 0 would be unlimited.
      if (limits.ms > 0) texts.set(key, JSON.stringify(answer));
    },
  };
}
