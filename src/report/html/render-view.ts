import {
  type ComparisonSummary,
  endSentence,
  hasControls,
  parseUrl,
  type RunRecord,
  renderCount,
  renderDuration,
  renderPercentage,
  renderPixels,
  renderPlain,
  renderSize,
  type ShotRecord,
  type Status,
} from '../../model/index.js';
import { formatCause } from '../format/causes.js';
import {
  renderComparisonNotices,
  renderEnvironment,
  renderEnvironmentNotice,
  renderEnvironmentNotices,
} from '../format/environment.js';
import { formatChangeSummary, formatRegion, renderLimit, renderReason } from '../format/reason.js';
import {
  flagsOf,
  isDecidable,
  isGreen,
  needsReview,
  renderCounts,
  renderTimings,
  renderVerdict,
} from '../format/verdict.js';
import { renderOmittedImages } from './inline-images.js';
import type { AttemptView, Detail, ImageView, Metrics, RegionView, ReportView, ShotView } from './view.js';

/**
 * Renders the data of the report page. Sanitizes untrusted text and removes unsafe links.
 *
 * @param embedded links of embedded images; null if the images are separate files.
 */
export function renderView(record: RunRecord, embedded: ReadonlySet<string> | null): ReportView {
  const { run, shots, tool } = record;
  const isOne = new Set(shots.map(({ project }) => project)).size === 1;
  return {
    verdict: renderVerdict(record),
    isGreen: isGreen(record),
    scope: renderPlain(renderScope(record)),
    options: renderPlain(run.selected.join(' ')),
    counts: renderCounts(record).flatMap(([name, count]) => (count === 0 ? [] : [[name, renderCount(count)]])),
    problems: run.problems.map(({ where, found, advice }) => {
      return { what: renderPlain(endSentence(`${where}: ${found}`)), advice: renderPlain(advice) };
    }),
    notices: [...renderEnvironmentNotices(shots), ...renderComparisonNotices(shots)].map(renderPlain),
    version: renderPlain(tool.version),
    omittedImages: embedded && renderOmittedImages(shots, embedded),
    shots: inReviewOrder(shots).map((shot) => ({
      ...renderShotView(shot, embedded),
      quotedProject: isOne ? '' : quoteArgument(shot.project),
    })),
  };
}

/** Puts the largest group of shots with the same change before other changes. Shots without a result stay first. */
function inReviewOrder(shots: readonly ShotRecord[]): ShotRecord[] {
  const isGrouped = (shot: ShotRecord) => shot.group !== null && needsReview(shot);
  const hasNoResult = ({ status }: ShotRecord) => status === 'error' || status === 'unstable';
  // Groups are numbered by size; 1 is the largest.
  const compareGroups = (a: ShotRecord, b: ShotRecord) =>
    (a.group ?? '').localeCompare(b.group ?? '', 'en', { numeric: true });
  const rest = shots.filter((shot) => !hasNoResult(shot));
  return [
    ...shots.filter(hasNoResult),
    ...rest.filter(isGrouped).toSorted(compareGroups),
    ...rest.filter((shot) => !isGrouped(shot)),
  ];
}

function renderScope({ startedAt, durationMs, run }: RunRecord): string {
  const { list, commit, shards } = run;
  return [
    ...(list === null ? [] : [list]),
    `${startedAt.slice(0, 19).replace('T', ' ')} UTC`,
    renderDuration(durationMs),
    ...(commit === null ? [] : [`commit ${commit.slice(0, 12)}`]),
    ...(shards.length > 0 ? [`shards ${shards.map(({ current, total }) => `${current}/${total}`).join(', ')}`] : []),
  ].join(' · ');
}

