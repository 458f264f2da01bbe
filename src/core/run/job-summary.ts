import { appendFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { messageOf } from '../../model/errors.js';
import type { RunRecord, ShotRecord } from '../../model/run-record.js';
import { type RepositoryPlace, renderAnnotations } from '../../report/markdown/github.js';
import { renderMarkdown } from '../../report/markdown/render-markdown.js';
import type { ObservedTest } from './observed.js';

/** A finished run, and what tells where its shots are declared. */
export interface FinishedRun {
  readonly record: RunRecord;
  readonly tests: readonly ObservedTest[];
  /** What the places of the tests are relative to; absolute. */
  readonly root: string;
}

/**
 * Tells a job of GitHub Actions how a run ended, without any token: appends the summary to that of the job's step.
 *
 * Never throws: what goes wrong here is no matter of the run's.
 *
 * @returns what to print: one annotation for each shot that did not pass; empty outside of GitHub Actions.
 */
export async function writeJobSummary(run: FinishedRun, env: NodeJS.ProcessEnv): Promise<string> {
  if (!env.GITHUB_ACTIONS) return '';
  const trouble = await appendSummary(env.GITHUB_STEP_SUMMARY, renderMarkdown(run.record));
  const workspace = env.GITHUB_WORKSPACE || process.cwd();
  const annotations = renderAnnotations(run.record, (shot) => placeOf(shot, run, workspace));
  return trouble === null
    ? annotations
    : `proofsheet: the summary of this job is without this run: ${trouble}\n${annotations}`;
}

/** GitHub refuses a step's summary that is larger, with all that is in it. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** @returns why it could not be appended, or null. */
async function appendSummary(path: string | undefined, markdown: string): Promise<string | null> {
  if (!path) return null;
  try {
    const before = await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    if (before + Buffer.byteLength(markdown) > MAX_SUMMARY_BYTES) return `it has ${before} bytes, and no room`;
    // Whoever wrote before may have ended without a line break.
    await appendFile(path, `\n${markdown}`);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** A page stands in its list, and what a test of the user's own compares in that test. */
function placeOf(shot: ShotRecord, { tests, root }: FinishedRun, workspace: string): RepositoryPlace | null {
  const test = tests.find((test) => test.project === shot.project && idsOf(test).includes(shot.id));
  const [, spec, line] = /^(.+):(\d+)$/.exec(test?.location ?? '') ?? [];
  if (!test || spec === undefined) return null;
  const own = test.declared?.id === shot.id ? test.declared : null;
  const path = own ? resolve(root, dirname(spec), own.list) : resolve(root, spec);
  const file = relative(workspace, path);
  if (file.startsWith('..') || isAbsolute(file)) return null;
  return { file: file.split(sep).join('/'), line: own?.line ?? Number(line) };
}

function idsOf({ declared, attempts }: ObservedTest): string[] {
  const compared = attempts.flatMap(({ messages }) => messages.map(({ shot }) => shot.id));
  return declared ? [declared.id, ...compared] : compared;
}
