import type { TestCase, TestResult } from '@playwright/test/reporter';
import { DECLARED_ANNOTATION } from '../../record/wire.js';
import { renderProgress } from '../../report/render-progress.js';
import { openStatusLine, type Screen } from './status-line.js';

/** What of a test is needed here. */
export type RunTest = Pick<TestCase, 'id' | 'annotations' | 'expectedStatus'>;

/** Tells how far a run has come while it goes on. */
export interface RunProgress {
  ended(test: RunTest, result: Pick<TestResult, 'status'>): void;
  close(): void;
}

/** Where progress is told. */
export interface Terminal {
  readonly stderr: Screen & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'hasColors'>>;
  readonly stdout: Screen & Partial<Pick<NodeJS.WriteStream, 'isTTY'>>;
  readonly env: NodeJS.ProcessEnv;
  /** In milliseconds, of any clock. */
  readonly now: () => number;
}

/** Where nothing can be erased, how far apart lines are: enough to see in a log that a run goes on. */
const APART_MS = 30_000;

/**
 * Tells on standard error how far a run of listed pages has come: in a terminal in one line that is drawn anew, elsewhere in
 * plain lines now and then. A run without listed pages is not ours to tell of.
 */
export function openProgress(all: readonly RunTest[], terminal: Terminal): RunProgress {
  const tests = all.filter(({ expectedStatus }) => expectedStatus !== 'skipped');
  const isOurs = tests.some(({ annotations }) => annotations.some(({ type }) => type === DECLARED_ANNOTATION));
  if (!isOurs) return { ended: () => undefined, close: () => undefined };
  const { now } = terminal;
  const begunAt = now();
  const show = openDisplay(terminal);
  const failed = new Map<string, boolean>();
  const tell = () => {
    const done = failed.size;
    const count = [...failed.values()].filter((hasFailed) => hasFailed).length;
    show.tell({ done, total: tests.length, failed: count, elapsedMs: now() - begunAt });
  };
  tell();
  return {
    ended(test, { status }) {
      if (test.expectedStatus === 'skipped') return;
      // Of several attempts the last one counts.
      failed.set(test.id, status !== 'skipped' && status !== test.expectedStatus);
      tell();
    },
    close: show.close,
  };
}

interface Display {
  tell(progress: Parameters<typeof renderProgress>[0]): void;
  close(): void;
}

function openDisplay(terminal: Terminal): Display {
  const { stderr, stdout, env } = terminal;
  if (!stderr.isTTY || env.TERM === 'dumb') return openLog(terminal);
  const line = openStatusLine(stderr, stdout.isTTY ? [stderr, stdout] : [stderr]);
  return {
    tell(progress) {
      const hasColors = !env.NO_COLOR && stderr.hasColors?.() === true;
      // In the last column some terminals begin a new line.
      line.show(renderProgress(progress, { columns: (stderr.columns || 80) - 1, hasColors }));
    },
    close: line.close,
  };
}

function openLog({ stderr, now }: Terminal): Display {
  let toldAt = now();
  return {
    tell(progress) {
      if (now() - toldAt < APART_MS || progress.done >= progress.total) return;
      toldAt = now();
      stderr.write(`${renderProgress(progress, { columns: null, hasColors: false })}\n`);
    },
    close: () => undefined,
  };
}
