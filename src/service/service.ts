import type { Egress } from '../browser/egress/egress.js';
import { createLongLivedBrowser, openBrowser } from '../browser/open-browser.js';
import { ProofsheetError } from '../model/errors.js';
import { type AnalyzeResponse, analyzeResponseSchema } from '../model/service/analyze.js';
import type { LanguageModel } from '../model/service/language-model.js';
import type { AnalyzeV3, CompareV3, ScreenshotV2 } from '../model/service/requests.js';
import type { CompareResponse, ScreenshotV2Response } from '../model/service/responses.js';
import { analyzeForService } from './analyze.js';
import { type CacheLimits, createAnswerCache } from './answer-cache.js';
import type { Call, CallContext } from './call-context.js';
import { captureForService } from './capture.js';
import { compareForService } from './compare.js';
import { createQueue } from './queue.js';
import { createMemoryRelease } from './release-memory.js';
import type { Storage } from './storage/storage.js';

/** What a service is made of. */
export interface ServiceSettings {
  readonly outside: Egress;
  readonly storage: Storage;
  /** How many requests are worked on at a time, and how many more may wait. */
  readonly concurrency: number;
  readonly queueLength: number;
  /** Seconds that a request may take once its turn has come. */
  readonly timeout: number;
  /** The most pixels that the images of one comparison may have together. */
  readonly maxPixels: number;
  /** What writes summaries; null: none was set. */
  readonly languageModel: LanguageModel | null;
  /** Seconds that an analysis is given again to who asks for the same; 0: never. */
  readonly cacheSeconds: number;
}

/** What a service is doing. */
export interface ServiceState {
  readonly running: number;
  readonly waiting: number;
  readonly browserLaunches: number;
  /** Nothing is taken any more. */
  readonly isEnding: boolean;
}

/** A service that captures and compares for others; how they ask is not its matter. */
export interface Service {
  screenshot(request: ScreenshotV2, call: Call): Promise<ScreenshotV2Response>;
  compare(request: CompareV3, call: Call): Promise<CompareResponse>;
  analyze(request: AnalyzeV3, call: Call): Promise<AnalyzeResponse>;
  readonly storage: Storage;
  /** Launches the browser now, not with the first request. @throws ProofsheetError `browser-missing` */
  start(): Promise<void>;
  state(): ServiceState;
  /** Refuses what comes, finishes what is there, and ends the browser. */
  close(): Promise<void>;
}

/** Creates a service. Its browser is launched when it is started, or when it is needed first. */
export function createService(settings: ServiceSettings): Service {
  const { outside, storage, concurrency, queueLength, timeout, maxPixels, languageModel } = settings;
  const browser = createLongLivedBrowser(
    () => openBrowser({ ...outside.launchOptions, ...UNTIL_CLOSED }),
    timeout * 1000,
  );
  const answers = createAnswerCache(cacheLimits(settings.cacheSeconds), (value) => analyzeResponseSchema.parse(value));
  const pageSeconds = PAGE_SHARE * timeout;
  const room: CallContext = { browser, outside, storage, pageSeconds, maxPixels, languageModel, answers };
  const queue = createQueue(concurrency, queueLength);
  const memory = createMemoryRelease();
  /** Every verb goes through here: in its turn, and in time. */
  const verb =
    <Request, Answer>(answer: (request: Request, room: CallContext, call: Call) => Promise<Answer>) =>
    (request: Request, call: Call) => {
      const over = new AbortController();
      const signal = AbortSignal.any([call.signal, over.signal]);
      return queue.run(signal, async () => {
        const timer = setTimeout(() => over.abort(outOfTime(timeout)), timeout * 1000);
        try {
          return await answer(request, room, { ...call, signal });
        } finally {
          clearTimeout(timer);
          memory.note();
        }
      });
    };
  return {
    screenshot: verb(captureForService),
    compare: verb(compareForService),
    analyze: verb(analyzeForService),
    storage,
    async start() {
      await browser.use();
    },
    state: () => ({
      running: queue.running(),
      waiting: queue.waiting(),
      browserLaunches: browser.launches(),
      isEnding: queue.isEnding(),
    }),
    async close() {
      await queue.drain();
      memory.cancel();
      await browser.close();
    },
  };
}

function cacheLimits(seconds: number): CacheLimits {
  return { ms: seconds * 1000, answers: 200, characters: 64 * 1024 * 1024 };
}

/** Less than the whole: a page that takes too long is told by what it was waited for. */
const PAGE_SHARE = 0.9;

/** A signal to this process does not end the browser: what runs is finished first. */
const UNTIL_CLOSED = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

function outOfTime(seconds: number): ProofsheetError {
  return new ProofsheetError({
    code: 'service-timeout',
    where: 'the service',
    found: `the request was not answered within ${seconds} s`,
    advice: 'Ask for less at once, or raise --timeout.',
  });
}
