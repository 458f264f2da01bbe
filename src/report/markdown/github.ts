import { renderProblem } from '../../model/errors.js';
import { nameShot, renderPlain } from '../../model/plain-text.js';
import type { RunRecord, ShotRecord } from '../../model/run-record.js';
import { renderCount } from '../../model/words.js';
import { renderReason } from '../format/reason.js';
import { needsReview } from '../format/verdict.js';
import { MAX_CHARACTERS, renderMarkdown } from './render-markdown.js';

/** Where in the repository something stands: a path with `/` relative to its top; the line counts from 1. */
export interface RepositoryPlace {
  readonly file: string;
  readonly line: number;
}

/** GitHub shows no more errors of one step: https://docs.github.com/actions/reference/limits */
export const MAX_ANNOTATIONS = 10;

/**
 * Renders the workflow commands that put a run's problems, and its shots that did not pass, beside the lines of a pull
 * request: at most {@link MAX_ANNOTATIONS}, the last of them "and n more" then. Empty for a run that is green.
 *
 * @param placeOf gives where a shot is declared; null: that is not known, or not in the repository.
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

/** GitHub cuts what is longer, and not where we would. */
const MAX_TEXT = 1000;

function renderError({ title, text, place }: Annotation): string {
  const properties = {
    ...(place && { file: place.file, line: String(place.line) }),
    title: shorten(renderPlain(title)),
  };
  const told = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::error ${told.join(',')}::${escapeData(shorten(renderPlain(text)))}\n`;
}

/** Cuts between characters, not between their halves. */
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

/** What a comment tells besides the run. */
export interface CommentContext {
  /** Where the workflow's run is, with the report among its artifacts; null: not known. */
  readonly link: string | null;
  /** The commit that was looked at; null: not known. */
  readonly commit: string | null;
}

/**
 * Renders what a pull request's comment says of a run. Always under {@link MAX_CHARACTERS}, marker included, also of a
 * record that somebody has made up: it may come from anybody's pull request.
 */
export function renderComment(record: RunRecord, { link, commit }: CommentContext): string {
  const commits = commit !== null && /^[0-9a-f]{7,64}$/.test(commit) ? [`Commit ${commit}.`] : [];
  const links =
    link !== null && isShortUrl(link) ? [`[The report with its images](<${link}>) is an artifact there.`] : [];
  const foot = [...commits, ...links].join(' ');
  const summary = renderMarkdown(record, MAX_CHARACTERS - FOOT_ROOM);
  return foot === '' ? summary : `${summary.trimEnd()}\n\n${foot}\n`;
}

/** For the foot, and for the marker before it all. */
const FOOT_ROOM = 1000;

function isShortUrl(link: string): boolean {
  return link.length < 500 && /^https?:\/\/[^\s<>]+$/.test(link);
}
