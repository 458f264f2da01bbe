import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { prepareProofsheet } from './arms.mjs';
import { openBrowser, visitStill } from './open-browser.mjs';
import { bringStillPages, CORPUS, urlPathOf } from './pages.mjs';
import { runNamed } from './run-once.mjs';
import { describeMachine, print, readOptions, spread } from './sample.mjs';
import { CHANGES } from './texts/changes.mjs';
import { OWN_PAGES } from './texts/own-pages.mjs';
import { REAL_FIELDS } from './texts/real-pages.mjs';
import { serveTexts } from './texts/server.mjs';

/**
 * Counts false alarms on pages whose dates, prices and counts differ at each load, with `texts`; and changes that are missed there.
 *
 * `npm run bench -- texts [--runs N] [--rounds N] [--match REGEXP]`
 *
 * There are 20 own pages and 20 real ones with texts of that kind in them. `--runs` compare without a change. In each of `--rounds`, every page
 * has one change. A change of which a plain browser shows nothing is not made. `--match` takes pages by their path. The verdicts are in
 * `.tmp/texts/result.json`, and the images of alarms and misses are beside it.
 */
const options = readOptions({ runs: 10, rounds: 5, match: '' });
const REAL_PAGES = 20;

const folder = join(root, '.tmp', 'texts');
mkdirSync(folder, { recursive: true });
for (const name of ['proofsheet', 'images', 'baselines']) rmSync(join(folder, name), { recursive: true, force: true });

const pages = [
  ...Object.entries(OWN_PAGES).map(([name, own]) => ({
    path: `own/${name}/`,
    own,
    fields: { texts: own.texts, ...own.fields },
  })),
  ...spread(await bringStillPages(), REAL_PAGES).map((path) => ({ path, fields: REAL_FIELDS })),
].filter(({ path }) => new RegExp(options.match).test(path));

const site = await serve([CORPUS, join(root, 'fixtures/site')]);
const server = await serveTexts(site.url, pages);
try {
  const arm = prepareProofsheet({
    folder,
    site: server.url,
    pages: pages.map(({ path }) => urlPathOf(path)),
    fieldsOf: (index) => pages[index].fields,
  });
  const changes = await chooseChanges(options.rounds);
  server.show(new Map());
  const runs = [await runAll(arm, arm.approve, 'baselines')];
  for (let run = 1; run <= options.runs; run++) runs.push(await runAll(arm, arm.compare, `run ${run}`));
  const rounds = [];
  // A run that may write the changed baselines says the same, and Playwright need not start a worker for each failed test.
  const change = [arm.compare[0], [...arm.compare[1], '--update-snapshots=changed']];
  const snapshots = join(arm.cwd, 'visual.spec.ts-snapshots');
  cpSync(snapshots, join(folder, 'baselines'), { recursive: true });
  for (let round = 0; round < options.rounds; round++) {
    server.show(
      new Map(pages.flatMap(({ path }, index) => (changes[index][round] ? [[path, changes[index][round]]] : []))),
    );
    rounds.push(await runAll(arm, change, `round ${round + 1}`));
    rmSync(snapshots, { recursive: true });
    cpSync(join(folder, 'baselines'), snapshots, { recursive: true });
  }
  report(runs, rounds, changes);
} finally {
  await server.close();
  await site.close();
}

/** Chooses the changes of each page, in turns: those of which a plain browser shows something. They are kept. */
async function chooseChanges(count) {
  const file = join(folder, 'changes.json');
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const browser = await openBrowser('chromium');
  try {
    for (const [turn, page] of pages.entries()) {
      if ((known[page.path]?.length ?? 0) >= count) continue;
      known[page.path] = await chooseOf(browser, page, turn, count);
      writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
    }
  } finally {
    await browser.close();
  }
  return pages.map(({ path }) => known[path]?.slice(0, count) ?? []);
}

async function chooseOf(browser, page, turn, count) {
  const shoot = (change) => {
    server.show(new Map(change ? [[page.path, change]] : []), 1);
    return visitStill(browser, server.url, urlPathOf(page.path), async (tab) => {
      await tab.waitForTimeout(300);
      const image = await tab.screenshot({ fullPage: page.fields.fullSize !== false });
      return { image, element: await tab.evaluate(() => document.documentElement.dataset.changed ?? '') };
    });
  };
  const plain = await shoot(null);
  if (!plain.image.equals((await shoot(null)).image))
    print(`${page.path} does not stand still: its changes are not checked`);
  const chosen = [];
  for (let step = 0; step < 4 * CHANGES.length && chosen.length < count; step++) {
    const number = (turn * count + step) % CHANGES.length;
    if (step < CHANGES.length || chosen.every((change) => change.number !== number)) {
      const change = { number, turn: turn + 5 * Math.floor(step / CHANGES.length) };
      const { image, element } = await shoot(change);
      if (!image.equals(plain.image)) chosen.push({ ...change, element });
    }
  }
  if (chosen.length < count) print(`${page.path}: only ${chosen.length} changes show`);
  return chosen;
}

async function runAll(arm, command, name) {
  const wanted = name.startsWith('round') ? 'changed' : 'passed';
  const isWrong = ({ status }) => status !== wanted && status !== 'new';
  const { shots } = await runNamed(arm, command, name, { pages, folder: join(folder, 'images'), isWrong });
  const results = shots.map(({ index, status, reason, warnings }) => {
    return { index, status, reason, warnings: warnings.map(({ code, message }) => `${code}: ${message}`) };
  });
  return { name, results };
}

function report([baselines, ...runs], rounds, changes) {
  const alarms = runs.flatMap(({ name, results }) =>
    results.filter(({ status }) => status !== 'passed').map((result) => ({ name, ...result })),
  );
  const made = rounds.flatMap(({ name, results }, round) =>
    results
      .filter(({ index }) => changes[index][round])
      .map((result) => ({ name, ...result, change: changes[result.index][round] })),
  );
  const missed = made.filter(({ status }) => status !== 'changed');
  const unwritten = baselines.results.filter(({ status }) => status !== 'new');
  const result = { options, alarms, missed, made, unwritten };
  writeFileSync(join(folder, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
  for (const one of unwritten) print(`NO BASELINE ${tell(one)}`);
  for (const one of alarms) print(`ALARM ${one.name}: ${tell(one)}`);
  for (const { change, ...one } of missed)
    print(`MISSED ${one.name}, ${CHANGES[change.number]} of ${change.element}: ${tell(one)}`);
  print(
    `${pages.length} pages, ${describeMachine()}: ${alarms.length} alarms in ${runs.length} runs; ` +
      `${made.length - missed.length} of ${made.length} changes found`,
  );
  for (const [number, name] of CHANGES.entries()) {
    const of = made.filter(({ change }) => change.number === number);
    if (of.length > 0)
      print(`  ${name.padEnd(20)} ${of.filter(({ status }) => status === 'changed').length} of ${of.length}`);
  }
  if (alarms.length + missed.length + unwritten.length > 0) process.exitCode = 1;
}

function tell({ index, status, reason, warnings }) {
  return `${pages[index].path} (page-${index}) ${status}: ${reason?.split('\n')[0] ?? ''} ${warnings.join('; ')}`;
}
