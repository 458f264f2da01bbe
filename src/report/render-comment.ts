import type { RunRecord } from '../model/record.js';
import { MAX_CHARACTERS, renderMarkdown } from './render-markdown.js';

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
