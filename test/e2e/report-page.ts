import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test as base, type LaunchOptions } from '@playwright/test';
import { embedRecord } from '../../src/baselines/baseline.js';
import { sha256 } from '../../src/baselines/names.js';
import { writeRun } from '../../src/baselines/write-run.js';
import { compareImages } from '../../src/compare/compare.js';
import { hasChangeDescription, mismatchPercentage } from '../../src/model/comparison.js';
import type { Pixels } from '../../src/model/image.js';
import { compareStatus, type RunRecord, type ShotRecord } from '../../src/model/run-record.js';
import { renderReason } from '../../src/report/reason.js';
import { type ReportServer, serveReport } from '../../src/review/server.js';
import { nameGroups } from '../../src/run/collect.js';
import type { ProjectFolders } from '../../src/run/project.js';
import { type Part, paintPage, space, text } from '../unit/compare/paint-page.js';
import { settings } from '../unit/compare/settings.js';
import { fill, type Hex, png, sheet } from '../unit/image/paint.js';
import { ENVIRONMENT, runOf, shotOf } from '../unit/report/specimens.js';
import { makeTempFolder, writeFiles } from '../unit/temp-folder.js';
import { LAUNCH_OPTIONS } from './project.js';

/** A shot as a test paints it; without before there is no baseline. */
export interface Painted {
  readonly id: string;
  readonly before: Pixels | null;
  readonly after: Pixels | null;
  readonly more?: Partial<ShotRecord>;
}

export interface Report {
  readonly places: ProjectFolders;
  readonly record: RunRecord;
  /** Its address as a file. */
  readonly url: string;
}

interface Fixtures {
  /** Compares what is painted, and writes its report. */
  report(painted: readonly Painted[], run?: Partial<RunRecord['run']>): Promise<Report>;
  /** Serves a report as `proofsheet report` does. @returns its address */
  serve(report: Report): Promise<string>;
  /** A report of a run with everything in it, which the test may decide on. */
  own: Report;
}

interface WorkerFixtures {
  launchOptions: LaunchOptions;
  /** A run with everything in it. To paint and compare it takes more than all else. */
  compared: Compared;
  /** Its report, which the tests of a worker only look at. */
  shared: Report;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  launchOptions: [async ({}, use) => use(LAUNCH_OPTIONS), { scope: 'worker' }],
  compared: [async ({}, use) => use(await compareAll(paintEverything())), { scope: 'worker' }],
  shared: [async ({ compared }, use) => use(await writeReport(compared)), { scope: 'worker' }],
  own: async ({ compared }, use) => use(await writeReport(compared)),
  report: async ({}, use) => use(async (painted, run) => writeReport(await compareAll(painted), run)),
  serve: async ({}, use) => {
    const servers: ReportServer[] = [];
    await use(async ({ places }) => {
      const server = await serveReport(places, '127.0.0.1', 0);
      servers.push(server);
      return server.url;
    });
    for (const server of servers) await server.close();
  },
});

const WIDTH = 800;

export function pageOf(parts: readonly Part[], button: Hex = '#3b82f6'): Pixels {
  const pixels = paintPage(WIDTH, [text(1, 2), space(20), ...parts]);
  return fill(pixels, { x: 640, y: 8, width: 120, height: 28 }, button);
}

/** Paints a run with everything in it: a group of three, single changes, what is new, broken, never still, and in order. */
function paintEverything(): Painted[] {
  const grouped = [text(11, 14), text(12, 22), text(13, 30)].map((part, index): Painted => {
    const id = ['home', 'pricing', 'docs'][index] ?? '';
    return { id, before: pageOf([part]), after: pageOf([part], '#1d4ed8') };
  });
  const team = pageOf([text(21, 40)]);
  const marked = fill(team, { x: 100, y: 300, width: 60, height: 20 }, '#dc2626');
  const long = [text(31, 20), text(32, 30)];
  const quiet = pageOf([text(41, 10)]);
  const flaky: Partial<ShotRecord> = { flaky: true, attempts: [{ status: 'changed' }, { status: 'passed' }] };
  return [
    ...grouped,
    { id: 'team', before: team, after: fill(marked, { x: 400, y: 820, width: 90, height: 30 }, '#16a34a') },
    { id: 'long', before: pageOf(long), after: pageOf([text(31, 20), text(33, 4), text(32, 30)]) },
    { id: 'fresh/phone', before: null, after: pageOf([text(51, 8)]), more: { page: 'fresh', viewport: 'phone' } },
    { id: 'gone', before: null, after: null, more: { status: 'error', reason: 'HTTP status 404' } },
    { id: 'moving', before: sheet(WIDTH, 600), after: sheet(WIDTH, 600, '#eeeeee'), more: { status: 'unstable' } },
    { id: 'quiet', before: quiet, after: quiet },
    { id: 'shaky/phone', before: quiet, after: quiet, more: { viewport: 'phone', project: 'firefox', ...flaky } },
  ];
}

