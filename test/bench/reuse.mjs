import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHANGES, makeChange } from './accuracy-changes.mjs';
import { prepareEmpty, prepareProofsheet, WORKERS } from './arms.mjs';
import { bringPages, bringStillPages, CORPUS, emptyFolder } from './pages.mjs';
import { runOnce, runOurs } from './run-once.mjs';
import { describeMachine, formatSpan, judge, print, publish, seconds, spanOf, spread } from './sample.mjs';

/**
 * Measures runs in which nothing changed, and makes the changes of `accuracy`: a page that a full run finds changed must not be reused. That
 * exactly the pages of a changed file are captured: test/integration/shot/reuse.spec.ts.
 */

/** What is promised of a run in which nothing changed: its time as a share of our own full run. */
const MAX_SHARE = 0.1;
/** What is measured. Tests that do nothing show what the test runner itself takes. */
const NAMES = { full: 'full run', reuse: 'nothing changed', empty: 'as many tests that do nothing' };
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PAGES = Number(process.env.BENCH_PAGES ?? Number.POSITIVE_INFINITY);
const CHANGED_PAGES = Number(process.env.BENCH_CHANGED_PAGES ?? 20);
/** Runs in which they are made. A page has one change in each: all changes on all pages would take an hour. */
const CHANGE_RUNS = 3;

const folder = emptyFolder('bench-reuse');
/** A copy of the corpus, which the runs serve. A page that requests something from another host is never reused. */
const site = join(folder, 'site');
const pages = spread(await bringPages(), PAGES);
cpSync(CORPUS, site, { recursive: true });
for (const path of readdirSync(site, { recursive: true })) if (/\.(html|css|js)$/.test(path)) removeHosts(path);
// As docs/reuse.md recommends: all processes of all runs keep compiled code. Versions of Node before 22.1 ignore it.
process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
const lines = [
  `${pages.length} full pages, ${WORKERS} worker${WORKERS === 1 ? '' : 's'}, ${ROUNDS} rounds, interleaved, compiled code kept; ${describeMachine()}`,
  ...(await measure()),
  ...(await checkChanges()),
];
publish(lines, 'reuse.txt');

async function measure() {
  const arm = prepare('whole', pages);
  await runOurs(arm, arm.approve);
  // A page with random URLs has two loads when its baseline is written, and one afterwards.
  await run(arm, '1');
  const empty = prepareEmpty({ folder: join(folder, 'whole'), pages });
  const taken = { full: [], reuse: [], empty: [] };
  for (let round = 0; round < ROUNDS; round++) {
    taken.full.push((await run(arm, '0')).ms / 1000);
    const { ms, shots } = await run(arm, '1');
    taken.reuse.push(ms / 1000);
    taken.empty.push((await runOnce(empty, empty.compare)).ms / 1000);
    const captured = shots.filter(({ reused }) => !reused).length;
    print(
      `round ${round + 1}: full ${taken.full.at(-1).toFixed(1)} s, nothing changed ${seconds(ms)}, ${captured} captured`,
    );
  }
  const lines = Object.entries(taken).map(
    ([name, times]) => `${NAMES[name]}: ${formatSpan(times, 1)} s (min - median - max)`,
  );
  const [, share] = spanOf(taken.reuse.map((value, round) => value / taken.full[round]));
  const promise = `promised: ${MAX_SHARE} at most; ${judge(share <= MAX_SHARE)}`;
  return [...lines, `nothing changed / full run: ${share.toFixed(3)} (${promise})`];
}

/**
 * Makes each change of `accuracy` on a quarter of the pages, by a fixed rule: of the 12 changes, page `n` has number `n` in the first run,
 * `n + 4` in the second and `n + 8` in the third, modulo 12.
 */
async function checkChanges() {
  const still = new Set(await bringStillPages());
  const some = spread(
    pages.filter((path) => still.has(path)),
    CHANGED_PAGES,
  );
  const arm = prepare('changes', some);
  await runOurs(arm, arm.approve);
  await run(arm, '1');
  let [found, missed] = [0, 0];
  for (let number = 0; number < CHANGE_RUNS; number++) {
    const first = (number * CHANGES.length) / CHANGE_RUNS;
    for (const [turn, path] of some.entries())
      appendFileSync(join(site, path), changeScript((turn + first) % CHANGES.length, turn));
    const [full, reused] = [changedIn(await run(arm, '0')), changedIn(await run(arm, '1'))];
    const lost = full.filter((id) => !reused.includes(id));
    for (const id of lost) print(`MISSED: ${id}`);
    found += full.length - lost.length;
    missed += lost.length;
    for (const path of some) {
      cpSync(join(CORPUS, path), join(site, path));
      removeHosts(path);
    }
  }
  const made = `${CHANGES.length} small changes, ${CHANGE_RUNS} on each of ${some.length} pages`;
  return [`${made}: ${found} found as in a full run, ${missed} missed (${judge(missed === 0)})`];
}

function prepare(name, paths) {
  return prepareProofsheet({
    folder: join(folder, name),
    source: `serve: ${site}`,
    pages: paths,
    top: 'reuse: true\n',
  });
}

function run(arm, reuse) {
  const [command, args] = arm.compare;
  return runOurs(arm, ['env', [`PROOFSHEET_REUSE=${reuse}`, command, ...args]]);
}

function changedIn({ shots }) {
  return shots.filter(({ status }) => status === 'changed').map(({ id }) => id);
}

/** Replaces the URLs of other hosts in a file of the site by paths that do not exist there. */
function removeHosts(path) {
  const text = readFileSync(join(site, path), 'latin1');
  const own = text.replace(/(["'(= ])(?:https?:)?\/\/(?=[\w-]+\.[\w.-]+)(?!www\.w3\.org)/g, '$1/elsewhere/');
  if (own !== text) writeFileSync(join(site, path), own, 'latin1');
}

function changeScript(number, turn) {
  return `<script>addEventListener('load', () => (${makeChange})(${JSON.stringify({ number, turn })}));</script>`;
}