function renderShotView(shot: ShotRecord, embedded: ReadonlySet<string> | null): Omit<ShotView, 'quotedProject'> {
  const { id, project, status, flaky, group, decision } = shot;
  return {
    ...{ id, project, status, decision },
    // The group goes into a command line without quotes.
    group: group !== null && /^\w+$/.test(group) ? group : null,
    name: renderPlain(id),
    url: renderPlain(shot.url),
    projectName: renderPlain(project),
    viewport: renderPlain(shot.viewport ?? ''),
    // The page shows the decision by itself: it changes there.
    flags: flagsOf({ ...shot, decision: null }),
    needsReview: needsReview(shot),
    isDecidable: isDecidable(shot),
    reason: renderPlain(shot.reason ?? renderReason(shot) ?? ''),
    details: renderDetails(shot),
    metrics: renderMetrics(shot),
    durationMs: shot.durationMs,
    spent: renderSpent(shot),
    ...renderImages(shot, embedded),
    attempts: flaky ? shot.attempts.map((attempt) => renderAttempt(attempt, status, embedded)) : [],
    regions: renderRegions(shot),
    causes: (shot.causes ?? []).map((cause) => ({ text: formatCause(cause), boxes: cause.boxes })),
    quotedId: quoteArgument(id),
  };
}

function renderSpent({ durationMs, timings }: ShotRecord): string {
  const parts = timings ? renderTimings(timings) : '';
  return [renderDuration(durationMs), ...(parts === '' ? [] : [parts])].join(': ');
}

function renderDetails(shot: ShotRecord): Detail[] {
  const { compared, summary, limits, attempts, environment, baseline, capture, warnings, url } = shot;
  const changeSummary = formatChangeSummary(shot);
  const notice = renderEnvironmentNotice(shot);
  return [
    ...(summary ? [detail('mismatch', renderDifference(summary))] : []),
    ...(limits && summary
      ? [detail('fails above', `${renderLimit(shot)} (color distance of a pixel above ${limits.threshold})`)]
      : []),
    ...(compared !== null && compared < 1
      ? [detail('compared', `${renderPercentage(100 * compared)} of the pixels`)]
      : []),
    ...(changeSummary ? [detail('layout change', changeSummary)] : []),
    ...renderSizes(shot),
    { ...detail('URL', url), href: pageHref(url) },
    ...(baseline ? [detail('baseline', baseline.path)] : []),
    ...(baseline?.sha256 ? [detail('baseline sha256', baseline.sha256)] : []),
    ...(attempts.length > 1 ? [detail('attempts', renderAttempts(attempts))] : []),
    ...(capture
      ? [detail('captured', `${capture.fetchTime.slice(0, 19).replace('T', ' ')} UTC. ${capture.message}`)]
      : []),
    ...(environment
      ? [detail('environment', renderEnvironment(environment, ['headless', 'scale', 'fonts', 'engine']))]
      : []),
    ...(shot.notReusable === undefined ? [] : [detail('not reusable', shot.notReusable)]),
    ...(notice === null ? [] : [detail('notice', notice)]),
    ...warnings.map(({ message }) => detail('warning', message)),
    detail('duration', renderSpent(shot)),
  ];
}

function detail(name: string, text: string): Detail {
  return { name, text: renderPlain(text), href: null };
}

function renderSizes({ before, after }: ShotRecord): Detail[] {
  if (!before || !after) return after ? [detail('size', renderSize(after))] : [];
  const [one, other] = [renderSize(before), renderSize(after)];
  return [detail('size', one === other ? one : `${one} before, ${other} after`)];
}

function renderAttempts(attempts: ShotRecord['attempts']): string {
  return attempts.map(({ status }, index) => `${index + 1} ${status}`).join(', ');
}

/** Renders an attempt. The final attempt has the shot's status and no images of its own. */
function renderAttempt(
  attempt: ShotRecord['attempts'][number],
  shotStatus: Status,
  embedded: ReadonlySet<string> | null,
): AttemptView {
  const { status, reason, before = null, after = null, diff = null } = attempt;
  const isFinal = status === shotStatus && reason === undefined && !before && !after && !diff;
  return {
    status,
    reason: renderPlain(reason ?? ''),
    images: isFinal ? null : renderImages({ before, after, diff }, embedded),
  };
}

