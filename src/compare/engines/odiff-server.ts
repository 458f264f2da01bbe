import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { ProofsheetError } from '../../model/errors.js';

/** What odiff is asked: two files, and where to paint the mask of what differs. */
export interface OdiffQuestion {
  readonly base: string;
  readonly compare: string;
  readonly output: string;
  readonly options: { readonly threshold: number; readonly antialiasing: boolean; readonly outputDiffMask: true };
}

/** What odiff answers. */
export type OdiffAnswer = z.infer<typeof answerSchema>;

/** One odiff process that answers many questions, one after the other. */
export interface OdiffServer {
  /** Asks, having started the process if it does not run. @throws ProofsheetError `engine-failed` when it does not answer */
  ask(question: OdiffQuestion): Promise<OdiffAnswer>;
  /** Ends the process; the next question starts another. */
  close(): void;
}

/**
 * Makes a server of an odiff binary; the process is started by the first question. It keeps Node alive only while it owes
 * an answer, and ends with it: at exit by a signal, else because its stdin ends.
 *
 * Not odiff-bin's own ODiffServer: that one prints to the console, keeps Node alive, and can lose a question for ever.
 *
 * @param timeoutMs - how long one answer may take before the process is ended
 */
export function createOdiffServer(findBinary: () => string, timeoutMs: number): OdiffServer {
  let running: OdiffProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const close = () => {
    running?.kill('SIGKILL');
    running = null;
  };
  const askNow = async (question: OdiffQuestion) => {
    if (!running) process.once('exit', close);
    const server = running ?? start(findBinary());
    running = server;
    server.once('exit', () => {
      if (running === server) running = null;
      process.off('exit', close);
    });
    return await exchange(server, question, timeoutMs);
  };
  return {
    ask(question) {
      const turn = last.then(() => askNow(question));
      last = turn.catch(() => {});
      return turn;
    },
    close,
  };
}
