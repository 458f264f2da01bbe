import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { messageOf, ProofsheetError } from '../../model/errors.js';

/** A request to odiff: two image files and the output path of the diff mask. */
export interface OdiffQuestion {
  readonly base: string;
  readonly compare: string;
  readonly output: string;
  readonly options: { readonly threshold: number; readonly antialiasing: boolean; readonly outputDiffMask: true };
}

/** A response of odiff: the number of pixels that differ, or its error message. */
export type OdiffAnswer = { readonly diffCount: number } | { readonly error: string };

/**
 * Runs one `odiff --server` process, which handles one request at a time. The process starts on the first request and
 * restarts after it exits. It keeps Node alive only while a response is pending. It ends with Node: the exit handler kills
 * it, or it stops when its stdin closes.
 *
 * Replaces the ODiffServer of odiff-bin, which writes to the console, delays the exit of Node by seconds, and does not
 * detect a missing response.
 */
export class OdiffServer {
  readonly #binary: string;
  readonly #timeoutMs: number;
  #process: OdiffProcess | null = null;
  #previous: Promise<unknown> = Promise.resolve();
  #requestCount = 0;

  /** @param timeoutMs - the time limit of a response, after which the process is killed */
  constructor(binary: string, timeoutMs: number) {
    this.#binary = binary;
    this.#timeoutMs = timeoutMs;
    process.once('exit', () => this.close());
  }

  /** Sends a request after all earlier requests have ended. @throws ProofsheetError `engine-failed` without a response */
  ask(question: OdiffQuestion): Promise<OdiffAnswer> {
    const answer = this.#previous.then(() => this.#exchange(question));
    this.#previous = answer.catch(() => {});
    return answer;
  }

  /** Kills the process, if it runs. Pending requests fail with `engine-failed`. */
  close(): void {
    this.#process?.child.kill('SIGKILL');
    this.#process = null;
  }

  async #exchange(question: OdiffQuestion): Promise<OdiffAnswer> {
    const controller = new AbortController();
    const { signal } = controller;
    const server = this.#process ?? this.#start();
    try {
      const timeout = setTimeout(this.#timeoutMs, null, { signal }).then(() => {
        throw new Error(`no response within ${this.#timeoutMs / 1000} s`);
      });
      return await Promise.race([this.#send(server, question, signal), failOnExit(server, signal), timeout]);
    } catch (cause) {
      // A late response would be read as the response to the next request.
      this.close();
      throw failed(messageOf(cause));
    } finally {
      controller.abort();
    }
  }

  async #send(server: OdiffProcess, question: OdiffQuestion, signal: AbortSignal): Promise<OdiffAnswer> {
    const { child, lines } = server;
    if (!server.ready) await once(lines, 'line', { signal });
    server.ready = true;
    child.stdin.write(`${JSON.stringify({ requestId: ++this.#requestCount, ...question })}\n`);
    const [line] = await once(lines, 'line', { signal });
    return readAnswer(String(line));
  }

  #start(): OdiffProcess {
    const child = spawn(this.#binary, ['--server'], { windowsHide: true });
    const server: OdiffProcess = { child, lines: createInterface(child.stdout), ready: false, stderr: '' };
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) {
      if (handle === child || handle instanceof Socket) handle.unref();
      handle.on('error', () => {}); // The pending request fails through failOnExit or its timeout.
    }
    child.stderr.on('data', (text: Buffer) => {
      server.stderr = (server.stderr + text).slice(-300);
    });
    child.once('exit', () => {
      if (this.#process === server) this.#process = null;
    });
    this.#process = server;
    return server;
  }
}

/** Creates the error for a failure of odiff. */
export function failed(found: string): ProofsheetError {
  return new ProofsheetError({
    code: 'engine-failed',
    where: 'odiff',
    found,
    advice: 'The images were not compared. Run again, or set `engine: pixelmatch`.',
  });
}

interface OdiffProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: NodeJS.EventEmitter;
  /** Whether the first line of stdout arrived: the process sends it once it is ready. */
  ready: boolean;
  /** The last 300 characters of stderr. */
  stderr: string;
}

async function failOnExit(server: OdiffProcess, signal: AbortSignal): Promise<never> {
  const [code, signalName] = await once(server.child, 'close', { signal });
  const details = server.stderr === '' ? '' : `: ${server.stderr.trim()}`;
  throw new Error(`the process exited during a comparison (${signalName ?? `exit code ${code}`})${details}`);
}

// odiff does not escape paths in its error messages, so a line that is not valid JSON is an error message.
function readAnswer(line: string): OdiffAnswer {
  try {
    const { match, diffCount, error }: { match?: unknown; diffCount?: unknown; error?: unknown } = JSON.parse(line);
    if (match === true) return { diffCount: 0 };
    if (match === false && Number.isSafeInteger(diffCount)) return { diffCount: Number(diffCount) };
    return { error: typeof error === 'string' ? error : line };
  } catch {
    return { error: line };
  }
}
