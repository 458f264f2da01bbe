import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test as base, type LaunchOptions } from '@playwright/test';
import { compareImages } from '../../src/compare/compare.js';
import { type Comparison, hasChangeDescription, mismatchPercentage } from '../../src/model/comparison.js';
import type { Pixels } from '../../src/model/image.js';
import type { RunRecord, ShotRecord } from '../../src/model/run-record.js';
import { chooseBrowser } from '../../src/page/browser/launch.js';
import { renderReason } from '../../src/report/reason.js';
import { renderHtml } from '../../src/report/render-html.js';
import { nameGroups } from '../../src/run/collect.js';
import { readInlineImages } from '../../src/run/inline-images.js';
import { type Part, paintPage, space, text } from '../unit/compare/paint-page.js';
import { settings } from '../unit/compare/settings.js';
import { fill, type Hex, png, sheet } from '../unit/image/paint.js';
import { runOf, shotOf } from '../unit/report/specimens.js';
import { OFFLINE_FLAGS } from './project.js';

/** A shot as a test paints it; without before there is no baseline. */
export interface Painted {
  readonly id: string;
  readonly before: Pixels | null;
  readonly after: Pixels | null;
  readonly more?: Partial<ShotRecord>;
}

/** A report on disk. */
export interface Report {
  readonly folder: string;
  readonly record: RunRecord;
  /** Its address as a file. */
  readonly url: string;
}

/** What a served page was sent. */
export interface Sent {
  readonly token: string | undefined;
  readonly decision: 'approved' | 'rejected';
  readonly shots: readonly { readonly project: string; readonly id: string }[];
  /** In place of the others: the decision that is taken back. */
  readonly undo?: string;
}

interface Fixtures {
  /** Compares what is painted and writes its report. */
  report(
    painted: readonly Painted[],
    options?: { singleFile?: boolean; run?: Partial<RunRecord['run']> },
  ): Promise<Report>;
  /** Serves a report as `proofsheet report` does; shots whose ids begin with `refused` or `kept` are. */
  serveReport(report: Report): Promise<{ url: string; sent: Sent[] }>;
}

const { executablePath } = chooseBrowser(
  { browserName: 'chromium', channel: undefined, headless: true, executablePath: undefined, remote: false },
  process,
);

/** The token of every page that a test serves. */
export const TOKEN = 'token-of-the-test';

/** Playwright's `test` with reports to look at. */
export const test = base.extend<Fixtures, { launchOptions: LaunchOptions; compareAll: typeof compareAll }>({
  launchOptions: [
    async ({}, use) => use({ ...(executablePath && { executablePath }), args: OFFLINE_FLAGS }),
    { scope: 'worker' },
  ],
  // To paint and compare takes more than all else: the tests of a worker share what is the same list.
  compareAll: [
    async ({}, use) => {
      const known = new Map<readonly Painted[], ReturnType<typeof compareAll>>();
      await use((painted) => {
        const compared = known.get(painted) ?? compareAll(painted);
        known.set(painted, compared);
        return compared;
      });
    },
    { scope: 'worker' },
  ],
  report: async ({ compareAll }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'proofsheet-report-'));
    await use(async (painted, options) => writeReport(folder, await compareAll(painted), options));
    rmSync(folder, { recursive: true, force: true });
  },
  serveReport: async ({}, use) => {
    const closings: (() => void)[] = [];
    await use(async (report) => {
      const sent: Sent[] = [];
      const server = createServer((request, response) => {
        respond(report, sent, request, response).catch(() => response.writeHead(500).end());
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closings.push(() => {
        server.close();
        server.closeAllConnections();
      });
      const { port } = server.address() as AddressInfo;
      return { url: `http://127.0.0.1:${port}/`, sent };
    });
    for (const close of closings) close();
  },
});

const WIDTH = 800;

/** Paints a page below a header whose button has a color. */
export function pageOf(parts: readonly Part[], button: Hex = '#3b82f6'): Pixels {
  const pixels = paintPage(WIDTH, [text(1, 2), space(20), ...parts]);
  return fill(pixels, { x: 640, y: 8, width: 120, height: 28 }, button);
}

let painted: readonly Painted[] | undefined;

/** A run with everything in it: a group of three, single changes, what is new, broken, never still, and in order. */
export function everything(): readonly Painted[] {
  painted ??= paintEverything();
  return painted;
}

function paintEverything(): Painted[] {
  const grouped = [text(11, 14), text(12, 22), text(13, 30)].map((part, index): Painted => {
    const id = ['home', 'pricing', 'docs'][index] ?? '';
    return { id, before: pageOf([part]), after: pageOf([part], '#1d4ed8') };
  });
  const team = pageOf([text(21, 40)]);
  const marked = fill(team, { x: 100, y: 300, width: 60, height: 20 }, '#dc2626');
  const long = [text(31, 20), text(32, 30)];
  const quiet = pageOf([text(41, 10)]);
  return [
    ...grouped,
    { id: 'team', before: team, after: fill(marked, { x: 400, y: 820, width: 90, height: 30 }, '#16a34a') },
    { id: 'long', before: pageOf(long), after: pageOf([text(31, 20), text(33, 4), text(32, 30)]) },
    { id: 'fresh/phone', before: null, after: pageOf([text(51, 8)]), more: { page: 'fresh', viewport: 'phone' } },
    {
      id: 'gone',
      before: null,
      after: null,
      more: { status: 'error', reason: 'http://127.0.0.1/gone: HTTP status 404' },
    },
    { id: 'moving', before: sheet(WIDTH, 600), after: sheet(WIDTH, 600, '#eeeeee'), more: { status: 'unstable' } },
    { id: 'quiet', before: quiet, after: quiet },
    {
      id: 'shaky/phone',
      before: quiet,
      after: quiet,
      more: {
        viewport: 'phone',
        flaky: true,
        attempts: [{ status: 'changed' }, { status: 'passed' }],
        project: 'firefox',
      },
    },
  ];
}

