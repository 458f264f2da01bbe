import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nameShot } from '../../model/plain-text.js';
import type { RunRecord } from '../../model/run-record.js';
import { renderReason } from '../format/reason.js';
import { isGreen, needsReview, renderVerdict } from '../format/verdict.js';
import { renderMarkdown } from '../markdown/render-markdown.js';
import { type Html, html, imageHref } from './html.js';
import { renderView } from './render-view.js';

/** What a page is made for. */
export interface PageOptions {
  /** Set where the page is served by one who takes decisions: the page then has buttons, and sends this with each. */
  readonly session: { readonly token: string } | null;
  /** The images by their links, where the page is to hold them itself; null: they are beside it. */
  readonly images: ReadonlyMap<string, Buffer> | null;
}

/**
 * Renders `index.html`: the built viewer and what it knows of the run in one file. It stands alone beside its images, needs no
 * network, and nothing runs in it but the viewer: titles, addresses and messages are data.
 *
 * @param options - default: a page without buttons, its images beside it.
 */
export function renderHtml(record: RunRecord, { session = null, images = null }: Partial<PageOptions> = {}): string {
  const { script, style } = readViewer();
  // Of a template with a plain `</script` a bundler makes a call to a library of its own.
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${renderPolicy({ script, style }, session !== null)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${isGreen(record) ? 'passed' : 'not passed'}: proofsheet</title>
<style>${{ html: style }}</style>
</head>
<body>
<div id="proofsheet"></div>
<noscript>${renderPlainly(record)}</noscript>
${embedJson('proofsheet-view', renderView(record, images && new Set(images.keys())))}
${session ? embedJson('proofsheet-session', session) : null}
${[...(images ?? [])].map(embedImage)}
<script>${{ html: script }}<\/script>
</body>
</html>
`;
  return page.html;
}

/** Nothing runs but the viewer and nothing is loaded but the images beside the page: what a title smuggles in is dead. */
function renderPolicy({ script, style }: { script: string; style: string }, isServed: boolean): string {
  return [
    "default-src 'none'",
    "img-src 'self' file: data:",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    ...(isServed ? ["connect-src 'self'"] : []),
    // Where a browser knows it: not even the viewer can turn text into markup.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** A block of data: `<` is the one character by which it could end; what turns the direction of writing is not for a source. */
function embedJson(id: string, data: unknown): Html {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const json = JSON.stringify(data).replace(/[<\u2028-\u202e\u2066-\u2069]/g, escaped);
  return html`<script type="application/json" id="${id}">${{ html: json }}<\/script>`;
}

/** A block of data that the viewer finds by the address that the image has beside other pages. */
function embedImage([link, bytes]: readonly [string, Buffer]): Html {
  const ending = link.slice(link.lastIndexOf('.') + 1);
  const type = ending === 'pdf' ? 'application/pdf' : `image/${ending === 'jpg' ? 'jpeg' : ending}`;
  return html`<script type="${type}" id="${imageHref(link)}">${{ html: bytes.toString('base64') }}<\/script>\n`;
}

/** What a browser without scripts shows. */
function renderPlainly(record: RunRecord): Html {
  const amiss = record.shots.filter(needsReview);
  return html`<h1>${renderVerdict(record)}</h1>
<ul>${amiss.map((shot) => html`<li>${shot.status}: ${nameShot(shot)}: ${shot.reason ?? renderReason(shot)}</li>\n`)}</ul>`;
}

/** What the report's page is made of, as the build made it out of `viewer/`. */
export interface ViewerFiles {
  readonly script: string;
  readonly style: string;
}

/** Reads the built page, once. */
export function readViewer(): ViewerFiles {
  read ??= { script: readBuilt('viewer.js'), style: readBuilt('viewer.css') };
  return read;
}

let read: ViewerFiles | null = null;

/** The package finds itself by its name: from `src/`, where the tests run, as well as from `dist/`. */
function readBuilt(name: string): string {
  const manifest = createRequire(import.meta.url).resolve('proofsheet/package.json');
  return readFileSync(join(manifest, '..', 'dist', 'report', 'viewer', name), 'utf8');
}

/** Renders what people read of a run: `index.html` and `summary.md`. */
export function renderPages(run: RunRecord, options: Partial<PageOptions> = {}): { index: string; summary: string } {
  return { index: renderHtml(run, options), summary: renderMarkdown(run) };
}
