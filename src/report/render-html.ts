import { createHash } from 'node:crypto';
import type { RunRecord } from '../model/record.js';
import { renderEnvironmentNotices } from './environment.js';
import { type Html, html } from './html.js';
import { renderCloseUpRules, renderShot, renderTable } from './html-shot.js';
import { STYLE } from './html-style.js';
import { isAmiss, isGreen, renderCounts, renderVerdict } from './verdict.js';
import { renderCount, renderCountOf, renderDuration } from './words.js';

/**
 * Renders `index.html`: every shot that did not pass with before, after and diff, the worst first, and all others in a
 * table. It stands alone: one file beside the images, no script, nothing from the network, light and dark.
 */
export function renderHtml(record: RunRecord): string {
  const amiss = record.shots.filter(isAmiss);
  const fine = record.shots.filter((shot) => !isAmiss(shot));
  const style = STYLE + renderCloseUpRules(amiss);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${isGreen(record) ? 'passed' : 'not passed'}: proofsheet</title>
<style>${{ html: style }}</style>
</head>
<body>
<header>
<h1 class="${isGreen(record) ? 'passed' : 'error'}">${renderVerdict(record)}</h1>
${renderScope(record)}
<ul class="counts">${renderCounts(record).map(renderTile)}</ul>
${record.run.problems.map(renderProblem)}
${renderEnvironmentNotices(record.shots).map((notice) => html`<p>${notice}.</p>`)}
</header>
<main>
${amiss.map(renderShot)}
${fine.length > 0 ? html`<details><summary>${renderCountOf(fine.length, 'shot')} in order</summary>${renderTable(fine)}</details>` : null}
<footer>proofsheet ${record.tool.version}. The record of this run: <a href="results.json">results.json</a></footer>
</main>
</body>
</html>
`;
  return page.html;
}

/** Nothing runs and nothing is loaded but the images beside the page: what a title smuggles in is dead. */
function policy(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; img-src 'self' file: data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}

function renderScope({ startedAt, durationMs, run }: RunRecord): Html {
  const { list, commit, selected, shards } = run;
  const parts = [
    ...(list === null ? [] : [list]),
    `${startedAt.slice(0, 19).replace('T', ' ')} UTC`,
    renderDuration(durationMs),
    ...(commit === null ? [] : [`commit ${commit.slice(0, 12)}`]),
    ...(shards.length > 0 ? [`shards ${shards.map(({ current, total }) => `${current}/${total}`).join(', ')}`] : []),
  ];
  const filters = html`<p>Only what these filters select: <code>${selected.join(' ')}</code></p>`;
  return html`<p class="soft">${parts.join(' · ')}</p>${selected.length > 0 ? filters : null}`;
}

function renderTile([name, count]: readonly [string, number]): Html {
  return html`<li class="${count === 0 ? 'zero' : ''}"><b>${renderCount(count)}</b>${name}</li>`;
}

function renderProblem({ where, found, advice }: RunRecord['run']['problems'][number]): Html {
  return html`<div class="problem"><p><b>${where}</b>: ${found}.</p><p class="soft">${advice}</p></div>`;
}
