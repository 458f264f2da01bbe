import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseBrowser } from '../../dist/browser/launch.js';
import { serve } from '../../fixtures/serve.mjs';
import { mustRun, root, run } from '../../scripts/run.mjs';

/** What issue and README promise: a whole run takes less than this share of the time of Playwright's own matcher. */
const MOST = 0.8;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

const SITE_PAGES = [
  '',
  'pricing/',
  'docs/',
  'docs/getting-started/',
  'blog/',
  'contact/',
  'dashboard/',
  'about/',
  'changelog/',
];
const REAL_PAGES = {
  'startbootstrap-clean-blog': ['dist/index', 'dist/about', 'dist/post'],
  'startbootstrap-business-casual': ['dist/index', 'dist/products'],
  'startbootstrap-freelancer': ['dist/index'],
  'startbootstrap-grayscale': ['dist/index'],
  'spectre.css': [
    'docs/index',
    'docs/elements/forms',
    'docs/elements/typography',
    'docs/components/cards',
    'docs/layout/grid',
  ],
};

const folder = join(root, '.tmp', 'bench');
const server = await prepare();
try {
  for (const arm of ['proofsheet', 'plain'])
    await mustRun(...command(arm, ['--update-snapshots=all']), { quiet: true });
  const times = { proofsheet: [], plain: [] };
  let falseAlarms = 0;
  for (let round = 1; times.plain.length < ROUNDS && round <= 3 * ROUNDS; round++) {
    const taken = await timeRound(round);
    // A run that waits for a page to come right takes longer: that round would not be fair.
    if (taken.plain === null) falseAlarms++;
    else for (const arm of ['proofsheet', 'plain']) times[arm].push(taken[arm]);
    const plain = taken.plain === null ? 'a false alarm, not counted' : seconds(taken.plain);
    print(`round ${round}: proofsheet ${seconds(taken.proofsheet)}, toHaveScreenshot ${plain}`);
  }
  const ratio = median(times.proofsheet.map((time, index) => time / times.plain[index]));
  print(`\nA whole run over ${urls().length} full pages that did not change, median of ${times.plain.length} rounds:`);
  print(`  proofsheet                        ${seconds(median(times.proofsheet))}`);
  print(`  toHaveScreenshot({ fullPage })    ${seconds(median(times.plain))}`);
  print(`  ratio                             ${ratio.toFixed(2)} (has to be below ${MOST})`);
  print(`  rounds with a false alarm         proofsheet 0, toHaveScreenshot ${falseAlarms}`);
  if (!(ratio < MOST)) process.exitCode = 1;
} finally {
  await server.close();
}

async function prepare() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'pages'), { recursive: true });
  for (const name of Object.keys(REAL_PAGES))
    cpSync(join(root, 'node_modules', name), join(folder, 'pages', name), { recursive: true });
  const site = await serve([join(root, 'fixtures/site'), join(folder, 'pages')]);
  const list = urls().map((url, index) => `  - { name: page-${index}, url: /${url} }\n`);
  const { executablePath } = chooseBrowser({ browserName: 'chromium', headless: true, remote: false }, process);
  const launchOptions = {
    executablePath,
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-background-networking'],
  };
  const files = {
    'pages.yaml': `defaults: { fullSize: true }\npages:\n${list.join('')}`,
    'proofsheet.spec.ts': "import { definePages } from 'proofsheet';\ndefinePages('pages.yaml');\n",
    'plain.spec.ts': `import { expect, test } from '@playwright/test';
${JSON.stringify(urls())}.forEach((url, index) => test(url, async ({ page }) => {
  await page.goto('/' + url);
  await expect(page).toHaveScreenshot('page-' + index + '.png', { fullPage: true, timeout: 20_000 });
}));
`,
    'playwright.config.ts': `export default { fullyParallel: true, workers: 2, reporter: process.env.BENCH_ARM === 'plain' ? [['dot']] : [['dot'], [${JSON.stringify(join(root, 'dist/reporter.js'))}]],
  use: { baseURL: ${JSON.stringify(site.url)}, launchOptions: ${JSON.stringify(launchOptions)} } };\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return site;
}

/** Interleaved, since the machine is not ours alone: both arms see the same neighbours. */
async function timeRound(round) {
  const taken = {};
  for (const arm of round % 2 ? ['proofsheet', 'plain'] : ['plain', 'proofsheet']) {
    const start = performance.now();
    const code = await run(...command(arm), { quiet: arm === 'proofsheet' ? true : 'always' });
    taken[arm] = code === 0 ? performance.now() - start : null;
  }
  if (taken.proofsheet === null) throw new Error('proofsheet raised a false alarm: nothing was changed');
  return taken;
}

function command(arm, args = []) {
  process.env.BENCH_ARM = arm;
  return ['npx', ['--no-install', 'playwright', 'test', '-c', folder, `${arm}.spec.ts`, ...args]];
}

function urls() {
  return [
    ...SITE_PAGES,
    ...Object.entries(REAL_PAGES).flatMap(([name, pages]) => pages.map((page) => `${name}/${page}.html`)),
  ];
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
