import {
  cutText,
  endSentence,
  listSome,
  nameShot,
  type RunRecord,
  renderCount,
  renderCountOf,
  renderPlain,
  renderProblem,
  type ShotRecord,
  type Size,
} from '../model/index.js';
import { type Change, describeChange, inReviewOrder, listChangesToReview, locateChange, marksOf } from './changes.js';
import { listRunWarnings } from './environment.js';
import { isGreen, namesOfShards, quietShots, renderCounts, renderVerdict } from './verdict.js';

/** Maximum length in characters. GitHub accepts 65,536 characters in a comment, which has a foot, too, and 1 MiB in a job summary. */
const MAX_CHARACTERS = 60_000;

/**
 * Renders `summary.md`, the summary of a run for pull requests. Replaces changes that do not fit by "and n more".
 *
 * @param report the published report, to which each change has a link. @default none
 */
export function renderMarkdown(record: RunRecord, report: PublishedReport | null = null): string {
  const { run, shots } = record;
  const [counts, shards] = [renderCounts(record), namesOfShards(record)];
  const head = [
    `## proofsheet: ${isGreen(record) ? 'passed' : 'not passed'}`,
    endSentence(renderVerdict(record)),
    renderTable([counts.map(([name]) => name), counts.map(() => '--:'), counts.map(([, count]) => renderCount(count))]),
    ...(run.selected.length > 0 ? [`Options: ${codeOf(run.selected.join(' '))}`] : []),
    ...(shards.length > 0 ? [`Shards: ${listSome(shards, 100)}`] : []),
    ...run.problems.slice(0, 10).map((problem) => `**Problem**: ${codeOf(renderProblem(problem))}`),
    ...listRunWarnings(shots)
      .slice(0, 8)
      .map(({ text }) => `**Warning**: ${codeOf(text)}`),
  ].join('\n\n');
  const quiet = quietShots(shots).map((group) => `${group.title}: ${codeOf(listSome(group.shots.map(nameShot), 10))}`);
  const tail = quiet.join('\n\n');
  const room = MAX_CHARACTERS - head.length - tail.length - 200;
  const list = renderChanges(listChangesToReview(shots), room, report && linkChanges(record, report));
  return `${[head, list, tail].filter((part) => part !== '').join('\n\n')}\n`;
}

const MAX_CELL = 400;

function renderTable(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function renderChanges(changes: readonly Change[], maxLength: number, links: ChangeLinks | null): string {
  let text = '';
  let isTable = false;
  let count = 0;
  for (const change of changes) {
    const pictured = links && renderPictured(change, links);
    const start = text === '' ? '' : '\n\n';
    const next = pictured ? start + pictured : (isTable ? '\n' : start + TABLE) + changeRow(change, links);
    if (text.length + next.length > maxLength) break;
    text += next;
    isTable = !pictured;
    count++;
  }
  const rest = changes.slice(count).flatMap(({ shots }) => shots);
  if (count === 0) return changes.length === 0 ? '' : `${renderCountOf(rest.length, 'shot')} did not pass.`;
  const more = `and ${renderCountOf(changes.length - count, 'more change')} on ${renderCountOf(rest.length, 'shot')}`;
  return rest.length > 0 ? `${text}\n\n${more}` : text;
}

const TABLE = '| group | status | change | shots |\n| --: | --- | --- | --- |\n';

function changeRow(change: Change, links: ChangeLinks | null): string {
  const [group, what, shots] = [change.first.group ?? '', describeChange(change), locateChange(change)].map(cellOf);
  return `| ${group} | ${statusOf(change, links)} | ${what} | ${shots} |`;
}

/** Renders a change with its link, its cause, its shots and its pictures. Null if it has no pictures. */
function renderPictured(change: Change, links: ChangeLinks): string | null {
  const [href, pictures] = [links.hrefOf(change), links.picturesOf(change)];
  if (pictures.length === 0) return null;
  const group = change.first.group === null ? '' : `, group ${codeOf(change.first.group)}`;
  const images = pictures.map(({ name, src, width }) => {
    return `<a href="${href}"><img src="${src}" alt="${name}" width="${width}"></a>`;
  });
  return [
    `${statusOf(change, links)}${group}: ${codeOf(describeChange(change))}`,
    codeOf(locateChange(change)),
    renderTable([pictures.map(({ name }) => name), pictures.map(() => '---'), images]),
  ].join('\n\n');
}

function statusOf(change: Change, links: ChangeLinks | null): string {
  const text = [change.first.status, ...marksOf(change)].join(', ');
  return links ? `[${text}](<${links.hrefOf(change)}>)` : text;
}

/** Parts of the images of the first shot of a change. Their paths are relative to the place of all published reports. */
export type ChangePictures = Readonly<
  Record<'before' | 'after', { readonly path: string; readonly size: Size } | null>
>;

/** A published report, and the pictures of its changes by the first shot of each. */
export interface PublishedReport {
  readonly url: string;
  readonly pictures: ReadonlyMap<ShotRecord, ChangePictures>;
}

/** On a wide screen, a comment has space for two pictures of this width side by side, in CSS pixels. */
const PICTURE_WIDTH = 380;

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

type ChangeLinks = ReturnType<typeof linkChanges>;

/** Finds the links and pictures of changes. Each address is safe in an attribute, in a table and between angle brackets. */
function linkChanges({ shots }: RunRecord, { url, pictures }: PublishedReport) {
  const positions = new Map(inReviewOrder(shots).map((shot, index) => [shot, index]));
  const addressOf = (link: string) => {
    // What `URL` leaves as it is, but Markdown and HTML do not.
    return new URL(link, url).href.replace(/&/g, '&amp;').replace(/[|'"`\\]/g, encodeCharacter);
  };
  return {
    hrefOf: ({ first }: Change) => addressOf(`#shot/${positions.get(first) ?? 0}`),
    picturesOf: ({ first }: Change) =>
      (['before', 'after'] as const).flatMap((name) => {
        const { path, size } = pictures.get(first)?.[name] ?? {};
        return path && size ? [{ name, src: addressOf(`../${path}`), width: Math.min(PICTURE_WIDTH, size.width) }] : [];
      }),
  };
}

/**
 * Renders untrusted text as a code span. In it Markdown has no links, images, tags, mentions and references, whatever the text is:
 * GitHub also makes links of plain addresses, `@name`, `#12` and hashes of commits.
 */
export function codeOf(text: string): string {
  const short = cutText(renderPlain(text), MAX_CELL);
  if (short === '') return '';
  // A run of backticks ends the span if it is as long as the first one.
  const runs = short.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  // Markdown removes one space on each side.
  return runs.length > 0 ? `${fence} ${short} ${fence}` : `${fence}${short}${fence}`;
}

/** As {@link codeOf}, for a table. A pipe ends the cell unless a backslash precedes it, which may not be part of a pair. */
function cellOf(text: string): string {
  return codeOf(text.replace(/\\(?=\|)/g, '\\ ')).replaceAll('|', '\\|');
}
