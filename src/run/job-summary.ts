import { appendFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import {
  messageOf,
  nameShot,
  type RunRecord,
  renderCount,
  renderLog,
  renderPlain,
  renderProblem,
  type ShotRecord,
} from '../model/index.js';
import { needsReview, renderMarkdown, renderReason } from '../report/index.js';
import type { ObservedTest } from './observed.js';

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
  return failure === null ? annotations : `proofsheet: cannot write the job summary: ${failure}\n${annotations}`;
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
    if (before + Buffer.byteLength(markdown) > MAX_SUMMARY_BYTES)
      return `${path}: ${renderCount(before)} bytes are used, and the maximum is ${renderCount(MAX_SUMMARY_BYTES)}`;
    // The previous content may not end with a line break.
    await appendFile(path, `\n${markdown}`);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the source position of a shot: in the page list, or in the user's test that compares it. */
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

/** A position in the repository: a path with `/` relative to the root, and a line number from 1. */
export interface RepositoryPlace {
  readonly file: string;
  readonly line: number;
}

/** GitHub's limit of error annotations per step: https://docs.github.com/actions/reference/limits */
export const MAX_ANNOTATIONS = 10;

/**
 * Renders workflow commands that annotate a pull request with the problems of a run and the shots that did not pass. At most
 * {@link MAX_ANNOTATIONS}; the last one is "and n more" if there are more. Empty for a green run.
 *
 * @param placeOf returns the position of a shot's declaration; null if it is unknown or outside the repository.
 */
export function renderAnnotations(record: RunRecord, placeOf: (shot: ShotRecord) => RepositoryPlace | null): string {
  const all = [
    ...record.run.problems.map((problem) => {
      return renderError({ title: 'proofsheet', text: renderProblem(problem), place: null });
    }),
    ...record.shots.filter(needsReview).map((shot) => {
      const title = `${shot.status}: ${nameShot(shot)}`;
      return renderError({ title, text: shot.reason ?? renderReason(shot) ?? shot.status, place: placeOf(shot) });
    }),
  ];
  if (all.length <= MAX_ANNOTATIONS) return all.join('');
  const shown = all.slice(0, MAX_ANNOTATIONS - 1);
  const more = `${renderCount(all.length - shown.length)} more: see the job summary`;
  return [...shown, renderError({ title: 'proofsheet', text: more, place: null })].join('');
}

interface Annotation {
  readonly title: string;
  readonly text: string;
  readonly place: RepositoryPlace | null;
}

/** Maximum length of an annotation, in characters. GitHub cuts longer ones. */
const MAX_TEXT = 1000;

function renderError({ title, text, place }: Annotation): string {
  const properties = {
    ...(place && { file: place.file, line: String(place.line) }),
    title: shorten(renderOneLine(title)),
  };
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::error ${pairs.join(',')}::${escapeData(shorten(renderOneLine(text)))}\n`;
}

/** The runner obeys some commands in the data of others. */
function renderOneLine(text: string): string {
  return renderLog(renderPlain(text));
}

/** Cuts a text without splitting surrogate pairs. */
function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${[...text].slice(0, MAX_TEXT).join('')}…` : text;
}

/** As `escapeData` of https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** As `escapeProperty` there. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