/** Compares what is painted; gives the shots and their images by their links. */
async function compareAll(painted: readonly Painted[]) {
  const images = new Map<string, Buffer>();
  const claims = [];
  for (const one of painted) claims.push(await compare(one, images));
  return { claims, images };
}

async function writeReport(
  folder: string,
  { claims, images }: Awaited<ReturnType<typeof compareAll>>,
  { singleFile = false, run = {} }: { singleFile?: boolean; run?: Partial<RunRecord['run']> } = {},
): Promise<Report> {
  // A report is decided on: each has shots of its own.
  const shots = nameGroups(structuredClone(claims).toSorted((a, b) => rankOf(a.shot) - rankOf(b.shot)));
  const record = runOf(shots, run);
  const collected = [...images].map(([link, from]) => ({ link, from }));
  if (!singleFile) {
    for (const [link, bytes] of images) {
      mkdirSync(join(folder, dirname(link)), { recursive: true });
      writeFileSync(join(folder, link), bytes);
    }
  }
  const page = renderHtml(record, { images: singleFile ? readInlineImages(shots, collected) : null });
  writeFileSync(join(folder, 'index.html'), page);
  return { folder, record, url: pathToFileURL(join(folder, 'index.html')).href };
}

function rankOf({ status }: ShotRecord): number {
  return ['error', 'unstable', 'changed', 'new', 'passed', 'skipped'].indexOf(status);
}

async function compare(
  { id, before, after, more = {} }: Painted,
  images: Map<string, Buffer>,
): Promise<{ shot: ShotRecord; fingerprint: string | null }> {
  const [one, other] = [before && png(before), after && png(after)];
  const comparison = one && other ? await compareImages(one, other, settings(), []) : null;
  const explained = comparison && hasChangeDescription(comparison) ? comparison : null;
  const folder = `screenshots/127.0.0.1/${images.size}`;
  const keep = (name: string, bytes: Buffer | undefined) => {
    if (bytes) images.set(`${folder}/${name}.png`, bytes);
    return `${folder}/${name}.png`;
  };
  const image = (name: string, made: typeof one, source: string) =>
    made && { link: keep(name, made.bytes), ...made.size, source };
  const told = shotOf({
    id,
    page: id,
    status: !comparison ? 'new' : explained ? 'changed' : 'passed',
    url: `http://127.0.0.1:4173/${id}`,
    summary: comparison && summaryOf(comparison),
    regions: [...(explained?.regions ?? [])],
    regionPlaces: [...(explained?.regionPlaces ?? [])],
    events: explained ? [...explained.contentMoves] : null,
    shifts: explained ? [...explained.shifts] : null,
    columnShifts: explained ? [...explained.columnShifts] : null,
    before: image('before', one, 'baseline'),
    after: image('1', other, `http://127.0.0.1:4173/${id}`),
    diff: explained && { link: keep('diff', explained.diff), ...explained.diffSize },
    baseline: { path: `shots/${id}.png`, sha256: 'a'.repeat(64), environment: null },
    ...more,
  });
  return { shot: { ...told, reason: told.reason ?? renderReason(told) }, fingerprint: explained?.fingerprint ?? null };
}

function summaryOf(comparison: Comparison): ShotRecord['summary'] {
  const aligned = hasChangeDescription(comparison) ? comparison.mismatchPixelsAfterAlignment : null;
  return {
    ...comparison.counts,
    mismatchPercentage: mismatchPercentage(comparison.counts),
    mismatchPixelsAfterAlignment: aligned,
  };
}

async function respond(
  { folder, record }: Report,
  sent: Sent[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
  if (request.method === 'GET' && path === '/') {
    response.setHeader('content-type', 'text/html');
    response.end(renderHtml(record, { session: { token: TOKEN } }));
  } else if (request.method === 'GET') {
    response.end(readFileSync(join(folder, decodeURIComponent(path))));
  } else {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked: Omit<Sent, 'token'> = JSON.parse(Buffer.concat(chunks).toString());
    sent.push({ ...asked, token: request.headers['x-proofsheet-token']?.toString() });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(asked.undo === undefined ? decide(record, asked) : undo(record, sent)));
  }
}

function decide(record: RunRecord, { decision, shots }: Omit<Sent, 'token'>) {
  const named = (word: string) => shots.filter(({ id }) => id.startsWith(word));
  const [refused, kept] = [named('refused'), named('kept')];
  const taken = shots.filter((shot) => !refused.includes(shot) && !kept.includes(shot));
  for (const shot of record.shots) {
    if (taken.some(({ id, project }) => id === shot.id && project === shot.project)) shot.decision = decision;
  }
  return {
    written: decision === 'approved' ? taken.map(({ id, project }) => ({ id, project, path: `shots/${id}.png` })) : [],
    kept: kept.map(({ id, project }) => ({ id, project, reason: 'it is its baseline already' })),
    warnings: kept.length > 0 ? ['the run is of another commit'] : [],
    refused: refused.map(({ id, project }) => ({ id, project, reason: 'its baseline is another now' })),
    undo: 'the-last',
    record,
  };
}

function undo(record: RunRecord, sent: readonly Sent[]) {
  const shots = sent.at(-2)?.shots ?? [];
  const isTaken = (shot: ShotRecord) => shots.some(({ id, project }) => id === shot.id && project === shot.project);
  for (const shot of record.shots) if (isTaken(shot)) shot.decision = null;
  const written = shots.map(({ id, project }) => ({ id, project, path: `shots/${id}.png` }));
  return { written, kept: [], warnings: [], refused: [], undo: null, record };
}
