import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../fixtures/serve.mjs';
import { prepareLoop, prepareProofsheet } from './arms.mjs';
import { bringSet, emptyFolder, urlPathOf } from './pages.mjs';
import { runNamed, runOnce } from './run-once.mjs';
import { countBy, print, readOptions, seconds, spread } from './sample.mjs';

/**
 * Counts false alarms on real pages that do not change. The first run writes the baselines, each further run compares.
 *
 * `npm run bench -- still [--pages known|unseen|unseen-2|unseen-3|unseen-4|unseen-5] [--rounds N] [--load] [--count N] [--match REGEXP] [--fields YAML] [--browser full|firefox|webkit] [--loop]`
 *
 * `--load` keeps every core busy with another program during the rounds that compare. `--count` takes so many pages,
 * evenly. `--fields` are further defaults of the page list. `--loop` compares the processor time of each round with that of a loop that only
 * takes an image of each page. The result of each page is in `.tmp/still/PAGES/result.json`.
 * The images of each page that did not pass are in `alarms/` beside it.
 */
const options = readOptions({
  ...{ pages: 'known', rounds: 10, count: Number.POSITIVE_INFINITY, match: '', fields: 'strict: false' },
  ...{ load: false, browser: 'chromium', loop: false },
});
const set = await bringSet(options.pages);
const pages = spread(
  set.pages.filter((page) => new RegExp(options.match).test(page)),
  options.count,
);
const isChromium = options.browser === 'chromium';
const folder = emptyFolder(join('still', isChromium ? options.pages : `${options.pages}-${options.browser}`));

const server = await serve([set.folder]);
try {
  const bench = { folder, site: server.url, pages: pages.map(urlPathOf), browser: options.browser };
  const arm = prepareProofsheet({ ...bench, fields: options.fields });
  const loop = options.loop ? prepareLoop(bench) : null;
  const runs = [await runAll(arm, arm.approve, 'baselines')];
  const busy = options.load ? cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);'])) : [];
  try {
    for (let round = 1; round <= options.rounds; round++) {
      const run = await runAll(arm, arm.compare, `round ${round}`);
      runs.push(run);
      if (loop) tellLoop(run, await runOnce(loop, loop.compare));
    }
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
  writeFileSync(join(folder, 'result.json'), `${JSON.stringify({ options, runs }, null, 2)}\n`);
  tellPages(runs);
  if (runs.some(({ counts }) => counts.changed > 0)) process.exitCode = 1;
} finally {
  await server.close();
}

async function runAll(arm, command, name) {
  const alarms = join(folder, 'alarms');
  const warned = (shots) => countBy(shots.flatMap(({ warnings }) => warnings.map(({ code }) => code)));
  const tell = (shots) => {
    const found = Object.entries(warned(shots)).map(([code, count]) => `${count} ${code}`);
    return `; warnings: ${found.join(', ') || 'none'}`;
  };
  const { shots, ...run } = await runNamed(arm, command, name, { pages, folder: alarms, isWrong: isAlarm, tell });
  const kept = ['id', 'status', 'flaky', 'written', 'reason', 'attempts', 'durationMs', 'summary', 'warnings'];
  const results = shots.map((shot) => ({
    page: shot.path,
    ...Object.fromEntries(kept.map((key) => [key, shot[key]])),
  }));
  return { ...run, warnings: warned(shots), results };
}

function tellLoop(run, { code, ownCpuMs }) {
  const ratio = (run.ownCpuMs / ownCpuMs).toFixed(2);
  print(
    `           ${seconds(run.ownCpuMs)} of processor time, the loop ${seconds(ownCpuMs)} (exit code ${code}): ${ratio}`,
  );
}

function isAlarm({ status }) {
  return status === 'changed' || status === 'unstable' || status === 'error';
}

/** Prints each page that did not pass, with the runs and the reason of each. */
function tellPages(runs) {
  const rows = pages.flatMap((page) =>
    runs.flatMap(({ name, results }) =>
      results
        .filter((result) => result.page === page && isAlarm(result))
        .map(({ id, status, reason }) => `${id} ${page}\n    ${name}: ${status}: ${reason}`),
    ),
  );
  const rounds = runs.slice(1);
  const sum = (status) => rounds.reduce((total, { counts }) => total + (counts[status] ?? 0), 0);
  print(`\n${rows.join('\n') || 'every page passed'}\n`);
  print(
    `${pages.length} pages, ${rounds.length} rounds${options.load ? ' with every core busy' : ''}: ` +
      `${sum('changed')} changed, ${sum('unstable')} unstable, ${sum('error')} error`,
  );
}
