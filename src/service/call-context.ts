import type { CaptureBrowser } from '../core/adhoc/capture-browser.js';
import type { AnalyzeResponse } from '../model/service/analyze.js';
import type { LanguageModel } from '../model/service/language-model.js';
import type { AnswerCache } from './answer-cache.js';
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
