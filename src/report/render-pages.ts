import type { RunRecord } from '../model/record.js';
import { renderHtml } from './render-html.js';
import { renderMarkdown } from './render-markdown.js';

/** Renders what people read of a run: `index.html` and `summary.md`. */
export function renderPages(run: RunRecord): { index: string; summary: string } {
  return { index: renderHtml(run), summary: renderMarkdown(run) };
}
