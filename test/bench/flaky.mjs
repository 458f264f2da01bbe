import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { DEFAULTS } from '../../.build/model/page-fields.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { prepareProofsheet } from './arms.mjs';
import { writeOwnPages } from './flaky/own-pages.mjs';
import { DROPPED, MAX_DELAY_MS, serveFlaky } from './flaky/server.mjs';
import { emptyFolder, urlPathOf } from './pages.mjs';
import { keepImages, runOurs } from './run-once.mjs';
import { countBy, print, spread } from './sample.mjs';
import { bringUnseenPages } from './unseen/install.mjs';

/**
 * Counts wrong verdicts on a bad network. The baselines of a perfect network are the truth. Each run then does two things
 * with delays and reset connections:
 *
 * - compare: it compares with the truth. `changed` is a false alarm.
 * - write: it starts without baselines. A written baseline that differs from the truth is wrong.
 *
 * `error` and `unstable` are honest answers: they are counted, and named with their reason.
 *
 * `npm run bench -- flaky [--runs N] [--own N] [--unseen N] [--seed N] [--match REGEXP]`; the result is in
 * `.tmp/flaky/result.json`, the images of each wrong verdict are in `.tmp/flaky/wrong/`. `--match` takes only the pages whose path
 * matches.
 */
const { values: options } = parseArgs({
  allowPositionals: true, // the name of the benchmark
  options: {
    runs: { type: 'string', default: '20' },
    own: { type: 'string', default: '20' },
    unseen: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    match: { type: 'string', default: '' },
  },
});
const folder = emptyFolder('flaky');
const wrongFolder = join(folder, 'wrong');
const SNAPSHOTS = 'visual.spec.ts-snapshots';

const unseenFolder = join(root, '.tmp', 'unseen-pages');
const unseenCount = Number(options.unseen);
const pages = [
  ...spread(writeOwnPages(join(folder, 'site')), Number(options.own)),
  ...(unseenCount > 0 ? spread(bringUnseenPages(unseenFolder), unseenCount) : []),
].filter((page) => new RegExp(options.match).test(page));
const site = await serve(unseenCount > 0 ? [join(folder, 'site'), unseenFolder] : [join(folder, 'site')]);
const network = await serveFlaky(site.url, Number(options.seed));
try {
  const arms = Object.fromEntries(
    ['compare', 'write'].map((name) => [
      name,
      prepareProofsheet({ folder: join(folder, name), site: network.url, pages: pages.map(urlPathOf) }),
    ]),
  );
  const unsteady = await makeTruth(arms.compare);
  const runs = [];
  for (let run = 1; run <= Number(options.runs); run++) {
    runs.push(judgeAlarms(await runNamed(arms.compare, arms.compare.compare, `${run}-compare`)));
    rmSync(join(arms.write.cwd, SNAPSHOTS), { recursive: true, force: true });
    const written = await runNamed(arms.write, arms.write.approve, `${run}-write`);
    runs.push(judgeBaselines(written, arms));
  }
  report(runs, unsteady);
} finally {
  await network.close();
  await site.close();
}

/** Writes the truth and checks it. Returns the pages that do not pass on a perfect network: they prove nothing. */
async function makeTruth(arm) {
  await runNamed(arm, arm.approve, null);
  const { shots } = await runNamed(arm, arm.compare, null);
  const unsteady = shots.filter(({ status }) => status !== 'passed');
  for (const { path, status, reason } of unsteady)
    print(`left out: ${path} is ${status} without any trouble: ${reason}`);
  return new Set(unsteady.map(({ path }) => path));
}

async function runNamed(arm, command, name) {
  network.start(name);
  const run = await runOurs(arm, command);
  const shots = run.shots.map((shot) => ({ ...shot, path: pages[Number(shot.page.replace('page-', ''))] }));
  return { ...run, name, troubles: network.stop(), shots };
}

function judgeAlarms(run) {
  return tell(run, (shot) => {
    if (shot.status !== 'changed') return null;
    keepImages(run.report, shot, wrongFolder, run.name);
    return shot.reason;
  });
}

