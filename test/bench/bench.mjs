import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseBrowser } from '../../.build/page/browser/launch.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { BARE, prepareArms, preparePlain, prepareProofsheet, WORKERS } from './arms.mjs';
import { findFailingTests } from './failing-tests.mjs';
import { bringSet, urlPathOf } from './pages.mjs';
import { runOnce } from './run-once.mjs';
import { describeMachine, spanOf, spread } from './sample.mjs';

/** What is promised: a whole run takes at most this share of the time of the others, and no process more memory. */
const MOST = { toHaveScreenshot: 0.45, BackstopJS: 0.7 };
const MOST_MB = 600;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PAGES = Number(process.env.BENCH_PAGES ?? Number.POSITIVE_INFINITY);

/**
 * Measures whole runs over pages that did not change, against two other tools.
 *
 * `npm run bench [-- --pages known|unseen|unseen-2|unseen-3|unseen-4|unseen-5]`
 *
 * Of the unseen pages, those are left out on which a test of `toHaveScreenshot` or of ours fails: most of its time there is its timeout.
 */
const { values: options } = parseArgs({
  allowPositionals: true, // the name of the benchmark
  options: { pages: { type: 'string', default: 'known' } },
});
const isKnown = options.pages === 'known';
const folder = join(root, '.tmp', isKnown ? 'bench' : `bench-${options.pages}`);
const set = await bringSet(options.pages);
const { executablePath: browser } = chooseBrowser({ browserName: 'chromium', headless: true, remote: false }, process);
const server = await serve([set.folder]);
try {
  const lines = await measure(spread(set.pages.map(urlPathOf), PAGES));
  const text = `${lines.join('\n')}\n`;
  process.stdout.write(`\n${text}`);
  writeFileSync(join(root, 'test/bench', isKnown ? 'results.txt' : `results-${options.pages}.txt`), text);
} finally {
  await server.close();
}

async function measure(all) {
  const left = isKnown ? [] : await findUnsuitable(all);
  const pages = all.filter((page) => !left.includes(page));
  clearArms();
  const arms = await prepareArms({ folder, site: server.url, pages, browser });
  for (const arm of arms) await runOnce(arm, arm.approve);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Interleaved, since the machine is not ours alone, and in turns: all see the same neighbours.
    const order = arms.map((_, index) => arms[(index + round) % arms.length]);
    const taken = {};
    for (const arm of order) taken[arm.name] = await runOnce(arm, arm.compare);
    rounds.push(taken);
    print(`round ${round + 1}: ${arms.map(({ name }) => `${name} ${tell(taken[name])}`).join(', ')}`);
  }
  const without = left.length > 0 ? [`without ${left.length} pages on which a test fails:`, ...left] : [];
  return [...report(arms, rounds, pages.length), ...without];
}

/** Finds the pages on which a test of `toHaveScreenshot` or of ours fails, in the run that writes the baselines or in the next one. */
async function findUnsuitable(pages) {
  clearArms();
  const bench = { folder, site: server.url, pages, browser };
  const failing = [];
  for (const arm of [preparePlain(bench), prepareProofsheet(bench)]) {
    const found = await findFailingTests(arm);
    print(`${arm.name} fails on ${found.size} of ${pages.length} pages`);
    failing.push(...found);
  }
  return pages.filter((_, index) => failing.includes(index));
}

function clearArms() {
  for (const name of ['proofsheet', 'plain']) rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

function report(arms, rounds, count) {
  const of = (name, what) => rounds.map((taken) => taken[name][what]);
  const lines = [
    `${count} full pages that did not change, ${WORKERS} worker${WORKERS === 1 ? '' : 's'}, ${rounds.length} rounds, interleaved; ${describeMachine()}`,
    'whole run in seconds: min - median - max; largest process in MB; alarms over all rounds',
  ];
  for (const { name } of arms) {
    const seconds = spanOf(of(name, 'ms').map((ms) => ms / 1000)).map((value) => value.toFixed(1));
    const alarms = of(name, 'code').filter((code) => code !== 0).length;
    const largest = rounds.map((taken) => taken[name]).sort((a, b) => b.memoryMb - a.memoryMb)[0];
    lines.push(
      `${name.padEnd(21)} ${seconds.join(' - ').padEnd(24)} ${largest.memoryMb.toFixed(0).padStart(5)} MB (${largest.largest})   ${alarms} of ${rounds.length} rounds with an alarm`,
    );
  }
  for (const { name } of arms.slice(1)) {
    const ratios = rounds.map((taken) => taken.proofsheet.ms / taken[name].ms);
    const [least, middle, greatest] = spanOf(ratios).map((ratio) => ratio.toFixed(2));
    const most = MOST[name];
    const kept = most === undefined || Number(middle) <= most;
    const promise = most === undefined ? '' : ` (promised: ${most} at most; ${kept ? 'kept' : 'NOT KEPT'})`;
    const cpu = spanOf(rounds.map((taken) => taken.proofsheet.cpuMs / taken[name].cpuMs))[1].toFixed(2);
    lines.push(`proofsheet / ${name}: ${least} - ${middle} - ${greatest}${promise}; processor time ${cpu}`);
    if (!kept) process.exitCode = 1;
  }
  const shares = spanOf(rounds.map((taken) => taken[BARE].ms / taken.toHaveScreenshot.ms));
  const cpuShares = spanOf(rounds.map((taken) => taken[BARE].cpuMs / taken.toHaveScreenshot.cpuMs));
  const span = shares.map((ratio) => ratio.toFixed(2)).join(' - ');
  lines.push(`${BARE} / toHaveScreenshot: ${span}; processor time ${cpuShares[1].toFixed(2)}`);
  if (of('proofsheet', 'code').some((code) => code !== 0)) {
    lines.push('proofsheet raised an alarm: nothing was changed');
    process.exitCode = 1;
  }
  if (Math.max(...of('proofsheet', 'memoryMb')) > MOST_MB) {
    lines.push(`a process of proofsheet held more than ${MOST_MB} MB`);
    process.exitCode = 1;
  }
  return lines;
}

function tell({ ms, code }) {
  return `${(ms / 1000).toFixed(1)} s${code === 0 ? '' : ' (alarm)'}`;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
