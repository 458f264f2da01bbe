import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { extname, join } from 'node:path';
import { chooseBrowser } from '../../.build/page/browser/launch.js';
import { root } from '../../scripts/run.mjs';
import { CHANGES, makeChange } from './accuracy-changes.mjs';
import { prepareEmpty, prepareProofsheet, WORKERS } from './arms.mjs';
import { bringPages } from './pages.mjs';
import { runOnce } from './run-once.mjs';
import { describeMachine, spanOf, spread } from './sample.mjs';

/** What is promised of a run in which nothing changed: its time as a share of our own full run. */
const MAX_SHARE = 0.1;
/** What is measured. Tests that do nothing show what the test runner itself takes. */
const NAMES = { full: 'full run', reuse: 'nothing changed', empty: 'as many tests that do nothing' };
/** The changed style sheet is the one that about so many pages load. */
const LOADED_BY = 10;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PAGES = Number(process.env.BENCH_PAGES ?? Number.POSITIVE_INFINITY);
/** Pages on which the changes of `accuracy` are made. */
const CHANGED_PAGES = Number(process.env.BENCH_CHANGED_PAGES ?? 20);
/** Runs in which they are made. A page has one change in each: all changes on all pages would take an hour. */
const CHANGE_RUNS = 3;

/** The kinds of files that are changed, each in a run of its own, by the extension of the file. */
const KINDS = {
  content: ['.html'],
  style: ['.css'],
  image: ['.png', '.jpg', '.jpeg', '.svg', '.webp', '.gif'],
  font: ['.woff2', '.woff', '.ttf', '.otf'],
  script: ['.js', '.mjs'],
};

const folder = join(root, '.tmp', 'bench-reuse');
const corpus = join(root, '.tmp', 'bench-pages');
/** A copy of the corpus, which the runs serve. A page that requests something from another host is never reused. */
const site = join(folder, 'site');
/** Paths of its files that differ from those of the corpus. */
const changed = new Set();
const pages = spread(await bringPages(corpus), PAGES);
const { executablePath } = chooseBrowser({ browserName: 'chromium', headless: true, remote: false }, process);
rmSync(folder, { recursive: true, force: true });
cpSync(corpus, site, { recursive: true });
for (const path of readdirSync(site, { recursive: true })) if (/\.(html|css|js)$/.test(path)) removeHosts(path);
// As docs/reuse.md recommends: all processes of all runs keep compiled code. Versions of Node before 22.1 ignore it.
process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
const lines = [
  `${pages.length} full pages, ${WORKERS} worker${WORKERS === 1 ? '' : 's'}, ${ROUNDS} rounds, interleaved, compiled code kept; ${describeMachine()}`,
  ...(await measure()),
  ...(await checkChanges()),
];
const text = `${lines.join('\n')}\n`;
process.stdout.write(`\n${text}`);
writeFileSync(join(root, 'test/bench/reuse.txt'), text);

/** Measures runs in which nothing changed, and counts the captures after a change of one file. */
async function measure() {
  const arm = prepare('whole', pages);
  await runOnce(arm, arm.approve);
  // A page with random URLs has two loads when its baseline is written, and one afterwards.
  await run(arm, '1');
  const known = inputsOf(arm);
  const empty = prepareEmpty({ folder: join(folder, 'whole'), pages, browser: executablePath });
  const taken = { full: [], reuse: [], empty: [] };
  const lines = [];
  for (let round = 0; round < ROUNDS; round++) {
    taken.full.push((await run(arm, '0')).ms / 1000);
    const { ms, record } = await run(arm, '1');
    taken.reuse.push(ms / 1000);
    taken.empty.push((await runOnce(empty, empty.compare)).ms / 1000);
    print(`round ${round + 1}: full ${taken.full.at(-1).toFixed(1)} s, nothing changed ${(ms / 1000).toFixed(1)} s`);
    if (round === 0) lines.push(...expectCaptured('nothing changed', record, unknownIn(record, known)));
  }
  for (const [name, seconds] of Object.entries(taken)) {
    const span = spanOf(seconds).map((value) => value.toFixed(1));
    lines.push(`${NAMES[name]}: ${span.join(' - ')} s (min - median - max)`);
  }
  const [, share] = spanOf(taken.reuse.map((value, round) => value / taken.full[round]));
  const kept = share <= MAX_SHARE;
  if (!kept) process.exitCode = 1;
  lines.push(
    `nothing changed / full run: ${share.toFixed(3)} (promised: ${MAX_SHARE} at most; ${kept ? 'kept' : 'NOT KEPT'})`,
  );
  const [sheet, loaders] = chooseSheet(known);
  change(sheet, 'body { letter-spacing: 1px }');
  const { ms, record } = await run(arm, '1');
  lines.push(
    `one style sheet changed that ${loaders.length} pages load: ${(ms / 1000).toFixed(1)} s`,
    ...expectCaptured(`${sheet} changed`, record, new Set([...unknownIn(record, known), ...loaders])),
  );
  restore();
  return lines;
}

/** Makes the changes of `accuracy`, and changes files of each kind: a page that a full run finds changed must not be reused. */
async function checkChanges() {
  const some = spread(
    pages.filter((path) => !/carousel|owl|animat|viewer-360|loading/i.test(path)),
    CHANGED_PAGES,
  );
  const arm = prepare('changes', some);
  await runOnce(arm, arm.approve);
  await run(arm, '1');
  const known = inputsOf(arm);
  return [...(await checkSmallChanges(arm, some)), ...(await checkFiles(arm, known))];
}

/**
 * Makes each change of `accuracy` on a quarter of the pages, by a fixed rule: of the 12 changes, page `n` has number `n` in the first run,
 * `n + 4` in the second and `n + 8` in the third, modulo 12.
 */
