import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { BARE, prepareArms, WORKERS } from './arms.mjs';
import { browserOption } from './open-browser.mjs';
import { bringPages, CORPUS, urlPathOf } from './pages.mjs';
import { runOnce } from './run-once.mjs';
import { describeMachine, formatSpan, judge, print, publish, seconds, spanOf, spread } from './sample.mjs';

const name = browserOption();
const isChromium = name === 'chromium';

/** What is promised: a whole run takes at most this share of the time of the others, and no process more memory. */
const MOST = isChromium ? { toHaveScreenshot: 0.55, BackstopJS: 0.7 } : { toHaveScreenshot: 2 };
const MOST_MB = 600;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PAGES = Number(process.env.BENCH_PAGES ?? Number.POSITIVE_INFINITY);

/**
 * Measures whole runs over pages that did not change, against two other tools; in Firefox against `toHaveScreenshot` only.
 *
 * `npm run bench [-- --browser firefox]`
 */
const end = isChromium ? '' : `-${name}`;
const folder = join(root, '.tmp', `bench${end}`);
// BackstopJS is installed once.
for (const arm of ['proofsheet', 'plain']) rmSync(join(folder, arm), { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const pages = spread((await bringPages()).map(urlPathOf), PAGES);
const server = await serve([CORPUS]);
try {
  publish(await measure(), `results${end}.txt`);
} finally {
  await server.close();
}

async function measure() {
  const arms = await prepareArms({ folder, site: server.url, pages, browser: name });
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
  return report(arms, rounds, pages.length);
}

function report(arms, rounds, count) {
  const of = (name, what) => rounds.map((taken) => taken[name][what]);
  const lines = [
    `${count} full pages that did not change, ${WORKERS} worker${WORKERS === 1 ? '' : 's'}, ${rounds.length} rounds, interleaved; ${describeMachine()}`,
    'whole run in seconds: min - median - max; largest process in MB; alarms over all rounds',
  ];
  for (const { name } of arms) {
    const times = formatSpan(
      of(name, 'ms').map((ms) => ms / 1000),
      1,
    );
    const alarms = of(name, 'code').filter((code) => code !== 0).length;
    const largest = rounds.map((taken) => taken[name]).sort((a, b) => b.memoryMb - a.memoryMb)[0];
    lines.push(
      `${name.padEnd(21)} ${times.padEnd(24)} ${largest.memoryMb.toFixed(0).padStart(5)} MB (${largest.largest})   ${alarms} of ${rounds.length} rounds with an alarm`,
    );
  }
  const shareOf = (one, other, what) => rounds.map((taken) => taken[one][what] / taken[other][what]);
  const tellShare = (one, other) => {
    const promise = one === 'proofsheet' ? tellPromise(MOST[other], shareOf(one, other, 'ms')) : '';
    const cpu = spanOf(shareOf(one, other, 'cpuMs'))[1].toFixed(2);
    return `${one} / ${other}: ${formatSpan(shareOf(one, other, 'ms'))}${promise}; processor time ${cpu}`;
  };
  for (const { name } of arms.slice(1)) lines.push(tellShare('proofsheet', name));
  if (isChromium) lines.push(tellShare(BARE, 'toHaveScreenshot'));
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

function tellPromise(most, shares) {
  if (most === undefined) return '';
  const isKept = Number(spanOf(shares)[1].toFixed(2)) <= most;
  return ` (promised: ${most} at most; ${judge(isKept)})`;
}

function tell({ ms, code }) {
  return `${seconds(ms)}${code === 0 ? '' : ' (alarm)'}`;
}
