import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { DEFAULTS } from '../../.build/model/page-fields.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { prepareProofsheet } from './arms.mjs';
import { writeOwnPages } from './flaky/own-pages.mjs';
import { DROPPED, MAX_DELAY_MS, serveFlaky } from './flaky/server.mjs';
import { emptyFolder, urlPathOf } from './pages.mjs';
import { runNamed } from './run-once.mjs';
import { print, readOptions, spread } from './sample.mjs';
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
const options = readOptions({ runs: 20, own: 12, unseen: 20, seed: 1, match: '' });
const folder = emptyFolder('flaky');
const wrongFolder = join(folder, 'wrong');
const SNAPSHOTS = 'visual.spec.ts-snapshots';

const unseenFolder = join(root, '.tmp', 'unseen-pages');
const pages = [
  ...spread(writeOwnPages(join(folder, 'site')), options.own),
  ...(options.unseen > 0 ? spread(bringUnseenPages(unseenFolder), options.unseen) : []),
].filter((page) => new RegExp(options.match).test(page));
const site = await serve(options.unseen > 0 ? [join(folder, 'site'), unseenFolder] : [join(folder, 'site')]);
const network = await serveFlaky(site.url, options.seed);
try {
  const arms = Object.fromEntries(
    ['compare', 'write'].map((name) => [
      name,
      prepareProofsheet({ folder: join(folder, name), site: network.url, pages: pages.map(urlPathOf) }),
    ]),
  );
  const unsteady = await makeTruth(arms.compare);
  const runs = [];
  for (let run = 1; run <= options.runs; run++) {
    runs.push(judgeAlarms(await runAll(arms.compare, arms.compare.compare, `${run}-compare`)));
    rmSync(join(arms.write.cwd, SNAPSHOTS), { recursive: true, force: true });
    const written = await runAll(arms.write, arms.write.approve, `${run}-write`);
    runs.push(judgeBaselines(written, arms));
  }
  report(runs, unsteady);
} finally {
  await network.close();
  await site.close();
}

/** Writes the truth and checks it. Returns the pages that do not pass on a perfect network: they prove nothing. */
async function makeTruth(arm) {
  await runAll(arm, arm.approve, null);
  const { shots } = await runAll(arm, arm.compare, null);
  const unsteady = shots.filter(({ status }) => status !== 'passed');
  for (const { path, status, reason } of unsteady)
    print(`left out: ${path} is ${status} without any trouble: ${reason}`);
  return new Set(unsteady.map(({ path }) => path));
}

async function runAll(arm, command, name) {
  network.start(name);
  const isWrong = ({ status }) => status === 'changed';
  const run = await runNamed(arm, command, name ?? 'perfect', { pages, folder: wrongFolder, isWrong });
  return { ...run, troubles: network.stop() };
}

function judgeAlarms(run) {
  return tell(run, (shot) => (shot.status === 'changed' ? shot.reason : null));
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
  const { name, ms, cpuMs, troubles, counts } = run;
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
  const wrong = shots.filter((shot) => shot.wrong !== null).length;
  print(`           ${wrong} wrong; ${troubles.dropped} of ${troubles.responses} responses dropped`);
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
