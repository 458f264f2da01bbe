import {
  type Cause,
  type ComparisonSummary,
  endSentence,
  quoteArgument,
  type Rectangle,
  type RunRecord,
  renderCount,
  renderCountOf,
  renderDuration,
  renderPercentage,
  renderPixels,
  renderPlain,
  renderSize,
  type ShotRecord,
  type Size,
  type Status,
  withoutControls,
} from '../model/index.js';
import { causeKeyOf, foldSides, markWords, renderCause, renderCauses } from './causes.js';
import { describeShot, inReviewOrder, listChangesToReview } from './changes.js';
import { listRunWarnings, renderEnvironment, renderEnvironmentNotice } from './environment.js';
import { imageHref, linksOf, pageHref } from './links.js';
import { reasonOf, renderAligned, renderChangeSummary, renderLimit, renderRegion, renderRejection } from './reason.js';
import {
  flagsOf,
  isDecidable,
  isGreen,
  namesOfShards,
  needsReview,
  renderCounts,
  renderTimings,
  renderVerdict,
} from './verdict.js';

/** The data of the report page. All texts are final and all links are safe. What does not exist is absent. */
export type ReportView = ReturnType<typeof createView>;
export type ShotView = Readonly<ReturnType<typeof viewShot>>;

/** A region, and its place in the pixels of each image. */
export type RegionView = ShotView['regions'][number];

/** A small picture, and the part of the image that it shows, in pixels of the image. */
export interface Thumbnail extends Rectangle {
  readonly href: string;
}

export interface ImageView extends Size {
  /** URL relative to the page; absent if there is no file. `caption` then gives the reason. */
  readonly href?: string;
  readonly caption: string;
  /** False for a PDF, which browsers do not show as an image. */
  readonly isPicture: boolean;
}

/** The approval session of a page that the report server renders. */
export interface Session {
  /** Sent with each decision. The server refuses decisions without it. */
  readonly token: string;
  /** The id to undo the newest decision; null if there is none. */
  readonly undo: string | null;
}

/** The links of the images that a page embeds; null if its images are separate files. */
type Embedded = ReadonlySet<string> | null;

/** The thumbnails of a published report; null for a report that is not published. */
export type Thumbnails = ReadonlyMap<ShotRecord, Thumbnail> | null;

/** Maximum number of warnings above the shots. */
const MAX_NOTICES = 10;

/** Creates the data of the report page. Sanitizes untrusted text and removes unsafe links. */
export function createView(record: RunRecord, embedded: Embedded, thumbnails: Thumbnails = null) {
  const { run, shots, tool } = record;
  const omittedImages = embedded && renderOmittedImages(shots, embedded);
  const hasOneProject = new Set(shots.map(({ project }) => project)).size === 1;
  const context = { embedded, thumbnails, hasOneProject, groups: groupsOf(shots) };
  const warnings = listRunWarnings(shots);
  return {
    verdict: renderVerdict(record),
    isGreen: isGreen(record),
    /** List, time and commit of the run. */
    scope: renderPlain(renderScope(record)),
    /** Options of the command line; empty if there are none. */
    options: renderPlain(run.selected.join(' ')),
    counts: renderCounts(record)
      .filter(([, count]) => count !== 0)
      .map(([name, count]) => ({ name, count: renderCount(count) })),
    problems: run.problems.map(({ where, found, advice }) => {
      return { what: renderPlain(endSentence(`${where}: ${found}`)), advice: renderPlain(advice) };
    }),
    /** Warnings of the run. Each shot has its own, too. */
    notices: warnings.slice(0, MAX_NOTICES).map(({ text }) => renderPlain(text)),
    version: renderPlain(tool.version),
    ...(omittedImages && { omittedImages }),
    /** The page is at an address. Its buttons then write a comment for the pull request. */
    isPublished: thumbnails !== null,
    shots: inReviewOrder(shots).map((shot, index) => viewShot(shot, index, context)),
  };
}

function renderScope(record: RunRecord): string {
  const { list, commit } = record.run;
  const shards = namesOfShards(record).join(', ');
  const parts = [list, renderTime(record.startedAt), renderDuration(record.durationMs)];
  return [...parts, commit && `commit ${commit.slice(0, 12)}`, shards && `shards ${shards}`]
    .filter(Boolean)
    .join(' · ');
}

