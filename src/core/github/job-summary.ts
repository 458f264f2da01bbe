import { appendFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { messageOf } from '../../model/errors.js';
import type { RunRecord, ShotRecord } from '../../model/run-record.js';
import { type RepositoryPlace, renderAnnotations } from '../../report/markdown/annotations.js';
import { renderMarkdown } from '../../report/markdown/render-markdown.js';
import type { ObservedTest } from '../run/observed.js';

/** A finished run, and its tests, which contain the locations of the shots. */
export interface FinishedRun {
  readonly record: RunRecord;
  readonly tests: readonly ObservedTest[];
  /** Absolute path that the locations of the tests are relative to. */
  readonly root: string;
}

/**
 * Appends the summary of a run to the step summary of a GitHub Actions job. Needs no token.
 *
 * Never throws: an error here does not affect the run.
 *
 * @returns the text to print, with one annotation for each shot that did not pass; empty outside of GitHub Actions.
 */
export async function writeJobSummary(run: FinishedRun, env: NodeJS.ProcessEnv): Promise<string> {
  if (!env.GITHUB_ACTIONS) return '';
  const failure = await appendSummary(env.GITHUB_STEP_SUMMARY, renderMarkdown(run.record));
  const workspace = env.GITHUB_WORKSPACE || process.cwd();
  const annotations = renderAnnotations(run.record, (shot) => placeOf(shot, run, workspace));
  return failure === null
    ? annotations
    : `proofsheet: the summary of this job is without this run: ${failure}\n${annotations}`;
}

/** Maximum size of a step summary, in bytes. GitHub rejects a larger summary completely. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** Appends to the step summary. @returns the reason if it fails, or null. */
async function appendSummary(path: string | undefined, markdown: string): Promise<string | null> {
  if (!path) return null;
  try {
    const before = await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    if (before + Buffer.byteLength(markdown) > MAX_SUMMARY_BYTES) return `it has ${before} bytes, and no room`;
    // The previous content may not end with a line break.
    await appendFile(path, `\n${markdown}`);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the source location of a shot: in the page list, or in the user's test that compares it. */
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
