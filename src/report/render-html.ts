import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { html, raw } from 'hono/html';
import { mediaTypeOf, type RunRecord, renderJson } from '../model/index.js';
import { describeChange, listChangesToReview, locateChange } from './changes.js';
import { imageHref } from './links.js';
import { isGreen, renderVerdict } from './verdict.js';
import { createView, type Session, type Thumbnails } from './view.js';

export interface PageOptions {
  /** Set by a server that accepts decisions. The page then has buttons and sends the token with each decision. */
  readonly session: Session | null;
  readonly images: ReadonlyMap<string, Buffer> | null;
  /** Set for a published report. */
  readonly thumbnails: Thumbnails;
}

/**
 * Renders `index.html`, which contains the built viewer and the data of the run. By default it has no buttons, and its images are files. Its policy
 * allows no script except the viewer, and no network, so that titles, URLs and messages stay data.
 */
export function renderHtml(record: RunRecord, options: Partial<PageOptions> = {}): string {
  const { session = null, images = null, thumbnails = null } = options;
  const { script, style } = readViewer();
  // Escape `</script`: a bundler compiles a tagged template that contains it to a call of its own helper.
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${renderPolicy({ script, style }, session !== null)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${isGreen(record) ? 'passed' : 'not passed'}: proofsheet</title>
<style>${raw(style)}</style>
</head>
<body>
<div id="proofsheet"></div>
<noscript>${renderNoscript(record)}</noscript>
${embedJson('proofsheet-view', createView(record, images && new Set(images.keys()), thumbnails))}
${session ? embedJson('proofsheet-session', session) : ''}
${[...(images ?? [])].map(embedImage)}
<script>${raw(script)}<\/script>
</body>
</html>
`);
}

function renderPolicy({ script, style }: { script: string; style: string }, isServed: boolean): string {
  return [
    "default-src 'none'",
    "img-src 'self' file: data:",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    `script-src 'sha256-${hash('sha256', script, 'base64')}'`,
    ...(isServed ? ["connect-src 'self'"] : []),
    // In browsers with Trusted Types not even the viewer can convert text to markup.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Embeds JSON. Escapes `<`, which could end the block. */
function embedJson(id: string, data: unknown) {
  const json = renderJson(data).replaceAll('<', '\\u003c');
  return html`<script type="application/json" id="${id}">${raw(json)}<\/script>`;
}

/** Embeds an image. Its id is the relative URL that the image otherwise has. */
function embedImage([link, bytes]: readonly [string, Buffer]) {
  const type = mediaTypeOf(link.slice(link.lastIndexOf('.') + 1));
  return html`<script type="${type}" id="${imageHref(link) ?? ''}">${raw(bytes.toString('base64'))}<\/script>\n`;
}

function renderNoscript(record: RunRecord) {
  const changes = listChangesToReview(record.shots);
  return html`<h1>${renderVerdict(record)}</h1>
<ul>${changes.map((change) => html`<li>${change.first.status}: ${locateChange(change)}: ${describeChange(change)}</li>\n`)}</ul>`;
}

/** Reads the built files of `viewer/`. Resolves the package by name, so that it works from `src/` (tests) and from `dist/`. */
export function readViewer(): { script: string; style: string } {
  const folder = join(createRequire(import.meta.url).resolve('proofsheet/package.json'), '../dist/report/viewer');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { script: read('viewer.js'), style: read('viewer.css') };
}
