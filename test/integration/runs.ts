import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, devices, type Locator, type Page } from '@playwright/test';
import { environmentFolder } from '../../src/baselines/names.js';
import { readPlan, resolveShot } from '../../src/list/index.js';
import type { MatcherOptionsInput } from '../../src/model/page-fields.js';
import type { ShotRecord } from '../../src/model/run-record.js';
import { decodeMessage, MESSAGE_ATTACHMENT } from '../../src/model/run-record.js';
import type { Shot } from '../../src/model/shot.js';
import { controlOf, type LaunchedBrowser } from '../../src/page/browser/page-control.js';
import { readBrowserEnvironment, readEnvironment } from '../../src/page/environment.js';
import { callQuietly } from '../../src/playwright/internals.js';
import { createFolderServers } from '../../src/reuse/folder-servers.js';
import { createShotReuse, type ReuseRun, type ShotReuse } from '../../src/reuse/shot-reuse.js';
import { claimBaseline } from '../../src/shot/claim-baseline.js';
import type { UpdateMode } from '../../src/shot/decide.js';
import type { ShotResult } from '../../src/shot/format-result.js';
import { createOpenedShot } from '../../src/shot/opened-shot.js';
import { createPages, openedPage, type ShotPages } from '../../src/shot/page-session.js';
import { testShot } from '../../src/shot/test-shot.js';
import { test as base } from '../e2e/direct.js';
import { listFiles } from '../e2e/project.js';

export interface TestedShot {
  readonly verdict: ShotResult;
  readonly record: ShotRecord;
  /** Reads an image that was staged for the report. */
  image(role: 'before' | 'after' | 'diff'): Buffer;
}

export interface ListRun {
  /** Whether every shot passed: exit code 0 of a run. */
  readonly passed: boolean;
  /** `id: status` of all shots, sorted. */
  readonly statuses: string[];
  of(id: string): TestedShot;
  shot(id: string): ShotRecord;
}

export interface RunOptions {
  /** @default none: no baseline is written */
  readonly mode?: UpdateMode;
  /** Number of shots that are captured at the same time. @default 3 */
  readonly atOnce?: number;
  /** Captures the pages by the plain driver. @default the browser of the lists */
  readonly browser?: Browser;
  /** Reuses captures of earlier runs, one shot after the other. @default every page is captured */
  readonly reuse?: ReuseRun;
}

/** Runs page lists and comparisons of open pages. The baselines are kept in a temp folder for the duration of a test. */
export interface Runs {
  /** Tests every shot of a list in the browser of the test, as a worker of the plugin does. */
  run(list: string, options?: RunOptions): Promise<ListRun>;
  /** Does what `toMatchBaseline` does. The id of the shot is `own/<name>`. */
  match(subject: Page | Locator, name: string, options?: MatcherOptionsInput, mode?: UpdateMode): Promise<TestedShot>;
  baselines(): string[];
  path(name: string): string;
}

/** The `test` of the captures, with {@link Runs}. */
export const test = base.extend<{ runs: Runs }>({
  runs: async ({ launched, folder }, use) => use(createRuns(launched, folder)),
});

function createRuns(own: LaunchedBrowser, folder: string): Runs {
  const baselines = join(folder, 'baselines');
  mkdirSync(baselines);
  let number = 0;
  return {
    async run(list, { mode = 'none', reuse, atOnce = reuse ? 1 : 3, browser } = {}) {
      const launched = browser ? { browser, control: controlOf(browser) } : own;
      const file = join(folder, 'pages.yaml');
      writeFileSync(file, list);
      const { shots } = readPlan(file, { env: process.env, devices: Object.keys(devices) });
      const folders = createFolderServers();
      const resolved = shots.map(async (planned) => {
        const server = planned.served && (await folders.open(planned.served));
        return { shot: resolveShot(planned, { baseURL: server?.url ?? null, viewport: null }), server };
      });
      const queue = await Promise.all(resolved);
      const places = { baselines, work: join(folder, `run-${number++}`) };
      const tested = new Map<string, TestedShot>();
      const sourceMaps = new Map();
      const work = async () => {
        const readOwn = () => readBrowserEnvironment(launched.browser, 1);
        for (let next = queue.shift(); next; next = queue.shift()) {
          const { shot, server } = next;
          const { id } = shot;
          const parts = { version: '1', settings: '', environment: '' };
          const own = { project: '', id, source: server ?? 'not served', captureReason: null, parts };
          const reused = reuse ? createShotReuse(own, reuse) : null;
          const pages = createPages({
            ...{ open: async () => launched, callQuietly, sourceMaps },
            recording: { trace: false, screenshot: false },
          });
          tested.set(shot.id, await testOne(shot, pages, readOwn, mode, places, reused));
          await pages.end();
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      await folders.close();
      return listRunOf(tested);
    },
    async match(subject, name, options = {}, mode = 'none') {
      const [page, locator] = 'goto' in subject ? [subject, null] : [subject.page(), subject];
      const { shot } = createOpenedShot({ spec: 'own', name, url: page.url() }, options);
      const places = { baselines, work: join(folder, `run-${number++}`) };
      return testOne(shot, openedPage({ page, locator }), () => readEnvironment(page, 1), mode, places);
    },
    baselines: () => listFiles(baselines),
    path: (name) => join(baselines, name),
  };
}

interface Places {
  readonly baselines: string;
  /** Folder for locks and staged images of one run. */
  readonly work: string;
}

async function testOne(
  shot: Shot,
  pages: ShotPages,
  readOwn: () => Promise<Parameters<typeof environmentFolder>[0]>,
  mode: UpdateMode,
  { baselines, work }: Places,
  reuse: ShotReuse | null = null,
): Promise<TestedShot> {
  const { parts, perEnvironment } = shot.baseline;
  const shownPath = [...(perEnvironment ? [environmentFolder(await readOwn())] : []), ...parts].join('/');
  const owner = { name: shot.id, isTwoState: shot.before !== null };
  const update = 'npx playwright test --update-snapshots';
  const verdict = await testShot(shot, pages, {
    project: '',
    policy: { mode, ci: false, ignoreSnapshots: false },
    baseline: claimBaseline({ path: join(baselines, shownPath), shownPath }, owner, join(work, 'locks')),
    stagingFolder: join(work, 'staged', encodeURIComponent(shot.id)),
    origin: { list: 'pages.yaml', listHash: null, shard: null, listIds: null, commit: null, run: null },
    failureDetails: { place: null, approve: null, update },
    reuse,
  });
  return testedOf(verdict);
}

function testedOf(verdict: ShotResult): TestedShot {
  const attachment = verdict.attachments.find(({ name }) => name === MESSAGE_ATTACHMENT);
  const { shot: record, images } = decodeMessage(String(attachment?.body));
  return {
    verdict,
    record,
    image(role) {
      const { attachment: name } = images.find(({ link }) => link === record[role]?.link) ?? {};
      const path = verdict.attachments.find((one) => one.name === name)?.path;
      if (path === undefined) throw new Error(`${record.id} has no image ${role}`);
      return readFileSync(path);
    },
  };
}

function listRunOf(tested: ReadonlyMap<string, TestedShot>): ListRun {
  const of = (id: string) => {
    const found = tested.get(id);
    if (!found) throw new Error(`no shot ${id}`);
    return found;
  };
  return {
    passed: [...tested.values()].every(({ verdict }) => verdict.passed),
    statuses: [...tested.values()].map(({ record: { id, status } }) => `${id}: ${status}`).sort(),
    of,
    shot: (id) => of(id).record,
  };
}
