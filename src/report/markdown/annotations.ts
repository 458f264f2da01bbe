import { renderProblem } from '../../model/errors.js';
import { nameShot, renderPlain } from '../../model/plain-text.js';
import type { RunRecord, ShotRecord } from '../../model/run-record.js';
import { renderCount } from '../../model/words.js';
import { renderReason } from '../format/reason.js';
import { needsReview } from '../format/verdict.js';

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
  const more = `and ${renderCount(all.length - shown.length)} more: the summary of this job lists them`;
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
    title: shorten(renderPlain(title)),
  };
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::error ${pairs.join(',')}::${escapeData(shorten(renderPlain(text)))}\n`;
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
