import { serve, serveBy } from '../../fixtures/serve.mjs';
import { prepareProofsheet, WORKERS } from './arms.mjs';
import { bringStillPages, CORPUS, emptyFolder, urlPathOf } from './pages.mjs';
import { runOurs } from './run-once.mjs';
import { describeMachine, formatSpan, judge, print, seconds, spanOf, spread } from './sample.mjs';
import { forward } from './texts/server.mjs';

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

const folder = emptyFolder('bench-modes');
const pages = spread(await bringStillPages(), PAGES).map(urlPathOf);
const files = await serve([CORPUS]);
const site = await serveModes(files.url);
try {
  const bench = { folder, site: site.url, pages };
  const one = prepareProofsheet({ ...bench, name: 'one' });
  const three = prepareProofsheet({ ...bench, name: 'three', top: `modes: ${JSON.stringify(MODES)}\n` });
  await runOurs(one, one.approve);
  checkImages((await runOurs(three, three.approve)).shots);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const taken = {};
    // In turns, since the machine is not ours alone.
    for (const arm of round % 2 ? [three, one] : [one, three]) taken[arm.name] = await runOurs(arm);
    const { one: single, three: triple } = taken;
    rounds.push({ ms: triple.ms / single.ms, cpuMs: triple.cpuMs / single.cpuMs, codes: [single.code, triple.code] });
    print(
      `round ${round + 1}: ${seconds(single.ms)}, in three modes ${seconds(triple.ms)}: ${rounds.at(-1).ms.toFixed(2)}`,
    );
  }
  report(rounds);
} finally {
  await site.close();
  await files.close();
}

/** Serves the pages with a style of their own in the dark, and a text for German visitors. */
function serveModes(address) {
  return serveBy(async (incoming, outgoing) => {
    if (!/\.html(\?|$)/.test(incoming.url)) return forward(address, incoming, outgoing);
    const text = await (await fetch(`${address}${incoming.url}`)).text();
    const greeting = /^de\b/.test(incoming.headers['accept-language'] ?? '') ? 'Willkommen' : 'Welcome';
    const style = '@media (prefers-color-scheme: dark) { .bench-mode { background: #111; color: #eee } }';
    const banner = `<style>${style}</style><p class="bench-mode">${greeting}</p>`;
    outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    outgoing.end(text.replace(/(?<=<body\b[^>]*>)/i, () => banner));
  });
}

function checkImages(shots) {
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
  const [times, cpuTimes] = ['ms', 'cpuMs'].map((what) => rounds.map((round) => round[what]));
  const kept = judge(Number(spanOf(times)[1].toFixed(2)) <= MOST);
  print(
    `${pages.length} pages, ${WORKERS} workers, ${rounds.length} rounds, interleaved; ${describeMachine()}\n` +
      `three modes / one: ${formatSpan(times)} (promised: ${MOST} at most; ${kept}); processor time ${spanOf(cpuTimes)[1].toFixed(2)}`,
  );
  if (rounds.some(({ codes }) => codes.some((code) => code !== 0))) process.exitCode = 1;
}
