import type { RunRecord, ShotRecord } from '../model/record.js';
import { type Html, html, imageHref, pageHref } from './html.js';
import { renderLimit } from './limits.js';
import { renderReason } from './reason.js';
import { renderCount, renderCountOf, renderDuration, renderPercentage, renderPixels, renderSize } from './words.js';

/** Renders a shot that did not pass: what it is, why, its figures, and its three images. */
export function renderShot(shot: ShotRecord, index: number): Html {
  const { regions, warnings, attempts, environment, baseline } = shot;
  return html`<article class="shot">
<div class="title">${renderStatus(shot)}<h2>${shot.id}</h2>${shot.project ? html`<span class="soft">${shot.project}</span>` : null}</div>
<p class="reason">${shot.reason ?? renderReason(shot)}</p>
<p>${renderPage(shot.url)}</p>
<dl>
${shot.summary ? row('differs', tellCounts(shot.summary)) : null}
${shot.limits && shot.summary ? row('fails above', `${renderLimit(shot)}; a pixel counts from a colour distance of ${shot.limits.threshold}`) : null}
${regions.length > 0 ? row('where', tellRegions(regions)) : null}
${attempts.length > 1 ? row('attempts', attempts.map(({ status }) => status).join(', ')) : null}
${baseline ? row('baseline', baseline.path) : null}
${environment ? row('made with', tellEnvironment(environment)) : null}
${warnings.map(({ message }) => row('warning', message))}
</dl>
${shot.before || shot.after || shot.diff ? renderImages(shot, index) : null}
</article>
`;
}

/** Renders a status, and what else is to be known of it. */
export function renderStatus({ status, flaky, written }: ShotRecord): Html {
  const flag = (name: string) => html` <span class="badge flag">${name}</span>`;
  const flags = [...(flaky ? [flag('flaky')] : []), ...(written ? [flag('written')] : [])];
  return html`<span class="badge ${status}">${status}</span>${flags}`;
}

/** Renders the address of a page, as a link where it is safe to follow. */
export function renderPage(url: string): Html {
  const href = pageHref(url);
  return href === null ? html`${url}` : html`<a href="${href}" rel="noreferrer">${url}</a>`;
}

function row(name: string, value: string): Html {
  return html`<dt>${name}</dt><dd>${value}</dd>`;
}

function tellCounts(summary: NonNullable<ShotRecord['summary']>): string {
  const { mismatchPixels, mismatchPercentage, totalPixels, antialiasedPixels, mismatchPixelsAfterAlignment } = summary;
  const isAligned = mismatchPixelsAfterAlignment !== null && mismatchPixelsAfterAlignment !== mismatchPixels;
  return [
    `${renderPixels(mismatchPixels)} of ${renderCount(totalPixels)} (${renderPercentage(mismatchPercentage)})`,
    ...(isAligned ? [`${renderPixels(mismatchPixelsAfterAlignment)} once what moved is laid on itself`] : []),
    ...(antialiasedPixels > 0 ? [`${renderPixels(antialiasedPixels)} more by anti-aliasing only`] : []),
  ].join('; ');
}

function tellRegions(regions: ShotRecord['regions']): string {
  const told = regions.slice(0, 5).map((region, index) => {
    return `${index + 1} at ${region.x},${region.y} ${renderSize(region)} (${renderPixels(region.pixels)})`;
  });
  return regions.length > 5
    ? `${told.join('; ')} and ${renderCountOf(regions.length - 5, 'more region')}`
    : told.join('; ');
}

function tellEnvironment(environment: NonNullable<RunRecord['shots'][number]['environment']>): string {
  const { browser, browserVersion, headless, os, arch, scale, engine } = environment;
  return `${browser} ${browserVersion} (${headless}), ${os}/${arch}, scale ${scale}, compared by ${engine}`;
}

/** Renders the style rules of the close-ups: each shows its images at 1:1 where the first change is. */
export function renderCloseUpRules(shots: readonly ShotRecord[]): string {
  return shots
    .map(({ regions: [region] }, index) => {
      if (!region) return '';
      const [x, y] = [region.x, region.y].map((edge) => -Math.max(0, edge - MARGIN));
      return `.close-up-${index} { object-position: ${x}px ${y}px; }\n`;
    })
    .join('');
}

/** How much of the surroundings a close-up shows, in pixels. */
const MARGIN = 48;

function renderImages({ id, before, after, diff, regions }: ShotRecord, index: number): Html {
  const closeUp = regions.length > 0 ? `close-up-${index}` : null;
  return html`<div class="images">
${renderFigure('before', id, before, before?.source ?? '', closeUp)}
${renderFigure('after', id, after, after?.source ?? '', closeUp)}
${renderFigure('diff', id, diff, '', closeUp)}
</div>`;
}

function renderFigure(
  role: string,
  id: string,
  image: ShotRecord['diff'],
  source: string,
  closeUp: string | null,
): Html {
  const href = imageHref(image?.link ?? null);
  if (!image || href === null) {
    return html`<figure><figcaption><b>${role}</b></figcaption><div class="none">${image ? 'the image is missing' : `there is no ${role} image`}</div></figure>`;
  }
  const size = renderSize(image);
  return html`<figure><figcaption title="${source}"><b>${role}</b> <span class="soft">${size} ${source}</span></figcaption>
${closeUp === null ? null : html`<a class="close-up" href="${href}"><img class="${closeUp}" src="${href}" alt="${role}, close-up of ${id}" loading="lazy"></a>`}
<a class="frame" href="${href}"><img src="${href}" alt="${role} image of ${id}" width="${image.width}" height="${image.height}" loading="lazy"></a></figure>`;
}

/** Renders shots that need nobody's eyes as a table with their exact figures. */
export function renderTable(shots: readonly ShotRecord[]): Html {
  return html`<div class="wide"><table>
<tr><th>status</th><th>shot</th><th>project</th><th class="number">differs, px</th><th class="number">of</th><th class="number">anti-aliased, px</th><th>fails above</th><th class="number">time</th><th>page</th></tr>
${shots.map(renderRow)}
</table></div>`;
}

function renderRow(shot: ShotRecord): Html {
  const { id, project, summary, status, reason, url, after, warnings } = shot;
  const href = imageHref(after?.link ?? null);
  const count = (value: number | undefined) =>
    html`<td class="number">${value === undefined ? '' : renderCount(value)}</td>`;
  const remarks = [...(status === 'skipped' && reason ? [reason] : []), ...warnings.map(({ message }) => message)];
  return html`<tr><td>${renderStatus(shot)}</td><td>${href === null ? id : html`<a href="${href}">${id}</a>`}${remarks.map((remark) => html`<p class="soft">${remark}</p>`)}</td><td>${project}</td>
${count(summary?.mismatchPixels)}${count(summary?.totalPixels)}${count(summary?.antialiasedPixels)}<td>${shot.limits ? renderLimit(shot) : ''}</td><td class="number">${renderDuration(shot.durationMs)}</td><td>${renderPage(url)}</td></tr>
`;
}
