import { appendFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { messageOf, type RunRecord, renderCount, type ShotRecord } from '../model/index.js';
import { type RepositoryPlace, renderAnnotations, renderMarkdown } from '../report/index.js';
import type { ObservedTest } from './observed-run.js';

/** A finished run, and its tests, which contain the locations of the shots. */
interface FinishedRun {
  readonly record: RunRecord;
  readonly tests: readonly ObservedTest[];
  /** Absolute path that the locations of the tests are relative to. */
  readonly root: string;
}

/**
 * Appends the summary of a run to that of a GitHub Actions job. Never throws: an error here does not affect the run.
 * @returns the text to print, with one annotation for each shot that did not pass
 */
export async function writeJobSummary(run: FinishedRun, env: NodeJS.ProcessEnv): Promise<string> {
  if (!env.GITHUB_ACTIONS) return '';
  const failure = await appendSummary(env.GITHUB_STEP_SUMMARY, renderMarkdown(run.record));
  const workspace = env.GITHUB_WORKSPACE || process.cwd();
  const annotations = renderAnnotations(run.record, (shot) => placeOf(shot, run, workspace));
  return failure === null ? annotations : `proofsheet: cannot write the job summary: ${failure}\n${annotations}`;
}

/** Maximum size of a step summary, in bytes. GitHub rejects a larger summary completely. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

async function appendSummary(path: string | undefined, markdown: string): Promise<string | null> {
  if (!path) return null;
  try {
    const used = await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    if (used + Buffer.byteLength(markdown) > MAX_SUMMARY_BYTES)
      return `${path}: ${renderCount(used)} bytes are used, and the maximum is ${renderCount(MAX_SUMMARY_BYTES)}`;
    // The previous content may not end with a line break.
    await appendFile(path, `\n${markdown}`);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the source position of a shot: in the page list, or in the user's test that compares it. */
function placeOf(shot: ShotRecord, { tests, root }: FinishedRun, workspace: string): RepositoryPlace | null {
  const test = tests.find(({ project, declared, attempts }) => {
    const compared = attempts.flatMap(({ messages }) => messages.map((message) => message.shot.id));
    return project === shot.project && [declared?.id, ...compared].includes(shot.id);
  });
  const [, spec, line] = /^(.+):(\d+)$/.exec(test?.location ?? '') ?? [];
  if (!test || spec === undefined) return null;
  const own = test.declared?.id === shot.id || test.declared?.each ? test.declared : null;
  const path = own ? resolve(root, dirname(spec), own.list) : resolve(root, spec);
  const file = relative(workspace, path);
  if (file.startsWith('..') || isAbsolute(file)) return null;
  return { file: file.split(sep).join('/'), line: own?.line ?? Number(line) };
}
