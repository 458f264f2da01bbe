import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import type { Browser } from '@playwright/test';
import { isMediaRefusal, MEDIA_COMMAND } from '../model/capture.js';

/**
 * Does something with a page, a context or a browser without telling reporters each single call of it: to tell one (a stack
 * trace, a step, two messages to the main process) costs more than most calls.
 *
 * It is Playwright's own way for what its test runner does by itself, and not among what it documents: where it is not
 * there, the calls are told.
 */
export async function callQuietly<T>(owner: object, work: () => Promise<T>): Promise<T> {
  const wrap: unknown = Reflect.get(owner, '_wrapApiCall');
  if (typeof wrap !== 'function') return work();
  // An error that went through it would get that function's name in front of its message.
  const ends: PromiseSettledResult<T>[] = [];
  const settle = async () => void ends.push(...(await Promise.allSettled([work()])));
  await Reflect.apply(wrap, owner, [settle, { internal: true }]);
  const [end] = ends;
  if (!end) throw new Error('Playwright did not do what it was asked to');
  if (end.status === 'rejected') throw end.reason;
  return end.value;
}

/** A place in a file that is running, as the engine names it: before source maps, and maybe as a file URL. */
export interface CallSite {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the place from which a function of ours was called. */
export function callSiteOf(ours: (...args: never[]) => unknown): CallSite {
  const prepare = Error.prepareStackTrace;
  try {
    // Playwright maps the stack to the sources; what is wanted here is the engine's own view.
    Error.prepareStackTrace = (_, frames) => frames[0];
    const holder: { stack?: unknown } = {};
    Error.captureStackTrace(holder, ours);
    const frame = holder.stack;
    if (!isFrame(frame)) throw new Error('definePages() has to be called from a file');
    return { file: frame.getFileName() ?? '', line: frame.getLineNumber() ?? 1, column: frame.getColumnNumber() ?? 1 };
  } finally {
    Error.prepareStackTrace = prepare;
  }
}

/** Returns the path of the file of a call site. */
export function pathOf({ file }: CallSite): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

/**
 * Calls a function as if the call stood at another place.
 *
 * Playwright takes the caller of `test()` for the place of the test, and selects tests on its command line by that: for
 * tests that are declared here it has to be the user's spec.
 */
export function callAt<Args extends unknown[]>(site: CallSite, callee: (...args: Args) => void, ...args: Args): void {
  const { file, line, column } = site;
  const options = { filename: file, lineOffset: line - 1, columnOffset: Math.max(0, column - 1) };
  vm.compileFunction('callee(...args)', ['callee', 'args'], options)(callee, args);
}

function isFrame(value: unknown): value is NodeJS.CallSite {
  return typeof value === 'object' && value !== null && 'getFileName' in value;
}

/**
 * Opens contexts also in a browser that has no media emulation. Playwright emulates a color scheme in every new context
 * over WebDriver BiDi, even where `colorScheme` is null, so that `newContext` fails in such a browser.
 *
 * Playwright has no option for it: this wraps the session by which its server, in this process, talks to the browser. Where
 * that is not found (a remote browser, another version of Playwright), nothing changes and `newContext` fails as before.
 *
 * @param onRefused is called each time that the browser refuses.
 */
export function tolerateMissingMedia(browser: Browser, onRefused: () => void): void {
  const session = property(serverOf(browser), '_browserSession');
  const send = property(session, 'send');
  if (!isObject(session) || typeof send !== 'function') return;
  const tolerant = async (method: string, parameters: unknown) => {
    try {
      return await Reflect.apply(send, session, [method, parameters]);
    } catch (cause) {
      if (method !== MEDIA_COMMAND || !isMediaRefusal(cause)) throw cause;
      onRefused();
      return {};
    }
  };
  Reflect.set(session, 'send', tolerant);
}

/** Returns Playwright's own object for a browser that it drives in this process. */
function serverOf(browser: Browser): unknown {
  const connection = property(browser, '_connection');
  const toServer = property(connection, 'toImpl');
  return typeof toServer === 'function' ? Reflect.apply(toServer, connection, [browser]) : undefined;
}

function property(owner: unknown, name: string): unknown {
  return isObject(owner) ? Reflect.get(owner, name) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