/** The shots of a run with the hashes of their changes, and their images and baselines by link and path. */
interface Compared {
  readonly results: { shot: ShotRecord; fingerprint: string | null }[];
  readonly images: Map<string, Buffer>;
  readonly baselines: Map<string, Buffer>;
}

async function compareAll(painted: readonly Painted[]): Promise<Compared> {
  const compared: Compared = { results: [], images: new Map(), baselines: new Map() };
  for (const one of painted) compared.results.push(await compare(one, compared));
  return compared;
}

async function writeReport(
  { results, images, baselines }: Compared,
  run: Partial<RunRecord['run']> = {},
): Promise<Report> {
  const root = makeTempFolder();
  const folder = join(root, 'proofsheet-report');
  const collected = [...images].map(([link, from]) => ({ link, from }));
  const shots = nameGroups(results.toSorted((a, b) => compareStatus(a.shot.status, b.shot.status)));
  const record = await writeRun(folder, runOf(shots, run), collected);
  writeFiles(root, Object.fromEntries(baselines));
  return { places: { root, within: root, folder }, record, url: pathToFileURL(join(folder, 'index.html')).href };
}

async function compare({ id, before, after, more = {} }: Painted, { images, baselines }: Compared) {
  const { project = 'chromium' } = more;
  const [one, other] = [before && png(before), after && png(after)];
  const comparison = one && other ? await compareImages(one, other, settings(), []) : null;
  const explained = comparison && hasChangeDescription(comparison) ? comparison : null;
  const embed = (bytes: Buffer) => {
    const record = { schemaVersion: 2 as const, id, project, masks: [], ignored: [], environment: ENVIRONMENT };
    return embedRecord(bytes, record, id, null);
  };
  const folder = `screenshots/127.0.0.1/${images.size}`;
  const keep = (name: string, bytes: Buffer) => {
    images.set(`${folder}/${name}.png`, bytes);
    return `${folder}/${name}.png`;
  };
  if (more.after?.link) images.set(more.after.link, Buffer.from('%PDF'));
  const [url, path] = [`http://127.0.0.1:4173/${id}`, `shots/${id}.png`];
  const old = one && embed(one.bytes);
  if (old && !more.baseline) baselines.set(path, old);
  const captured = other && embed(other.bytes);
  const shot = shotOf({
    id,
    page: id,
    status: !comparison ? 'new' : explained ? 'changed' : 'passed',
    url,
    summary: comparison && {
      ...comparison.counts,
      mismatchPercentage: mismatchPercentage(comparison.counts),
      mismatchPixelsAfterAlignment: explained?.mismatchPixelsAfterAlignment ?? null,
    },
    regions: [...(explained?.regions ?? [])],
    regionPlaces: [...(explained?.regionPlaces ?? [])],
    events: explained ? [...explained.contentMoves] : null,
    before: one && { link: keep('before', one.bytes), ...one.size, source: 'baseline' },
    after: captured && other && { link: keep('1', captured), ...other.size, source: url, sha256: sha256(captured) },
    diff: explained && { link: keep('diff', explained.diff), ...explained.diffSize },
    capture: null,
    baseline: { path, sha256: old && sha256(old), environment: null },
    ...more,
  });
  return { shot: { ...shot, reason: shot.reason ?? renderReason(shot) }, fingerprint: explained?.fingerprint ?? null };
}
