import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseBrowser } from '../../.build/browser/launch.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { BARE, prepareArms, WORKERS } from './arms.mjs';
import { bringPages } from './pages.mjs';
import { runOnce } from './run-once.mjs';
import { describeMachine, spanOf, spread } from './sample.mjs';

/** What is promised: a whole run takes at most this share of the time of the others, and no process more memory. */
const MOST = { toHaveScreenshot: 0.45, BackstopJS: 0.7 };
const MOST_MB = 600;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PAGES = Number(process.env.BENCH_PAGES ?? Number.POSITIVE_INFINITY);

const folder = join(root, '.tmp', 'bench');
const corpus = join(root, '.tmp', 'bench-pages');
const pages = spread(await bringPages(corpus), PAGES);
const server = await serve([corpus]);
try {
  const lines = await measure();
  const text = `${lines.join('\n')}\n`;
  process.stdout.write(`\n${text}`);
  writeFileSync(join(root, 'test/bench/results.txt'), text);
} finally {
  await server.close();
}

async function measure() {
  rmSync(join(folder, 'proofsheet'), { recursive: true, force: true });
  rmSync(join(folder, 'plain'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { executablePath } = chooseBrowser({ browserName: 'chromium', headless: true, remote: false }, process);
  const arms = await prepareArms({ folder, site: server.url, pages, browser: executablePath });
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
  return report(arms, rounds);
}

function report(arms, rounds) {
  const of = (name, what) => rounds.map((taken) => taken[name][what]);
  const lines = [
    `${pages.length} full pages that did not change, ${WORKERS} worker${WORKERS === 1 ? '' : 's'}, ${rounds.length} rounds, interleaved; ${describeMachine()}`,
    'whole run in seconds: min - median - max; largest process in MB; alarms over all rounds',
  ];
  for (const { name } of arms) {
    const seconds = spanOf(of(name, 'ms').map((ms) => ms / 1000)).map((value) => value.toFixed(1));
    const alarms = of(name, 'code').filter((code) => code !== 0).length;
    const largest = rounds.map((taken) => taken[name]).sort((a, b) => b.memoryMb - a.memoryMb)[0];
    lines.push(
      `${name.padEnd(18)} ${seconds.join(' - ').padEnd(24)} ${largest.memoryMb.toFixed(0).padStart(5)} MB (${largest.largest})   ${alarms} of ${rounds.length} rounds with an alarm`,
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
  const bound = rounds.map((taken) => taken[BARE].ms / taken.toHaveScreenshot.ms);
  const span = spanOf(bound).map((ratio) => ratio.toFixed(2));
  lines.push(`${BARE} / toHaveScreenshot: ${span.join(' - ')} (what no run of Playwright Test can go below)`);
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
