import { statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import {
  findImage,
  INDEX_FILE,
  LOCKS_FOLDER,
  OWN_FOLDER,
  RESULTS_FILE,
  readRun,
  SUMMARY_FILE,
} from '../baselines/index.js';
import { invalidCommand, listSome, mediaTypeOf, nameShot, type RunRecord, type ShotRecord } from '../model/index.js';
import {
  isGreen,
  type RunQuestion,
  type RunSummary,
  renderChangeSummary,
  renderHtml,
  renderMarkdown,
  renderStatus,
  renderTime,
  renderVerdict,
  summarizeRun,
} from '../report/index.js';
import { isOwnReport, isReported, type ProjectFolders } from '../run/index.js';
import { cutCrops } from './assemble-report.js';
import { chooseShots } from './choose-shots.js';
import { findNewest } from './journal.js';

/** @returns the verdict of the last finished run, and the warning about a later run. @throws ProofsheetError `run-missing`, `record-invalid` */
export async function readVerdict(places: ProjectFolders) {
  const run = await readRun(places.folder);
  return { verdict: renderVerdict(run), laterRun: await findLaterRun(places, run) };
}

/**
 * Reads the summary of a finished run as Markdown, and its status in one line: `5 changes on 10 of 20 pages, 3 undecided`.
 *
 * @param published the address of the published report, whose pictures the text shows. Null if there is none.
 * @throws ProofsheetError `run-missing`, `record-invalid`
 */
export async function readSummary(
  folder: string,
  published: { readonly url: string; readonly hasPictures: boolean } | null,
) {
  const run = await readRun(folder);
  const pictures = published?.hasPictures ? await cutCrops(folder, run) : new Map();
  const text = renderMarkdown(run, published && { url: published.url, pictures });
  return { text, status: renderStatus(run), isGreen: isGreen(run), commit: run.run.commit };
}

/**
 * Reads a file of a report by its link. The page is rendered from the record: the `index.html` of a downloaded report is untrusted.
 *
 * @param tokenOf returns the token that the page sends with its decisions.
 * @returns null if the report has no such file.
 * @throws ProofsheetError `run-missing`, `record-invalid`
 */
export async function readReportFile(folder: string, link: string, tokenOf: (run: RunRecord) => string) {
  if (link === '' || link === INDEX_FILE) {
    const run = await readRun(folder);
    const body = renderHtml(run, { session: { token: tokenOf(run), undo: await findNewest(folder, run) } });
    return { isPage: true, mediaType: 'text/html; charset=utf-8', body };
  }
  if (link === RESULTS_FILE || link === SUMMARY_FILE) {
    return { isPage: false, mediaType: 'text/plain; charset=utf-8', body: await readFile(join(folder, link)) };
  }
  const path = await findImage(folder, link);
  const mediaType = path && mediaTypeOf(extname(path).slice(1));
  return path && mediaType ? { isPage: false, mediaType, body: await readFile(path) } : null;
}

export async function readRunSummary(folder: string, question: RunQuestion): Promise<RunSummary> {
  return summarizeRun(await readRun(folder), question);
}

/**
 * Reads one shot of a finished run for an assistant, and its images; the bytes of a missing file are null.
 *
 * @param project null: the only one that has a shot of this id.
 * @throws ProofsheetError `command-invalid` if there is not exactly one such shot.
 */
export async function readShot(folder: string, id: string, project: string | null) {
  const run = await readRun(folder);
  const shot = findShot(run, id, project);
  const images = (['before', 'after', 'diff'] as const).map(async (name) => {
    const link = shot[name]?.link ?? null;
    if (link === null) return [];
    const path = await findImage(folder, link);
    return [{ name, bytes: path === null ? null : await readFile(path).catch(() => null) }];
  });
  const details = { run: run.startedAt, shot, story: renderChangeSummary(shot) };
  return { details, images: (await Promise.all(images)).flat() };
}

function findShot(run: RunRecord, id: string, project: string | null): ShotRecord {
  const [first, ...others] = chooseShots(run, { ids: [id], all: false, new: false, groups: [], project });
  if (!first) throw invalidCommand(id, 'the run has no shot with this name', 'Call run_summary to list the shots.');
  if (others.length === 0) return first.shot;
  const names = [first, ...others].map(({ shot }) => nameShot(shot));
  const advice = `Pass the id and the project of one of them: ${listSome(names, 20)}.`;
  throw invalidCommand(id, `${names.length} shots have this name`, advice);
}

const OUTPUT_FOLDER = 'test-results';

/**
 * Returns a message if a run after the reported one captured pages without writing a report. The times come from lock files,
 * which workers write into the output folder with any reporter.
 *
 * Searches the output folders in the record, but only those of a report of this project: other reports are untrusted.
 *
 * @returns null if no later run was found.
 */
export async function findLaterRun(
  places: Pick<ProjectFolders, 'root' | 'folder'>,
  record: RunRecord,
): Promise<string | null> {
  const recorded = isOwnReport(places) ? (record.run.outputDirs ?? []) : [];
  const times = await Promise.all([OUTPUT_FOLDER, ...recorded].map((path) => latestLockIn(resolve(places.root, path))));
  const latest = Math.max(0, ...times);
  const ended = endOf(record);
  if (latest <= ended) return null;
  const [endedAt, latestAt] = [ended, latest].map((time) => renderTime(new Date(time).toISOString()));
  return `the report is from a run that ended at ${endedAt}. A later run (${latestAt}) wrote no report. Use proofsheet/reporter in every run`;
}

async function latestLockIn(outputFolder: string): Promise<number> {
  const locks = join(outputFolder, OWN_FOLDER, LOCKS_FOLDER);
  const names = await readdir(locks).catch(() => []);
  const unreported = names.map((name) => join(locks, name)).filter((run) => !isReported(run));
  const times = unreported.map((path) => Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  return Math.max(0, ...times);
}

/** Returns when a run ended. In a merged run, the duration is not the time between start and end, so the shots count too. */
function endOf({ startedAt, durationMs, shots }: RunRecord): number {
  // A worker can write a lock after the capture, until the end of the shot.
  const captured = shots.flatMap(({ capture, durationMs }) => {
    return capture ? [Date.parse(capture.fetchTime) + Math.ceil(durationMs)] : [];
  });
  return captured.reduce((latest, time) => Math.max(latest, time), Date.parse(startedAt) + Math.ceil(durationMs));
}
