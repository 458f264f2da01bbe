import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serve } from '../../fixtures/serve.mjs';
import { prepareFailing, preparePlain, prepareProofsheet, WORKERS } from './arms.mjs';
import { bringPages, CORPUS, emptyFolder } from './pages.mjs';
import { runOnce, runOurs } from './run-once.mjs';
import { describeMachine, formatSpan, judge, print, publish, seconds, spanOf, spread } from './sample.mjs';

/** What is promised of a run in which every page changed: its time as a share of the same run of `toHaveScreenshot`. */
const MAX_SHARE = 0.5;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PAGES = Number(process.env.BENCH_PAGES ?? 36);

/** What is promised of causes: the processor time of an unchanged run as a share of one without, and what a changed page takes more. */
const CAUSES = { maxShare: 1.02, maxExtraMs: 200 };
const WITHOUT_CAUSES = 'proofsheet without causes';

/** What has changed on every page. */
const CHANGE = '<style>p, li, h1, h2 { letter-spacing: 0.2px; }</style>';

const folder = emptyFolder('bench-changed');
const pages = spread(await bringPages(), PAGES);
const changed = join(folder, 'pages');
for (const page of pages) {
  const path = join(changed, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, readFileSync(join(CORPUS, page), 'utf8').replace('</head>', `${CHANGE}</head>`));
}
const servers = { unchanged: await serve([CORPUS]), changed: await serve([changed, CORPUS]) };
try {
  publish(await measure(), 'changed.txt');
} finally {
  for (const server of Object.values(servers)) await server.close();
}

async function measure() {
  const armsAt = (state) => {
    const bench = { folder, site: servers[state].url, pages };
    const without = prepareProofsheet({ ...bench, name: WITHOUT_CAUSES, fields: 'strict: false, explain: false' });
    return [prepareProofsheet(bench), without, preparePlain(bench), prepareFailing(bench)];
  };
  for (const arm of armsAt('unchanged').slice(0, 3)) await runOnce(arm, arm.approve);
  const taken = { unchanged: {}, changed: {} };
  const cpu = {};
  const shots = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const state of ['unchanged', 'changed']) {
      for (const arm of armsAt(state)) {
        const isOurs = arm.name.startsWith('proofsheet');
        const run = await (isOurs ? runOurs(arm) : runOnce(arm, arm.compare));
        add(taken[state], arm.name, run.ms / 1000);
        if (state === 'unchanged') add(cpu, arm.name, run.cpuMs);
        print(`${state} ${arm.name} ${seconds(run.ms)}, exit ${run.code}`);
        // The durations of the shots in milliseconds, by page.
        if (state === 'changed' && isOurs)
          for (const { id, durationMs } of run.shots) {
            shots[id] ??= {};
            add(shots[id], arm.name, durationMs);
          }
      }
    }
  }
  return report(taken, cpu, shots);
}

function add(lists, name, value) {
  lists[name] ??= [];
  lists[name].push(value);
}

function report(taken, cpu, shots) {
  const lines = [
    `${pages.length} full pages, none and then all of them changed, ${WORKERS} worker${WORKERS === 1 ? '' : 's'}, ${ROUNDS} rounds, interleaved; ${describeMachine()}`,
    'whole run in seconds: min - median - max',
  ];
  for (const [state, arms] of Object.entries(taken)) {
    for (const [name, times] of Object.entries(arms))
      lines.push(`${state.padEnd(10)} ${name.padEnd(20)} ${formatSpan(times, 1)}`);
  }
  const [ours, theirs] = [taken.changed.proofsheet, taken.changed.toHaveScreenshot];
  const share = shareOf(ours, theirs);
  lines.push(
    `proofsheet, changed / a changed run of toHaveScreenshot: ${share.toFixed(2)} (promised: ${MAX_SHARE} at most; ${judge(share <= MAX_SHARE)})`,
  );
  const withCauses = shareOf(cpu.proofsheet, cpu[WITHOUT_CAUSES]);
  const extra = Object.values(shots).map((arms) => spanOf(arms.proofsheet)[1] - spanOf(arms[WITHOUT_CAUSES])[1]);
  const [, extraMs] = spanOf(extra);
  const areCheap = withCauses <= CAUSES.maxShare && extraMs <= CAUSES.maxExtraMs;
  lines.push(
    `causes: an unchanged run takes ${withCauses.toFixed(2)} of the processor time of one without, a changed page ${extraMs.toFixed(0)} ms more in the median (promised: ${CAUSES.maxShare} and ${CAUSES.maxExtraMs} ms at most; ${judge(areCheap)})`,
  );
  return lines;
}

/** Returns the median of the shares of each round. */
function shareOf(ours, theirs) {
  return spanOf(ours.map((value, round) => value / theirs[round]))[1];
}
