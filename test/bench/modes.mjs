import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chooseBrowser } from '../../.build/page/browser/launch.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { prepareProofsheet, WORKERS } from './arms.mjs';
import { urlPathOf } from './pages.mjs';
import { runOnce } from './run-once.mjs';
import { describeMachine, spanOf } from './sample.mjs';
import { forward } from './texts/server.mjs';
import { bringStillPages } from './visit-still.mjs';

/**
 * Measures what an unchanged run of pages in three modes (light, dark and German) takes, as a multiple of one of the same pages without modes.
 * It also checks that each page has an image of its own in each mode.
 *
 * `npm run bench -- modes`; `BENCH_ROUNDS` and `BENCH_PAGES` set the number of rounds (5) and pages (40).
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const PAGES = Number(process.env.BENCH_PAGES ?? 40);
/** What is promised: a run of three modes takes at most this multiple of a run of one. */
const MOST = 2.6;
const MODES = { light: {}, dark: { colorScheme: 'dark' }, german: { language: 'de-DE' } };

const folder = join(root, '.tmp', 'bench-modes');
const corpus = join(root, '.tmp', 'bench-pages');
rmSync(folder, { recursive: true, force: true });
const pages = (await bringStillPages(corpus, PAGES)).map(urlPathOf);
const files = await serve([corpus]);
const site = await serveModes(files.url);
try {
  const { executablePath } = chooseBrowser({ browserName: 'chromium', headless: true, remote: false }, process);
  const bench = { folder, site: site.url, pages, browser: executablePath };
  const one = prepareProofsheet({ ...bench, name: 'one' });
  const three = prepareProofsheet({ ...bench, name: 'three', top: `modes: ${JSON.stringify(MODES)}\n` });
  for (const arm of [one, three]) await runOnce(arm, arm.approve);
  checkImages(three);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const taken = {};
    // In turns, since the machine is not ours alone.
    for (const arm of round % 2 ? [three, one] : [one, three]) taken[arm.name] = await runOnce(arm, arm.compare);
    const { one: single, three: triple } = taken;
    rounds.push({ ms: triple.ms / single.ms, cpuMs: triple.cpuMs / single.cpuMs, codes: [single.code, triple.code] });
    print(
      `round ${round + 1}: ${(single.ms / 1000).toFixed(1)} s, in three modes ${(triple.ms / 1000).toFixed(1)} s: ${rounds.at(-1).ms.toFixed(2)}`,
    );
  }
  report(rounds);
} finally {
  await site.close();
  await files.close();
}

/** Serves the pages with a style of their own in the dark, and a text for German visitors. */
async function serveModes(address) {
  const server = createServer(async (incoming, outgoing) => {
    if (!/\.html(\?|$)/.test(incoming.url)) return forward(address, incoming, outgoing);
    const text = await (await fetch(`${address}${incoming.url}`)).text();
    const greeting = /^de\b/.test(incoming.headers['accept-language'] ?? '') ? 'Willkommen' : 'Welcome';
    const style = '@media (prefers-color-scheme: dark) { .bench-mode { background: #111; color: #eee } }';
    const banner = `<style>${style}</style><p class="bench-mode">${greeting}</p>`;
    outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    outgoing.end(text.replace(/(?<=<body\b[^>]*>)/i, () => banner));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function checkImages(arm) {
  const { shots } = JSON.parse(readFileSync(join(arm.cwd, 'proofsheet-report/results.json'), 'utf8'));
  const names = Object.keys(MODES);
  for (const index of pages.keys()) {
    const own = names.map((name) => shots.find(({ id }) => id === `page-${index}/${name}`));
    const images = new Set(own.map((shot) => shot?.after?.sha256));
    if (images.size < names.length || images.has(undefined))
      print(`${pages[index]}: ${own.map((shot) => shot?.status).join(', ')}, ${images.size} images`);
  }
  print(
    `${shots.length} shots of ${pages.length} pages, ${new Set(shots.map(({ baseline }) => baseline?.path)).size} baselines`,
  );
}

function report(rounds) {
  const [least, middle, most] = spanOf(rounds.map(({ ms }) => ms)).map((ratio) => ratio.toFixed(2));
  const cpu = spanOf(rounds.map(({ cpuMs }) => cpuMs))[1].toFixed(2);
  const isKept = Number(middle) <= MOST;
  print(
    `${pages.length} pages, ${WORKERS} workers, ${rounds.length} rounds, interleaved; ${describeMachine()}\n` +
      `three modes / one: ${least} - ${middle} - ${most} (promised: ${MOST} at most; ${isKept ? 'kept' : 'NOT KEPT'}); processor time ${cpu}`,
  );
  if (!isKept || rounds.some(({ codes }) => codes.some((code) => code !== 0))) process.exitCode = 1;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