function judgeBaselines(run, arms) {
  return tell(run, (shot) => {
    if (!shot.written) return null;
    const name = basename(shot.baseline.path);
    const [truth, written] = [arms.compare, arms.write].map(({ cwd }) => join(cwd, SNAPSHOTS, name));
    const difference = compareImages(truth, written);
    if (difference === null) return null;
    cpSync(truth, join(wrongFolder, `${shot.page}-${run.name}-before.png`));
    cpSync(written, join(wrongFolder, `${shot.page}-${run.name}-after.png`));
    return difference;
  });
}

/** Returns null for images that are equal within the default limits. */
function compareImages(truth, written) {
  const [left, right] = [truth, written].map((path) => PNG.sync.read(readFileSync(path)));
  if (left.width !== right.width || left.height !== right.height)
    return `${left.width}x${left.height} became ${right.width}x${right.height}`;
  const settings = { threshold: DEFAULTS.threshold, includeAA: true };
  const pixels = pixelmatch(left.data, right.data, undefined, left.width, left.height, settings);
  return pixels > DEFAULTS.maxDiffPixels ? `${pixels} px` : null;
}

/** Reduces a run to its counts and to the shots that are no plain success. `findWrong` says what is wrong with a shot. */
function tell(run, findWrong) {
  const { name, ms, cpuMs, troubles } = run;
  const shots = run.shots.map((shot) => ({
    id: shot.id,
    page: shot.path,
    status: shot.status,
    reason: shot.reason,
    wrong: findWrong(shot),
    warnings: shot.warnings.map(({ code }) => code),
    attempts: shot.attempts,
    durationMs: shot.durationMs,
  }));
  const counts = countBy(shots.map(({ status }) => status));
  const wrong = shots.filter((shot) => shot.wrong !== null).length;
  const found = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
  print(
    `${name.padEnd(10)} ${wrong} wrong; ${found.join(', ')}; ${troubles.dropped} of ${troubles.responses} responses dropped; ` +
      `wall ${(ms / 1000).toFixed(0)} s, CPU ${(cpuMs / 1000).toFixed(0)} s`,
  );
  return { name, kind: name.split('-')[1], ms, cpuMs, troubles, counts, shots };
}

function report(runs, unsteady) {
  const judged = runs.flatMap(({ name, kind, shots }) =>
    shots.filter(({ page }) => !unsteady.has(page)).map((shot) => ({ ...shot, name, kind })),
  );
  const wrong = judged.filter((shot) => shot.wrong !== null);
  const honest = judged.filter(({ status }) => status === 'error' || status === 'unstable');
  print('');
  for (const { name, id, page, wrong: what, warnings } of wrong)
    print(`WRONG ${name} ${id} ${page}: ${what}; warnings: ${warnings.join(', ') || 'none'}`);
  for (const { name, id, page, status, reason } of honest) print(`${status} ${name} ${id} ${page}: ${reason}`);
  const summary = {
    shots: judged.length,
    falseChanged: wrong.filter(({ kind }) => kind === 'compare').length,
    wrongBaselines: wrong.filter(({ kind }) => kind === 'write').length,
    error: honest.filter(({ status }) => status === 'error').length,
    unstable: honest.filter(({ status }) => status === 'unstable').length,
    leftOut: unsteady.size,
  };
  writeFileSync(join(folder, 'result.json'), `${JSON.stringify({ options, summary, runs }, null, 2)}\n`);
  print(
    `\n${pages.length} pages, ${options.runs} runs, seed ${options.seed}, delays up to ${MAX_DELAY_MS} ms, ${100 * DROPPED} % dropped: ` +
      `${summary.falseChanged} false changed, ${summary.wrongBaselines} wrong baselines, ${summary.error} error, ` +
      `${summary.unstable} unstable in ${summary.shots} shots; ${summary.leftOut} pages left out`,
  );
  if (wrong.length > 0) process.exitCode = 1;
}
