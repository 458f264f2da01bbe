import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from '../../fixtures/serve.mjs';
import { prepareLoop, prepareProofsheet } from './arms.mjs';
import { bringSet, emptyFolder, urlPathOf } from './pages.mjs';
import { keepImages, runOnce, runOurs } from './run-once.mjs';
import { countBy, print, spread } from './sample.mjs';

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
const { values: options } = parseArgs({
  allowPositionals: true, // the name of the benchmark
  options: {
    pages: { type: 'string', default: 'known' },
    rounds: { type: 'string', default: '10' },
    count: { type: 'string', default: 'Infinity' },
    match: { type: 'string', default: '' },
    fields: { type: 'string', default: 'strict: false' },
    load: { type: 'boolean', default: false },
    browser: { type: 'string', default: 'chromium' },
    loop: { type: 'boolean', default: false },
  },
});
const set = await bringSet(options.pages);
const pages = spread(
  set.pages.filter((page) => new RegExp(options.match).test(page)),
  Number(options.count),
);
const isChromium = options.browser === 'chromium';
const folder = emptyFolder(join('still', isChromium ? options.pages : `${options.pages}-${options.browser}`));

const server = await serve([set.folder]);
try {
  const bench = { folder, site: server.url, pages: pages.map(urlPathOf), browser: options.browser };
  const arm = prepareProofsheet({ ...bench, fields: options.fields });
  const loop = options.loop ? prepareLoop(bench) : null;
  const runs = [await runNamed(arm, arm.approve, 'baselines')];
  const busy = options.load ? cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);'])) : [];
  try {
    for (let round = 1; round <= Number(options.rounds); round++) {
      const run = await runNamed(arm, arm.compare, `round ${round}`);
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

async function runNamed(arm, command, name) {
  const { shots, report, ms, cpuMs, ownCpuMs } = await runOurs(arm, command);
  const results = shots.map((shot) => ({
    page: pages[Number(shot.page.replace('page-', ''))],
    ...pick(shot, ['id', 'status', 'flaky', 'written', 'reason', 'attempts', 'durationMs', 'summary', 'warnings']),
  }));
  for (const shot of shots.filter(isAlarm)) keepImages(report, shot, join(folder, 'alarms'), name.replace(' ', '-'));
  const counts = countBy(results.map(({ status }) => status));
  const warnings = countBy(results.flatMap(({ warnings }) => warnings.map(({ code }) => code)));
  tellRun({ name, counts, warnings, ms, cpuMs });
  return { name, ms, cpuMs, ownCpuMs, counts, warnings, results };
}

function tellLoop(run, { code, ownCpuMs }) {
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
  const ratio = (run.ownCpuMs / ownCpuMs).toFixed(2);
  print(
    `           ${seconds(run.ownCpuMs)} of processor time, the loop ${seconds(ownCpuMs)} (exit code ${code}): ${ratio}`,
  );
}

function isAlarm({ status }) {
  return status === 'changed' || status === 'unstable' || status === 'error';
}

function tellRun({ name, counts, warnings, ms, cpuMs }) {
  const cells = ['new', 'passed', 'changed', 'unstable', 'error'].map((status) => `${counts[status] ?? 0} ${status}`);
  const found = Object.entries(warnings).map(([code, count]) => `${count} ${code}`);
  const time = `wall ${(ms / 1000).toFixed(1)} s, CPU ${(cpuMs / 1000).toFixed(1)} s`;
  print(`${name.padEnd(10)} ${cells.join(', ')}; ${time}; warnings: ${found.join(', ') || 'none'}`);
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

function pick(record, keys) {
  return Object.fromEntries(keys.map((key) => [key, record[key]]));
}
