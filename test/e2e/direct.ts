import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { type Browser, test as base, devices, type LaunchOptions } from '@playwright/test';
import { serveBy } from '../../fixtures/serve.mjs';
import { decodeImage } from '../../src/image/decode.js';
import { inspectImage } from '../../src/image/inspect.js';
import { readPlan } from '../../src/list/read-list.js';
import { resolveShot } from '../../src/list/resolve/resolve-shot.js';
import type { Capture, CaptureResult } from '../../src/model/capture.js';
import type { EncodedImage, Rectangle } from '../../src/model/image.js';
import type { Shot } from '../../src/model/shot.js';
import { repeatableFlags } from '../../src/page/browser/launch.js';
import {
  type Control,
  controlOf,
  type LaunchedBrowser,
  launchControlled,
} from '../../src/page/browser/page-control.js';
import { createStopwatch } from '../../src/page/browser/timing.js';
import { callQuietly } from '../../src/playwright/internals.js';
import { toPageRequest } from '../../src/shot/load-page.js';
import { createPages } from '../../src/shot/page-session.js';
import { makeTempFolder } from '../unit/temp-folder.js';
import { LAUNCH_OPTIONS, OFFLINE_FLAGS } from './project.js';

/** What a server answers; a text is a page. Null: nothing, ever. `isReset`: the connection is reset. */
export type Answer =
  | string
  | null
  | {
      status?: number;
      headers?: Record<string, string | string[]>;
      body?: string | Buffer;
      afterMs?: number;
      /** When the second half of the body follows the first one. */
      bodyAfterMs?: number;
    }
  | { isReset: true };

export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Server {
  readonly url: string;
  readonly port: number;
  /** Everything that was asked for so far. */
  readonly received: Received[];
}

export interface Shots {
  /** Gives a capture; throws what kept it from being one. */
  capture(id: string): Capture;
  /** Gives the message of what went wrong; throws where nothing did. */
  error(id: string): string;
  /** Gives `code: message` of the warnings of a capture. */
  warnings(id: string): string[];
}

interface Fixtures {
  folder: string;
  serve(respond: (received: Received) => Answer): Promise<Server>;
  /** Captures every page of a list: what a run does up to the comparison. @param browser - @default that of the lists */
  shoot(list: string, browser?: Browser): Promise<Shots>;
}

interface WorkerFixtures {
  launchOptions: LaunchOptions;
  /** What of a page is controlled, as far as the browser allows it. */
  control: Control;
  /** The browser in which lists are captured. A page that it opens by itself draws nothing. */
  launched: LaunchedBrowser;
}