/** Renders `2026-11-28 10:00:00 UTC`. */
export function renderTime(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

/** Maximum total size of embedded images, in bytes. Browsers and CI artifact viewers open such a page without delay. */
export const MAX_INLINE_BYTES = 30_000_000;

function renderOmittedImages(shots: readonly ShotRecord[], embedded: ReadonlySet<string>): string | null {
  const links = [...new Set(shots.flatMap(linksOf))];
  const omitted = links.filter((link) => !embedded.has(link));
  if (omitted.length === 0) return null;
  const counts = `${renderCount(omitted.length)} of ${renderCountOf(links.length, 'image')}`;
  const limit = `the limit is ${MAX_INLINE_BYTES / 1_000_000} MB, and the worst shots come first`;
  return `${counts} are not embedded: ${limit}. The "screenshots" folder of the report has all images.`;
}

interface Context {
  readonly embedded: Embedded;
  readonly thumbnails: Thumbnails;
  readonly hasOneProject: boolean;
  readonly groups: readonly Group[];
}

/** A group of shots with the same change, and the keys of its causes. */
interface Group {
  readonly name: string;
  readonly keys: ReadonlySet<string>;
}

/** Lists the groups with certain causes only, the largest first. */
function groupsOf(shots: readonly ShotRecord[]): Group[] {
  return listChangesToReview(shots).flatMap(({ first: { group, causes = [] } }) => {
    const isCertain = causes.length > 0 && causes.every(({ certain }) => certain);
    return group !== null && isCertain ? [{ name: group, keys: keysOf(causes) }] : [];
  });
}

function keysOf(causes: readonly Cause[]): Set<string> {
  return new Set(foldSides(causes).map(causeKeyOf));
}

/** Finds the largest group that has some of the causes of a shot, and no others. */
function findShared({ group, causes = [] }: ShotRecord, groups: readonly Group[]): Group | undefined {
  const own = keysOf(causes);
  const isWithin = (keys: ReadonlySet<string>) => keys.size < own.size && [...keys].every((key) => own.has(key));
  return groups.find(({ name, keys }) => name !== group && isWithin(keys));
}

/** Says in one sentence what happened: `as change 1, plus .price: text "49" -> "4"` if the shot has the causes of a group and others. */
function describeWith(shot: ShotRecord, shared: Group | undefined): string {
  if (!shared) return describeShot(shot);
  const causes = foldSides(shot.causes ?? []).filter((cause) => !shared.keys.has(causeKeyOf(cause)));
  return renderPlain(
    `as change ${shared.name}, plus ${renderCauses({ causes }) ?? causes.map(renderCause).join('; ')}`,
  );
}

function viewShot(shot: ShotRecord, index: number, context: Context) {
  const { embedded, thumbnails, hasOneProject, groups } = context;
  const { id, project, status, summary, limits, group, decision, durationMs } = shot;
  const shared = status === 'changed' ? findShared(shot, groups) : undefined;
  const thumbnail = thumbnails?.get(shot);
  const rejection = renderRejection(shot);
  const quoted = { id: quoteArgument(id), project: hasOneProject ? '' : quoteArgument(project) };
  const counts = [summary?.mismatchPixels, summary?.totalPixels, summary?.antialiasedPixels];
  return {
    /** Its position in the report, which is the id in its URL. */
    index,
    // As they are: for requests, not to be shown.
    ...{ id, project },
    name: renderPlain(id),
    projectName: renderPlain(project),
    url: renderPlain(shot.url),
    viewport: renderPlain(shot.viewport ?? ''),
    mode: renderPlain(shot.mode ?? ''),
    status,
    // The page shows the decision by itself: it changes there.
    flags: flagsOf({ ...shot, decision: null }),
    what: describeWith(shot, shared),
    reason: renderPlain(reasonOf(shot)),
    needsReview: needsReview(shot),
    isDecidable: isDecidable(shot),
    // The group goes into a command line without quotes.
    ...(group !== null && /^\w+$/.test(group) && { group }),
    ...(decision && { decision }),
    /** Who rejected the shot or, without a decision, the same change before; when and why. */
    ...(rejection && {
      rejection: { text: renderPlain(rejection), reason: renderPlain(shot.rejection?.reason ?? '') },
    }),
    details: listDetails(shot),
    /** Mismatched, total and anti-aliased pixels, the limit, and the duration; an empty text if it is unknown. */
    metrics: [
      ...counts.map((count) => (count === undefined ? '' : renderCount(count))),
      limits ? renderLimit(shot) : '',
      renderDuration(durationMs),
    ],
    durationMs,
    spent: renderSpent(shot),
    images: viewImages(shot, embedded),
    /** A small file with the part of the image that the card shows. Only a published report has some. */
    ...(thumbnail && { thumbnail }),
    regions: shot.regions.flatMap((region, index) => {
      const place = shot.regionPlaces[index];
      return place ? [{ text: renderCountedRegion(region), ...place }] : [];
    }),
    moves: (shot.events ?? []).flatMap(({ kind, before, after }) => (kind === 'moved' ? [{ before, after }] : [])),
    causes: foldSides(shot.causes ?? []).map((cause) => {
      const parts = markWords(cause)?.map((part) => ({ ...part, text: withoutControls(part.text) }));
      const sharedWith = shared?.keys.has(causeKeyOf(cause)) ? shared.name : undefined;
      return {
        text: renderCause(cause),
        boxes: cause.boxes,
        ...(parts && { parts }),
        ...(sharedWith && { sharedWith }),
      };
    }),
    attempts: shot.flaky ? shot.attempts.map((attempt) => viewAttempt(attempt, status, embedded)) : [],
    /** Arguments of the approve command, quoted for a shell; absent if one cannot be typed. The only project has no name. */
    ...(quoted.id !== null && quoted.project !== null && { quoted: { id: quoted.id, project: quoted.project } }),
  };
}

function renderSpent({ durationMs, timings }: ShotRecord): string {
  const parts = timings ? renderTimings(timings) : '';
  return `${renderDuration(durationMs)}${parts === '' ? '' : `: ${parts}`}`;
}

function listDetails(shot: ShotRecord) {
  const { compared, summary, limits, attempts, environment, baseline, capture, url } = shot;
  const statuses = attempts.map(({ status }, index) => `${index + 1} ${status}`);
  const href = pageHref(url);
  const moved = renderChangeSummary(shot);
  const details: [name: string, text: string | null | undefined][] = [
    ['mismatch', summary && renderDifference(summary)],
    ['fails above', limits && summary && `${renderLimit(shot)} (color distance of a pixel above ${limits.threshold})`],
    ['compared', compared !== null && compared < 1 ? `${renderPercentage(100 * compared)} of the pixels` : null],
    ['layout change', moved === describeShot(shot) ? null : moved],
    ['size', renderSizes(shot)],
    ['URL', url],
    ['baseline', baseline?.path],
    ['baseline sha256', baseline?.sha256],
    ['attempts', attempts.length > 1 ? statuses.join(', ') : null],
    ['captured', capture && `${renderTime(capture.fetchTime)}. ${capture.message}`],
    ['environment', environment && renderEnvironment(environment, ['headless', 'scale', 'fonts', 'engine'])],
    ['not reusable', shot.notReusable],
    ['notice', renderEnvironmentNotice(shot)],
    ...shot.warnings.map(({ message }): [string, string] => ['warning', message]),
    ['duration', renderSpent(shot)],
  ];
  return details.flatMap(([name, text]) => {
    if (text === null || text === undefined) return [];
    return [{ name, text: renderPlain(text), ...(name === 'URL' && href !== null && { href }) }];
  });
}

function renderSizes({ before, after }: ShotRecord): string | null {
  if (!before || !after) return after && renderSize(after);
  const [one, other] = [renderSize(before), renderSize(after)];
  return one === other ? one : `${one} before, ${other} after`;
}

/** Renders `1,204 px of 921,600 px (0.13 %); 12 px differ by anti-aliasing only`. */
function renderDifference(summary: ComparisonSummary): string {
  const { mismatchPixels, mismatchPercentage, totalPixels, antialiasedPixels } = summary;
  return [
    `${renderPixels(mismatchPixels)} of ${renderPixels(totalPixels)} (${renderPercentage(mismatchPercentage)})`,
    ...renderAligned(summary),
    ...(antialiasedPixels > 0 ? [`${renderPixels(antialiasedPixels)} differ by anti-aliasing only`] : []),
  ].join('; ');
}

/** Renders `420x60 px at (312, 480): 1,204 mismatched px`. */
function renderCountedRegion(region: ShotRecord['regions'][number]): string {
  const side = region.side === 'before' ? ' in the before image' : '';
  return `${renderRegion(region)}${side}: ${renderCount(region.pixels)} mismatched px`;
}

/** The final attempt has the shot's status, and neither a reason nor images of its own. */
function viewAttempt(attempt: ShotRecord['attempts'][number], shotStatus: Status, embedded: Embedded) {
  const { status, reason, before = null, after = null, diff = null } = attempt;
  const isFinal = status === shotStatus && reason === undefined && !before && !after && !diff;
  const images = viewImages({ before, after, diff }, embedded);
  return { status, reason: renderPlain(reason ?? ''), ...(!isFinal && { images }) };
}

function viewImages({ before, after, diff }: Pick<ShotRecord, 'before' | 'after' | 'diff'>, embedded: Embedded) {
  return {
    ...(before && { before: viewImage(before, before.source, embedded) }),
    ...(after && { after: viewImage(after, after.source, embedded) }),
    ...(diff && { diff: viewImage(diff, '', embedded) }),
  };
}

function viewImage(image: NonNullable<ShotRecord['diff']>, source: string, embedded: Embedded): ImageView {
  const { link, width, height } = image;
  const href = imageHref(link);
  const size = { width, height, isPicture: !href?.endsWith('.pdf') };
  if (link === null || href === null) return { ...size, caption: 'image file is missing' };
  if (embedded && !embedded.has(link)) return { ...size, caption: 'not embedded in this file' };
  return { ...size, href, caption: renderPlain(source) };
}

/** Chooses what a card of the overview shows: an image of the shot, at the height of what changed first. Null if no image is shown. */
export function chooseCardImage({ images, ...shot }: Pick<ShotView, 'images' | 'regions' | 'moves'>) {
  const side = images.after?.isPicture ? 'after' : images.diff ? 'diff' : 'before';
  const image = images[side];
  if (!image?.isPicture) return null;
  const regions = shot.regions.flatMap((region) => region[side] ?? []);
  const moves = shot.moves.flatMap((move) => (side === 'diff' ? [] : (move[side] ?? [])));
  const first = regions[0] ?? moves[0];
  const center = first ? first.y + Math.min(first.height, image.width) / 2 : 0;
  return { side, regions, moves, center } as const;
}
