import {
  cutText,
  type RunRecord,
  renderCount,
  renderLog,
  renderPlain,
  renderProblem,
  type ShotRecord,
} from '../model/index.js';
import { describeChange, listChangesToReview, locateChange } from './changes.js';

/** A position in the repository: a path with `/` relative to the root, and a line number from 1. */
export interface RepositoryPlace {
  readonly file: string;
  readonly line: number;
}

/** GitHub's limit of error annotations per step: https://docs.github.com/actions/reference/limits */
const MAX_ANNOTATIONS = 10;

/** Maximum length of an annotation, in characters. GitHub cuts longer ones. */
const MAX_TEXT = 1000;

/**
 * Renders workflow commands that annotate a pull request with the problems of a run and its changes, each at its first shot. If there are more
 * than GitHub shows, the last one is "and n more". Empty for a green run.
 *
 * @param placeOf returns the position of a shot's declaration; null if it is unknown or outside the repository.
 */
export function renderAnnotations(record: RunRecord, placeOf: (shot: ShotRecord) => RepositoryPlace | null): string {
  const all = [
    ...record.run.problems.map((problem) => renderError('proofsheet', renderProblem(problem))),
    ...listChangesToReview(record.shots).map((change) => {
      const { status } = change.first;
      return renderError(`${status}: ${locateChange(change)}`, describeChange(change) || status, placeOf(change.first));
    }),
  ];
  if (all.length <= MAX_ANNOTATIONS) return all.join('');
  const shown = all.slice(0, MAX_ANNOTATIONS - 1);
  const more = `${renderCount(all.length - shown.length)} more: see the job summary`;
  return [...shown, renderError('proofsheet', more)].join('');
}

function renderError(title: string, text: string, place: RepositoryPlace | null = null): string {
  const properties = { ...place, title: shorten(title) };
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::error ${pairs.join(',')}::${escapeData(shorten(text))}\n`;
}

/** Cuts a text to one line. The runner obeys some commands in the data of others. */
function shorten(text: string): string {
  return cutText(renderLog(renderPlain(text)), MAX_TEXT);
}

/** As `escapeData` of https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
