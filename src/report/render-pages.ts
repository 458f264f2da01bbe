import type { RunRecord } from '../model/record.js';
import { type PageOptions, renderHtml } from './render-html.js';
import { renderMarkdown } from './render-markdown.js';

/** Renders what people read of a run: `index.html` and `summary.md`. */
export function renderPages(run: RunRecord, options: Partial<PageOptions> = {}): { index: string; summary: string } {
  return { index: renderHtml(run, options), summary: renderMarkdown(run) };
}
