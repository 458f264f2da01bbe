import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

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

/** Gives the path of the file of a call site. */
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
