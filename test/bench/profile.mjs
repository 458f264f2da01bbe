import { serve } from '../../fixtures/serve.mjs';
import { prepareProofsheet, WORKERS } from './arms.mjs';
import { browserOption } from './open-browser.mjs';
import { bringPages, CORPUS, emptyFolder } from './pages.mjs';
import { runOurs } from './run-once.mjs';
import { print, seconds, spread } from './sample.mjs';

/**
 * Prints where the time of unchanged pages is spent: the average of each part of `timings`, per page, and the slowest pages.
 *
 * `npm run bench -- profile [--browser firefox|webkit]`; `BENCH_PAGES` sets the number of pages, `BENCH_ROUNDS` that of the runs.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 2);
const pages = spread(await bringPages(), Number(process.env.BENCH_PAGES ?? 119));
const server = await serve([CORPUS]);
try {
  const arm = prepareProofsheet({
    folder: emptyFolder('bench-profile'),
    site: server.url,
    pages,
    browser: browserOption(),
  });
  await runOurs(arm, arm.approve);
  const shots = [];
  let [ms, cpuMs] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const run = await runOurs(arm);
    ms += run.ms / ROUNDS;
    cpuMs += run.cpuMs / ROUNDS;
    shots.push(...run.shots);
  }
  report(shots, ms, cpuMs);
} finally {
  await server.close();
}

function report(shots, ms, cpuMs) {
  const sums = {};
  const add = (name, value) => {
    sums[name] = (sums[name] ?? 0) + value;
  };
  for (const { durationMs, timings } of shots) {
    const { settle, ...phases } = timings;
    for (const [name, value] of Object.entries({ ...phases, ...settle })) add(name, value);
    add('whole shot', durationMs);
  }
  // Each worker tests one page after the other.
  const perPage = (WORKERS * ms) / pages.length;
  sums['between the shots'] = perPage * shots.length - sums['whole shot'];
  print(
    `${pages.length} unchanged pages, ${WORKERS} workers, ${ROUNDS} runs: ${seconds(ms)} wall, ${seconds(cpuMs)} CPU`,
  );
  print('part                 ms per page');
  for (const [name, sum] of Object.entries(sums).toSorted(([, a], [, b]) => b - a))
    print(`${name.padEnd(20)} ${(sum / shots.length).toFixed(1).padStart(11)}`);
  print('\nslowest pages');
  for (const shot of shots.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 5))
    print(
      `${String(shot.durationMs).padStart(6)} ms  ${pages[Number(shot.page.replace('page-', ''))]}  ${JSON.stringify(shot.timings)}`,
    );
}