async function checkSmallChanges(arm, paths) {
  const lines = [];
  let [found, missed] = [0, 0];
  for (let number = 0; number < CHANGE_RUNS; number++) {
    const first = (number * CHANGES.length) / CHANGE_RUNS;
    for (const [turn, path] of paths.entries()) change(path, changeScript((turn + first) % CHANGES.length, turn));
    const full = changedIn((await run(arm, '0')).record);
    const { record } = await run(arm, '1');
    const reused = changedIn(record);
    const lost = [...full].filter((id) => !reused.has(id));
    found += full.size - lost.length;
    missed += lost.length;
    lines.push(
      ...expectCaptured(`small changes, run ${number + 1}`, record, new Set(record.shots.map(({ id }) => id))),
      ...lost.map((id) => `  MISSED: ${id}`),
    );
    restore();
  }
  if (missed > 0) process.exitCode = 1;
  const made = `${CHANGES.length} small changes, ${CHANGE_RUNS} on each of ${paths.length} pages`;
  return [`${made}: ${found} found as in a full run, ${missed} missed`, ...lines];
}

/** Changes all files of a kind by one byte. */
async function checkFiles(arm, known) {
  const lines = [];
  for (const [kind, extensions] of Object.entries(KINDS)) {
    const files = new Set([...known.values()].flat().filter((path) => extensions.includes(extname(path))));
    for (const path of files) change(path, ' ');
    const { record } = await run(arm, '1');
    const loaders = [...known].flatMap(([id, paths]) => (paths.some((path) => files.has(path)) ? [id] : []));
    lines.push(
      `${files.size} files changed by one byte, ${kind}: ${loaders.length} pages load them`,
      ...expectCaptured(`${kind} changed`, record, new Set([...unknownIn(record, known), ...loaders])),
    );
    restore();
  }
  return lines;
}

function prepare(name, paths) {
  const bench = { folder: join(folder, name), source: `serve: ${site}`, pages: paths, browser: executablePath };
  mkdirSync(bench.folder, { recursive: true });
  return prepareProofsheet({ ...bench, top: 'reuse: true\n' });
}

async function run(arm, reuse) {
  const [command, args] = arm.compare;
  const { ms } = await runOnce(arm, ['env', [`PROOFSHEET_REUSE=${reuse}`, command, ...args]]);
  const record = JSON.parse(readFileSync(join(arm.cwd, 'proofsheet-report/results.json'), 'utf8'));
  return { ms, record };
}

/** Reads the inputs of all stored pages from the cache: paths below the corpus, by shot. */
function inputsOf({ cwd }) {
  const cache = join(cwd, 'node_modules/.cache/proofsheet/v2');
  const shots = readdirSync(cache).filter((name) => /^[\da-f]{64}$/.test(name));
  const entries = shots.flatMap((shot) =>
    readdirSync(join(cache, shot))
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(cache, shot, name), 'utf8')).entry),
  );
  const pathOf = ({ path }) => decodeURIComponent(path.slice(1));
  // A file that does not exist is an input too: its 404.
  const exists = (path) => existsSync(join(corpus, path));
  return new Map(entries.map(({ record, inputs }) => [record.id, inputs.map(pathOf).filter(exists)]));
}

/** The pages whose inputs are not known: they are captured in each run. */
function unknownIn({ shots }, known) {
  return new Set(shots.flatMap(({ id }) => (known.has(id) ? [] : [id])));
}

function expectCaptured(what, { shots }, expected) {
  const captured = new Set(shots.filter(({ reused }) => !reused).map(({ id }) => id));
  const [missing, needless] = [
    [...expected].filter((id) => !captured.has(id)),
    [...captured].filter((id) => !expected.has(id)),
  ];
  if (missing.length + needless.length > 0) process.exitCode = 1;
  const reasons = shots.flatMap(({ id, notReusable }) =>
    notReusable ? [`  ${id} is not reusable: ${notReusable}`] : [],
  );
  return [
    `${what}: ${captured.size} captured, ${shots.length - captured.size} reused; ${missing.length} wrongly reused, ${needless.length} needlessly captured`,
    ...missing.map((id) => `  WRONGLY REUSED: ${id}`),
    ...reasons,
  ];
}

/** Chooses the style sheet that comes closest to {@link LOADED_BY} pages. */
function chooseSheet(known) {
  const loaders = new Map();
  for (const [id, paths] of known) {
    for (const path of new Set(paths)) {
      if (path.endsWith('.css')) loaders.set(path, [...(loaders.get(path) ?? []), id]);
    }
  }
  const distance = ([, ids]) => Math.abs(ids.length - LOADED_BY);
  return [...loaders].sort((a, b) => distance(a) - distance(b))[0];
}

function changedIn({ shots }) {
  return new Set(shots.filter(({ status }) => status === 'changed').map(({ id }) => id));
}

/** Replaces the URLs of other hosts in a file of the site by paths that do not exist there. */
function removeHosts(path) {
  const text = readFileSync(join(site, path), 'latin1');
  const own = text.replace(/(["'(= ])(?:https?:)?\/\/(?=[\w-]+\.[\w.-]+)(?!www\.w3\.org)/g, '$1/elsewhere/');
  if (own !== text) writeFileSync(join(site, path), own, 'latin1');
}

/** Adds some text at the end of a file. */
function change(path, text) {
  appendFileSync(join(site, path), text);
  changed.add(path);
}

function restore() {
  for (const path of changed) {
    cpSync(join(corpus, path), join(site, path));
    removeHosts(path);
  }
  changed.clear();
}

function changeScript(number, turn) {
  return `<script>addEventListener('load', () => (${makeChange})(${JSON.stringify({ number, turn })}));</script>`;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
