import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { messageOf, ProofsheetError } from '../../model/errors.js';

/** What odiff is asked: two files, and where to paint the mask of what differs. */
export interface OdiffQuestion {
  readonly base: string;
  readonly compare: string;
  readonly output: string;
  readonly options: { readonly threshold: number; readonly antialiasing: boolean; readonly outputDiffMask: true };
}

/** What odiff answers: how many pixels differ, or what went wrong, in its own words. */
export type OdiffAnswer = { readonly diffCount: number } | { readonly error: string };

/**
 * One `odiff --server` process, which answers one question at a time. It is started when the first one comes and again
 * when it died; it keeps Node alive only while it owes an answer, and ends with Node: at exit killed, else at the end of
 * its stdin.
 *
 * In place of odiff-bin's ODiffServer, which writes to the console, holds Node for seconds, and knows no lost answer.
 */
export class OdiffServer {
  readonly #binary: string;
  readonly #timeoutMs: number;
  #process: OdiffProcess | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #questions = 0;

  /** @param timeoutMs - how long an answer may take before the process is killed */
  constructor(binary: string, timeoutMs: number) {
    this.#binary = binary;
    this.#timeoutMs = timeoutMs;
    process.once('exit', () => this.close());
  }

  /** Asks, when all who asked before have their answers. @throws ProofsheetError `engine-failed` when none comes */
  ask(question: OdiffQuestion): Promise<OdiffAnswer> {
    const answer = this.#turn.then(() => this.#exchange(question));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  /** Kills the process, if there is one; whoever waits for an answer gets `engine-failed`. */
  close(): void {
    this.#process?.child.kill('SIGKILL');
    this.#process = null;
  }

  async #exchange(question: OdiffQuestion): Promise<OdiffAnswer> {
    const over = new AbortController();
    const { signal } = over;
    const server = this.#process ?? this.#start();
    try {
      const late = setTimeout(this.#timeoutMs, null, { signal }).then(() => {
        throw new Error(`no answer came within ${this.#timeoutMs / 1000} s`);
      });
      return await Promise.race([this.#answer(server, question, signal), endOf(server, signal), late]);
    } catch (cause) {
      // What it may still say would be taken for the answer to the next question.
      this.close();
      throw failed(messageOf(cause));
    } finally {
      over.abort();
    }
  }

  async #answer(server: OdiffProcess, question: OdiffQuestion, signal: AbortSignal): Promise<OdiffAnswer> {
    const { child, lines } = server;
    if (!server.ready) await once(lines, 'line', { signal });
    server.ready = true;
    child.stdin.write(`${JSON.stringify({ requestId: ++this.#questions, ...question })}\n`);
    const [line] = await once(lines, 'line', { signal });
    return readAnswer(String(line));
  }

  #start(): OdiffProcess {
    const child = spawn(this.#binary, ['--server'], { windowsHide: true });
    const server: OdiffProcess = { child, lines: createInterface(child.stdout), ready: false, complaint: '' };
    for (const held of [child, child.stdin, child.stdout, child.stderr]) {
      if (held === child || held instanceof Socket) held.unref();
      held.on('error', () => {}); // Whoever waits hears of it; nobody else need.
    }
    child.stderr.on('data', (text: Buffer) => {
      server.complaint = (server.complaint + text).slice(-300);
    });
    child.once('exit', () => {
      if (this.#process === server) this.#process = null;
    });
    this.#process = server;
    return server;
  }
}

/** Makes the error of an odiff that did not do its work. */
export function failed(found: string): ProofsheetError {
  return new ProofsheetError({
    code: 'engine-failed',
    where: 'odiff',
    found,
    advice: 'Nothing was compared: run again. If it stays so, set engine: pixelmatch.',
  });
}

interface OdiffProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: NodeJS.EventEmitter;
  /** Has it said that it is? That is its first line. */
  ready: boolean;
  /** The last it wrote to stderr. */
  complaint: string;
}

async function endOf(server: OdiffProcess, signal: AbortSignal): Promise<never> {
  const [code, killer] = await once(server.child, 'close', { signal });
  const complaint = server.complaint === '' ? '' : `: ${server.complaint.trim()}`;
  throw new Error(`its process ended in the middle of a comparison (${killer ?? `exit code ${code}`})${complaint}`);
}

// odiff does not escape the paths in its messages: a line that is no JSON is such a message.
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