/** Playwright's `test` that captures lists without a run round them: many pages a second. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  control: ['frames', { scope: 'worker', option: true }],
  launched: [
    async ({ playwright, launchOptions, control }, use) => {
      const launch = (args: string[]) => playwright.chromium.launch({ ...launchOptions, args });
      const { browser } = await launchControlled(launch, launchOptions.args ?? [], control !== 'frames');
      await use({ browser, control });
      await browser.close();
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({}, use) => use({ ...LAUNCH_OPTIONS, args: repeatableFlags(OFFLINE_FLAGS) }),
    { scope: 'worker' },
  ],
  serve: async ({}, use) => {
    const closings: (() => void)[] = [];
    await use(async (respond) => {
      const { server, close } = await startServer(respond);
      closings.push(close);
      return server;
    });
    for (const close of closings) close();
  },
  folder: async ({}, use) => use(makeTempFolder()),
  shoot: async ({ launched, folder }, use) =>
    use((list, browser) => shootList(browser ? { browser, control: controlOf(browser) } : launched, folder, list)),
});

export async function startServer(respond: (received: Received) => Answer) {
  const received: Received[] = [];
  const { url, port, close } = await serveBy((request, response) => {
    const { method = '', headers } = request;
    const one = { method, headers, at: Date.now(), url: new URL(request.url ?? '', `http://${headers.host}`) };
    received.push(one);
    const answer = respond(one);
    if (answer === null) return;
    if (typeof answer === 'object' && 'isReset' in answer) return void request.socket.resetAndDestroy();
    const {
      status = 200,
      body = '',
      afterMs = 0,
      bodyAfterMs = 0,
      ...more
    } = typeof answer === 'string' ? { body: answer } : answer;
    const type = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...more.headers };
    setTimeout(() => {
      response.writeHead(status, type);
      if (bodyAfterMs === 0) return response.end(body);
      const half = Math.ceil(body.length / 2);
      response.write(body.slice(0, half));
      return setTimeout(() => response.end(body.slice(half)), bodyAfterMs);
    }, afterMs);
  });
  return { server: { url, port, received }, close };
}

export async function shootList(launched: LaunchedBrowser, folder: string, list: string): Promise<Shots> {
  const file = join(folder, 'pages.yaml');
  writeFileSync(file, list);
  const plan = readPlan(file, { env: process.env, devices: Object.keys(devices) });
  const queue = plan.shots.map((planned) => resolveShot(planned, { baseURL: null, viewport: null }));
  const ends = new Map<string, PromiseSettledResult<CaptureResult>>();
  const work = async () => {
    for (let shot = queue.shift(); shot; shot = queue.shift()) {
      const [end] = await Promise.allSettled([shootOne(launched, shot)]);
      ends.set(shot.id, end);
    }
  };
  await Promise.all([work(), work(), work()]);
  return shotsOf(ends);
}

async function shootOne(launched: LaunchedBrowser, shot: Shot): Promise<CaptureResult> {
  const pages = createPages({
    ...{ open: async () => launched, callQuietly, sourceMaps: new Map() },
    recording: { trace: false, screenshot: false },
  });
  const request = { structure: null, stopwatch: createStopwatch(), isExpected: () => false };
  return pages.capture(toPageRequest(shot, shot.after), request).finally(() => pages.end());
}

function shotsOf(ends: ReadonlyMap<string, PromiseSettledResult<CaptureResult>>): Shots {
  const endOf = (id: string) => {
    const end = ends.get(id);
    if (!end) throw new Error(`no shot ${id}`);
    return end;
  };
  const capture = (id: string) => {
    const end = endOf(id);
    if (end.status === 'rejected') throw end.reason;
    return end.value.capture;
  };
  return {
    capture,
    warnings: (id) => capture(id).warnings.map(({ code, message }) => `${code}: ${message}`),
    error(id) {
      const end = endOf(id);
      if (end.status === 'fulfilled') throw new Error(`${id} was captured`);
      return String(end.reason.message);
    },
  };
}

export function readImage(bytes: Buffer): EncodedImage {
  const inspection = inspectImage(bytes);
  if (inspection.kind !== 'image') throw new Error(`the image is ${inspection.kind}`);
  return inspection.image;
}

/** Gives a picture whose pixels can be looked at. */
export async function look(image: EncodedImage) {
  const { data, width, height } = await decodeImage(image);
  const pixels = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const words = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const places = (color: string) => {
    const wanted = Buffer.from(`${color.slice(1)}ff`, 'hex').readUInt32LE();
    const found: [number, number][] = [];
    for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + 1))
      found.push([at % width, Math.floor(at / width)]);
    return found;
  };
  return {
    width,
    height,
    at: (x: number, y: number) => `#${pixels.toString('hex', (y * width + x) * 4, (y * width + x) * 4 + 3)}`,
    count: (color: string) => places(color).length,
    boxOf: (color: string) => boxRound(places(color)),
  };
}

/** Gives the smallest rectangle round all places, or null. */
function boxRound(places: readonly (readonly [number, number])[]): Rectangle | null {
  if (places.length === 0) return null;
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (const [x, y] of places) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + 1);
    bottom = Math.max(bottom, y + 1);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
