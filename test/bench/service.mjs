import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openBrowser } from '../../.build/page/browser/launch.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { emptyFolder } from './pages.mjs';
import { familyOf } from './run-once.mjs';
import { describeMachine, judge, publish, spanOf } from './sample.mjs';

/**
 * Asks the capture service for many captures, several at once, and beside it takes as many bare screenshots with Playwright:
 * no answer may be lost, and what the service holds may not grow.
 */
const REQUESTS = Number(process.env.SERVICE_REQUESTS ?? 500);
const AT_ONCE = Number(process.env.SERVICE_AT_ONCE ?? 8);
/** Of what was held in the second quarter of the requests, at most so much in the last. */
const MOST_GROWTH = 1.2;
const PATHS = ['/', '/about/', '/blog/', '/contact/', '/docs/', '/pricing/', '/changelog/', '/dashboard/'];

const folder = emptyFolder('bench-service');
const site = await serve([join(root, 'fixtures/site')]);
try {
  publish(await measure(), 'service.txt');
} finally {
  await site.close();
}

async function measure() {
  const bare = await runBare();
  const own = await runService();
  const [held, grown] = [own.memory.slice(REQUESTS / 4, REQUESTS / 2), own.memory.slice((REQUESTS * 3) / 4)];
  const [before, after] = [held, grown].map((part) => spanOf(part)[1]);
  const growth = after / before;
  const kept = judge(own.lost === 0 && growth <= MOST_GROWTH);
  return [
    `${REQUESTS} captures, ${AT_ONCE} at once; ${describeMachine()}`,
    `lost answers: ${own.lost}`,
    `milliseconds to an answer, median and 95th percentile: ${tell(own.times)}; a bare Playwright loop: ${tell(bare)} (p95 ratio ${(percentile(own.times, 0.95) / percentile(bare, 0.95)).toFixed(2)})`,
    `MB held by the service and its browser, median of the second and of the last quarter: ${before.toFixed(0)}, ${after.toFixed(0)} (${growth.toFixed(2)}; promised: ${MOST_GROWTH} at most; ${kept})`,
  ];
}

/** A context, a page and a screenshot for each, and no more. */
async function runBare() {
  const { browser } = await openBrowser();
  const times = await askAll(async (url) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    await page.goto(url);
    await page.screenshot();
    await context.close();
  });
  await browser.close();
  return times;
}

async function runService() {
  const args = ['serve', '--port', '0', '--allow-private', '--storage', folder, '--concurrency', String(AT_ONCE)];
  const child = spawn(process.execPath, [join(root, 'dist/cli.js'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const [base] = /http:\S+/.exec(line) ?? [];
    const memory = [];
    let lost = 0;
    const times = await askAll(async (url) => {
      if (!(await isCaptured(base, url))) lost++;
      memory.push(familyOf(child.pid).reduce((sum, { rssMb }) => sum + rssMb, 0));
    });
    return { times, memory, lost };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** An answer counts when its link gives the image. */
async function isCaptured(base, url) {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ url }) };
  const answer = await fetch(`${base}/api/v1/screenshot`, init).catch(() => null);
  if (!answer?.ok) return false;
  const { link } = await answer.json();
  const bytes = await (await fetch(link)).arrayBuffer();
  return bytes.byteLength > 1000;
}

async function askAll(ask) {
  const waiting = Array.from({ length: REQUESTS }, (_, index) => site.url + PATHS[index % PATHS.length]);
  const times = [];
  const work = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      const start = performance.now();
      await ask(url);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return times;
}

function tell(times) {
  return [0.5, 0.95].map((share) => percentile(times, share).toFixed(0)).join(', ');
}

function percentile(times, share) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
