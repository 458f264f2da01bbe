import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { chooseBrowser } from '../../.build/browser/launch.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { prepareFailing, preparePlain, prepareProofsheet, prepareTwoLoads, WORKERS } from './arms.mjs';
import { bringPages } from './pages.mjs';
import { runOnce } from './run-once.mjs';
import { spanOf, spread } from './sample.mjs';

/** What is promised of a run in which every page changed: its time as a share of the same run of `toHaveScreenshot`. */
const MAX_SHARE = 0.7;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PAGES = Number(process.env.BENCH_PAGES ?? 36);

/** What has changed on every page. */
const CHANGE = '<style>p, li, h1, h2 { letter-spacing: 0.2px; }</style>';

const folder = join(root, '.tmp', 'bench-changed');
const corpus = join(root, '.tmp', 'bench-pages');
const pages = spread(await bringPages(corpus), PAGES);
const changed = join(folder, 'pages');
for (const page of pages) {
  const path = join(changed, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, readFileSync(join(corpus, page), 'utf8').replace('</head>', `${CHANGE}</head>`));
}
const servers = { unchanged: await serve([corpus]), changed: await serve([changed, corpus]) };
try {
  const lines = await measure();
  const text = `${lines.join('\n')}\n`;
  process.stdout.write(`\n${text}`);
  writeFileSync(join(root, 'test/bench/changed.txt'), text);
} finally {
  for (const server of Object.values(servers)) await server.close();
}

async function measure() {
  const { executablePath } = chooseBrowser({ browserName: 'chromium', headless: true, remote: false }, process);
  const armsAt = (state) => {
    const bench = { folder, site: servers[state].url, pages, browser: executablePath };
    return [prepareProofsheet(bench), preparePlain(bench), prepareTwoLoads(bench), prepareFailing(bench)];
  };
  for (const name of ['proofsheet', 'plain']) rmSync(join(folder, name), { recursive: true, force: true });
  for (const arm of armsAt('unchanged').slice(0, 2)) await runOnce(arm, arm.approve);
  const taken = { unchanged: {}, changed: {} };
  for (let round = 0; round < ROUNDS; round++) {
    for (const state of ['unchanged', 'changed']) {
      for (const arm of armsAt(state)) {
        const { ms, code } = await runOnce(arm, arm.compare);
        taken[state][arm.name] ??= [];
        taken[state][arm.name].push(ms / 1000);
        process.stdout.write(`${state} ${arm.name} ${(ms / 1000).toFixed(1)} s, exit ${code}\n`);
      }
    }
  }
  return report(taken);
}

function report(taken) {
  const lines = [
    `${pages.length} full pages, none and then all of them changed, ${WORKERS} worker${WORKERS === 1 ? '' : 's'}, ${ROUNDS} rounds, interleaved; ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}`,
    'whole run in seconds: min - median - max',
  ];
  for (const [state, arms] of Object.entries(taken)) {
    for (const [name, seconds] of Object.entries(arms)) {
      const span = spanOf(seconds).map((value) => value.toFixed(1));
      lines.push(`${state.padEnd(10)} ${name.padEnd(20)} ${span.join(' - ')}`);
    }
  }
  const [ours, theirs] = [taken.changed.proofsheet, taken.changed.toHaveScreenshot];
  const [, share] = spanOf(ours.map((value, round) => value / theirs[round]));
  const kept = share <= MAX_SHARE;
  lines.push(
    `proofsheet, changed / a changed run of toHaveScreenshot: ${share.toFixed(2)} (promised: ${MAX_SHARE} at most; ${kept ? 'kept' : 'NOT KEPT'})`,
  );
  if (!kept) process.exitCode = 1;
  return lines;
}
