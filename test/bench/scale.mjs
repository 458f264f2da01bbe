import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chooseBrowser } from '../../.build/page/browser/launch.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { prepareProofsheet, WORKERS } from './arms.mjs';
import { bringPages } from './pages.mjs';
import { runOnce } from './run-once.mjs';
import { spread } from './sample.mjs';

/**
 * Measures whether the time of a shot and the memory of a run grow with the number of shots.
 *
 * `npm run bench -- scale`; `BENCH_SHOTS=50,200` sets the numbers of shots. All runs test the same 50 pages, each under several
 * names, and nothing changed. The first run of a length is not measured.
 */
const SHOTS = (process.env.BENCH_SHOTS ?? '50,200,1000').split(',').map(Number);
const PAGES = 50;
/** What a longer run may take more, per shot, than the shortest. */
const MAX_GROWTH = 0.1;

const folder = join(root, '.tmp', 'bench-scale');
const corpus = join(root, '.tmp', 'bench-pages');
const pages = spread(await bringPages(corpus), PAGES);
rmSync(folder, { recursive: true, force: true });
const server = await serve([corpus]);
try {
  const { executablePath } = chooseBrowser({ browserName: 'chromium', headless: true, remote: false }, process);
  const arms = SHOTS.map((shots) => {
    const repeated = Array.from({ length: shots }, (_, index) => pages[index % PAGES]);
    const bench = { folder: join(folder, String(shots)), site: server.url, pages: repeated, browser: executablePath };
    return { shots, arm: prepareProofsheet(bench) };
  });
  await makeBaselines(arms);
  const rows = [];
  for (const { shots, arm } of arms) {
    const run = await runOnce(arm, arm.compare);
    const { summary } = JSON.parse(readFileSync(join(arm.cwd, 'proofsheet-report/results.json'), 'utf8'));
    rows.push({ shots, ...run, passed: summary.passed });
    const last = rows.at(-1);
    print(
      `${String(shots).padStart(5)} shots, ${last.passed} passed: ${(last.ms / 1000).toFixed(1)} s, ` +
        `${((WORKERS * last.ms) / shots).toFixed(0)} ms and ${(last.cpuMs / shots).toFixed(0)} ms CPU per shot, ` +
        `largest process ${last.memoryMb.toFixed(0)} MB (${last.largest})`,
    );
  }
  report(rows);
} finally {
  await server.close();
}

/** Writes the baselines of one arm, and copies them for the other names of each page. */
async function makeBaselines([{ arm: first }, ...others]) {
  await runOnce(first, first.approve);
  const place = (arm) => join(arm.cwd, 'visual.spec.ts-snapshots');
  const [suffix] = readdirSync(place(first)).map((name) => name.replace(/^page-\d+/, ''));
  for (const { shots, arm } of others) {
    // It makes the folder. Its baselines are replaced.
    await runOnce(arm, [arm.approve[0], [...arm.approve[1], '--grep', 'page-0$']]);
    for (let index = 0; index < shots; index++)
      copyFileSync(join(place(first), `page-${index % PAGES}${suffix}`), join(place(arm), `page-${index}${suffix}`));
  }
}

function report(rows) {
  const [first] = rows;
  for (const { shots, ms, cpuMs, memoryMb, passed } of rows) {
    const time = ms / shots / (first.ms / first.shots) - 1;
    const cpu = cpuMs / shots / (first.cpuMs / first.shots) - 1;
    const memory = memoryMb / first.memoryMb - 1;
    const isFlat = Math.max(time, cpu, memory) <= MAX_GROWTH && passed === shots;
    if (!isFlat) process.exitCode = 1;
    const share = (value) => `${value < 0 ? '' : '+'}${(100 * value).toFixed(0)} %`;
    print(
      `${shots} shots against ${first.shots}: time ${share(time)}, CPU ${share(cpu)}, memory ${share(memory)} (${isFlat ? 'flat' : 'NOT FLAT'})`,
    );
  }
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
