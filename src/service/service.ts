import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ProofsheetError } from '../model/index.js';
import { analyzeForService } from './analyze.js';
import { type CacheLimits, type Call, type CallContext, createAnswerCache } from './call-context.js';
import { captureForService } from './capture.js';
import type { CaptureBrowser } from './captures/capture-browser.js';
import { compareForService } from './compare.js';
import { type AnalyzeResponse, analyzeResponseSchema } from './protocol/analyze.js';
import type { AnalyzeV3, CompareV3, ScreenshotV2 } from './protocol/requests.js';
import type { CompareResponse, ScreenshotV2Response } from './protocol/responses.js';
import type { LanguageModel } from './protocol/settings.js';
import { createQueue } from './queue.js';
import type { Storage } from './storage/storage.js';

/** The parts and limits of a service. */
export interface ServiceSettings {
  /** Captures pages. The service closes it. */
  readonly captures: CaptureBrowser;
  readonly storage: Storage;
  /** Maximum number of requests in progress. */
  readonly concurrency: number;
  /** Maximum number of waiting requests. */
  readonly queueLength: number;
  /** Time limit of a request in seconds, without its time in the queue. */
  readonly timeout: number;
  /** Maximum number of pixels of all images of one comparison together. */
  readonly maxPixels: number;
  /** Writes summaries; null if none is configured. */
  readonly languageModel: LanguageModel | null;
  /** Lifetime of a cached analysis in seconds; 0 disables the cache. */
  readonly cacheSeconds: number;
}

/** The current load of a service. */
export interface ServiceState {
  readonly running: number;
  readonly waiting: number;
  readonly browserLaunches: number;
  /** The service is shutting down and refuses requests. */
  readonly isEnding: boolean;
}

/** Captures, compares and analyzes pages. Independent of the transport (HTTP, MCP). */
export interface Service {
  screenshot(request: ScreenshotV2, call: Call): Promise<ScreenshotV2Response>;
  compare(request: CompareV3, call: Call): Promise<CompareResponse>;
  analyze(request: AnalyzeV3, call: Call): Promise<AnalyzeResponse>;
  readonly storage: Storage;
  /** Launches the browser before the first request. @throws ProofsheetError `browser-missing` */
  start(): Promise<void>;
  state(): ServiceState;
  /** Refuses new requests, waits for those in progress, and closes the capture browser. */
  close(): Promise<void>;
}

/** Creates a service. `start()` or the first request launches its browser. */
export function createService(settings: ServiceSettings): Service {
  const { captures, storage, concurrency, queueLength, timeout, maxPixels, languageModel } = settings;
  const answers = createAnswerCache(cacheLimits(settings.cacheSeconds), (value) => analyzeResponseSchema.parse(value));
  const context: CallContext = { captures, storage, maxPixels, languageModel, answers };
  const queue = createQueue(concurrency, queueLength);
  const memory = createMemoryRelease();
  /** Wraps an operation with the queue and the time limit. */
  const operation =
    <Request, Answer>(answer: (request: Request, context: CallContext, call: Call) => Promise<Answer>) =>
    (request: Request, call: Call) => {
      const timedOut = new AbortController();
      const signal = AbortSignal.any([call.signal, timedOut.signal]);
      return queue.run(signal, async () => {
        const timer = setTimeout(() => timedOut.abort(outOfTime(timeout)), timeout * 1000);
        try {
          return await answer(request, context, { ...call, signal });
        } finally {
          clearTimeout(timer);
          memory.note();
        }
      });
    };
  return {
    screenshot: operation(captureForService),
    compare: operation(compareForService),
    analyze: operation(analyzeForService),
    storage,
    start: captures.start,
    state: () => ({
      running: queue.running(),
      waiting: queue.waiting(),
      browserLaunches: captures.launches(),
      isEnding: queue.isEnding(),
    }),
    async close() {
      await queue.drain();
      memory.cancel();
      await captures.close();
    },
  };
}

function cacheLimits(seconds: number): CacheLimits {
  return { ms: seconds * 1000, answers: 200, characters: 64 * 1024 * 1024 };
}

function outOfTime(seconds: number): ProofsheetError {
  return new ProofsheetError({
    code: 'service-timeout',
    where: 'the service',
    found: `the request exceeded the time limit of ${seconds} s`,
    advice: 'Request a smaller capture, or raise --timeout.',
  });
}

/** Idle time before garbage collection, in milliseconds. Longer than the compare worker caches decoded pixels. */
const IDLE_MS = 7000;

/** Returns the memory of decoded images to the operating system after an idle period. */
export interface MemoryRelease {
  /** Restarts the idle timer after a request. */
  note(): void;
  cancel(): void;
}

/**
 * Creates a memory release timer. V8 collects garbage only during allocation. Without the timer an idle service holds the memory
 * of its last comparison until the next request: 0.6 GB for 98 million pixels.
 */
export function createMemoryRelease(): MemoryRelease {
  let timer: NodeJS.Timeout | null = null;
  return {
    note() {
      timer ??= setTimeout(() => {
        timer = null;
        collectGarbage();
      }, IDLE_MS).unref();
      timer.refresh();
    },
    cancel() {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function') collect();
}
