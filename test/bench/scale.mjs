import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../fixtures/serve.mjs';
import { prepareProofsheet, WORKERS } from './arms.mjs';
import { browserOption } from './open-browser.mjs';
import { bringPages, CORPUS, emptyFolder } from './pages.mjs';
import { runOurs } from './run-once.mjs';
import { print, seconds, spread } from './sample.mjs';

/**
 * Measures whether the time of a shot and the memory of a run grow with the number of shots, and where the time of an unchanged page is
 * spent: the average of each part of `timings` in the longest run, and its slowest pages.
 *
 * `npm run bench -- scale [--browser firefox|webkit]`; `BENCH_SHOTS=50,200` sets the numbers of shots. All runs test the same 50 pages,
 * each under several names, and nothing changed. The first run of a length is not measured.
 */
const SHOTS = (process.env.BENCH_SHOTS ?? '50,200,1000').split(',').map(Number);
const PAGES = 50;
/** What a longer run may take more, per shot, than the shortest. */
const MAX_GROWTH = 0.1;

const folder = emptyFolder('bench-scale');
const pages = spread(await bringPages(), PAGES);
const server = await serve([CORPUS]);
try {
  const arms = SHOTS.map((shots) => {
    const repeated = Array.from({ length: shots }, (_, index) => pages[index % PAGES]);
    const bench = { folder: join(folder, String(shots)), site: server.url, pages: repeated, browser: browserOption() };
    return { shots, arm: prepareProofsheet(bench) };
  });
  await makeBaselines(arms);
  const rows = [];
  for (const { shots, arm } of arms) {
    const run = await runOurs(arm);
    const last = { ...run, shots, passed: run.record.summary.passed };
    rows.push(last);
    print(
      `${String(shots).padStart(5)} shots, ${last.passed} passed: ${seconds(last.ms)}, ` +
        `${((WORKERS * last.ms) / shots).toFixed(0)} ms and ${(last.cpuMs / shots).toFixed(0)} ms CPU per shot, ` +
        `largest process ${last.memoryMb.toFixed(0)} MB (${last.largest})`,
    );
  }
  report(rows);
  tellParts(rows.at(-1));
} finally {
  await server.close();
}

/** Writes the baselines of one arm, and copies them for the other names of each page. */
async function makeBaselines([{ arm: first }, ...others]) {
  await runOurs(first, first.approve);
  const place = (arm) => join(arm.cwd, 'visual.spec.ts-snapshots');
  const [suffix] = readdirSync(place(first)).map((name) => name.replace(/^page-\d+/, ''));
  for (const { shots, arm } of others) {
    // It makes the folder. Its baselines are replaced.
    await runOurs(arm, [arm.approve[0], [...arm.approve[1], '--grep', 'page-0$']]);
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

/** Prints the time of each part of a shot. Each worker tests one page after the other. */
function tellParts({ shots: count, ms, record: { shots } }) {
  const sums = {};
  let wholeMs = 0;
  for (const { durationMs, timings } of shots) {
    const { settle, ...phases } = timings;
    for (const [name, value] of Object.entries({ ...phases, ...settle })) sums[name] = (sums[name] ?? 0) + value;
    wholeMs += durationMs;
  }
  Object.assign(sums, { 'whole shot': wholeMs, 'between the shots': WORKERS * ms - wholeMs });
  print(`\npart of a shot       ms, the average of ${count}`);
  for (const [name, sum] of Object.entries(sums).toSorted(([, a], [, b]) => b - a))
    print(`${name.padEnd(20)} ${(sum / count).toFixed(1).padStart(11)}`);
  print('\nslowest pages');
  for (const { page, durationMs, timings } of shots.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 5))
    print(
      `${String(durationMs).padStart(6)} ms  ${pages[Number(page.replace('page-', '')) % PAGES]}  ${JSON.stringify(timings)}`,
    );
}