function renderImages(
  { before, after, diff }: Pick<ShotRecord, 'before' | 'after' | 'diff'>,
  embedded: ReadonlySet<string> | null,
): Pick<ShotView, 'before' | 'after' | 'diff'> {
  return {
    before: before && renderImage(before, before.source, embedded),
    after: after && renderImage(after, after.source, embedded),
    diff: diff && renderImage(diff, '', embedded),
  };
}

function renderImage(
  { link, width, height }: NonNullable<ShotRecord['diff']>,
  source: string,
  embedded: ReadonlySet<string> | null,
): ImageView {
  const imageUrl = imageHref(link);
  const href = embedded && link !== null && !embedded.has(link) ? null : imageUrl;
  const caption =
    imageUrl === null ? 'image file is missing' : href === null ? 'not embedded in this file' : renderPlain(source);
  return { href, width, height, caption, isPicture: !imageUrl?.endsWith('.pdf') };
}

function renderRegions(shot: ShotRecord): RegionView[] {
  return shot.regions.flatMap((region, index) => {
    const place = shot.regionPlaces[index];
    return place ? [{ text: renderRegion(region), ...place }] : [];
  });
}

/** Renders the exact numbers of a shot. */
function renderMetrics({ summary, ...shot }: ShotRecord): Metrics {
  return {
    differs: summary ? renderCount(summary.mismatchPixels) : '',
    total: summary ? renderCount(summary.totalPixels) : '',
    antialiased: summary ? renderCount(summary.antialiasedPixels) : '',
    limit: shot.limits ? renderLimit({ ...shot, summary }) : '',
    time: renderDuration(shot.durationMs),
  };
}

/** Renders the difference: `1,204 px of 921,600 px (0.13 %); 12 px differ by anti-aliasing only`. */
function renderDifference(summary: ComparisonSummary): string {
  const { mismatchPixels, mismatchPercentage, totalPixels, antialiasedPixels, mismatchPixelsAfterAlignment } = summary;
  const isAligned = mismatchPixelsAfterAlignment !== null && mismatchPixelsAfterAlignment !== mismatchPixels;
  return [
    `${renderPixels(mismatchPixels)} of ${renderPixels(totalPixels)} (${renderPercentage(mismatchPercentage)})`,
    ...(isAligned ? [`${renderPixels(mismatchPixelsAfterAlignment)} after alignment`] : []),
    ...(antialiasedPixels > 0 ? [`${renderPixels(antialiasedPixels)} differ by anti-aliasing only`] : []),
  ].join('; ');
}

/** Renders the position, size and mismatched pixels of a region: `420x60 px at (312, 480): 1,204 mismatched px`. */
function renderRegion(region: ShotRecord['regions'][number]): string {
  const side = region.side === 'before' ? ' in the before image' : '';
  return `${formatRegion(region)}${side}: ${renderCount(region.pixels)} mismatched px`;
}

/**
 * Returns the relative URL of a report image; null for all other links, because the links of a report are untrusted.
 */
export function imageHref(link: string | null): string | null {
  if (link === null || !link.startsWith('screenshots/')) return null;
  const segments = link.split('/');
  // A lone surrogate cannot be encoded.
  if (/\p{Cs}/u.test(link) || segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return null;
  return segments.map(encodeURIComponent).join('/');
}

/** Returns the URL of a page; null if it is not http or https, because a `javascript:` URL would run in the report. */
export function pageHref(url: string): string | null {
  if (parseUrl(url) === null) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

/**
 * Quotes an argument for a POSIX shell. Simple arguments stay unquoted, so that they work in every shell. Returns null for text
 * with control or bidirectional characters.
 */
export function quoteArgument(text: string): string | null {
  if (hasControls(text) || /\p{Cs}/u.test(text)) return null;
  if (/^[\w./@=][\w./@=-]*$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
