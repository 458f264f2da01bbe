import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { chooseBrowser } from '../../.build/browser/launch.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { prepareProofsheet } from './arms.mjs';
import { bringPages } from './pages.mjs';
import { runOnce } from './run-once.mjs';

/**
 * Counts false alarms: whole runs over 119 real pages that did not change, at the strictest limits, first with the machine
 * as it is, then with every core busy with another program.
 */
const RUNS = Number(process.env.STILL_RUNS ?? 10);

const corpus = join(root, '.tmp', 'bench-pages');
const pages = await bringPages(corpus);
const server = await serve([corpus]);
try {
  const { executablePath } = chooseBrowser({ browserName: 'chromium', headless: true, remote: false }, process);
  const folder = join(root, '.tmp', 'still');
  const arm = prepareProofsheet({ folder, site: server.url, pages, browser: executablePath, fields: 'threshold: 0' });
  await runOnce(arm, arm.approve);
  let alarms = await runAll(arm, 'machine as it is');
  const busy = cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);']));
  try {
    alarms += await runAll(arm, 'every core busy');
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
  if (alarms > 0) process.exitCode = 1;
} finally {
  await server.close();
}

async function runAll(arm, name) {
  let alarms = 0;
  for (let run = 1; run <= RUNS; run++) {
    const { code, ms } = await runOnce(arm, arm.compare);
    if (code !== 0) alarms++;
    const end = code === 0 ? 'no alarm' : `ALARM: ${tellAlarms(arm.cwd).join('; ')}`;
    process.stdout.write(`${name}, run ${run} of ${RUNS}: ${end} (${(ms / 1000).toFixed(1)} s)\n`);
  }
  process.stdout.write(`${name}: ${alarms} of ${RUNS} runs over ${pages.length} pages with an alarm\n`);
  return alarms;
}

function tellAlarms(folder) {
  const { shots } = JSON.parse(readFileSync(join(folder, 'proofsheet-report/results.json'), 'utf8'));
  return shots.flatMap(({ status, url, reason }) => (status === 'passed' ? [] : [`${url} ${status} (${reason})`]));
}
