import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/run.mjs';
import { prepareSpecimens } from './arms.mjs';
import { useOptionsOf } from './open-browser.mjs';
import { runOnce } from './run-once.mjs';
import { describeMachine } from './sample.mjs';
import { bringLibraries } from './whole/libraries.mjs';
import { serveSpecimens } from './whole/site.mjs';
import { SPECIMENS, usesLibrary } from './whole/specimens.mjs';
import { visitAll } from './whole/verify.mjs';

/**
 * Counts changes that a visitor sees and a run does not find, on pages that are hard to capture. Each specimen is captured in four runs of both
 * tools: baselines, nothing changed, nothing changed with every core busy, and changed.
 *
 * `npm run bench -- whole [--only REGEXP] [--tool NAME] [--browser full] [--list] [--verify]`
 *
 * `--only` takes specimens by name, `--tool` one tool, `--browser full` a Chromium that can also have a window. `--list` prints their names. `--verify`
 * visits both versions of each with a plain browser, and fails where a visitor sees no difference. Every verdict is in `.tmp/whole/result.json`.
 */
const { values: options } = parseArgs({
  allowPositionals: true, // the name of the benchmark
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    verify: { type: 'boolean', default: false },
    tool: { type: 'string', default: '' },
    browser: { type: 'string', default: 'chromium' },
  },
});
const isChromium = options.browser === 'chromium';
const folder = join(root, '.tmp', isChromium ? 'whole' : `whole-${options.browser}`);
const specimens = SPECIMENS.filter(({ name }) => new RegExp(options.only).test(name));
const VERDICTS = ['found', 'missed', 'alarm', 'not written'];
const RUNS = ['baseline', 'unchanged', 'unchanged, cores busy', 'changed'];

if (options.list) for (const { kind, name } of specimens) print(`${name.padEnd(24)} ${kind}`);
else await measure();

async function measure() {
  const site = await serveSpecimens(specimens, await bringLibraries(join(root, '.tmp/whole/libraries')));
  try {
    if (options.verify)
      return tellVisits(await visitAll(specimens, site, useOptionsOf('chromium').launchOptions.executablePath));
    const all = prepareSpecimens({ folder, site: site.url, specimens, browser: options.browser });
    const arms = all.filter(({ name }) => name.includes(options.tool));
    const results = [];
    for (const arm of arms) {
      results.push({ name: arm.name, verdicts: await measureArm(arm, site) });
      writeFileSync(join(folder, 'result.json'), `${JSON.stringify(results, null, 2)}\n`);
    }
    report(results);
  } finally {
    await site.close();
  }
}

function tellVisits(verdicts) {
  for (const [index, wrong] of verdicts.entries()) if (wrong) print(`${specimens[index].name}: ${wrong}`);
  const wrong = verdicts.filter(Boolean).length;
  print(`${specimens.length} specimens: a visitor sees the change of ${specimens.length - wrong}`);
  if (wrong > 0) process.exitCode = 1;
}

/** Returns, for each specimen, what each run said about it: `{ status, reason }`. */
async function measureArm(arm, site) {
  const runs = [];
  rmSync(arm.snapshots, { recursive: true, force: true });
  for (const [run, name] of RUNS.entries()) {
    site.show(name === 'changed' ? 1 : 0);
    const busy = name.endsWith('busy') ? cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);'])) : [];
    for (const place of arm.results) rmSync(place, { recursive: true, force: true });
    try {
      const { ms } = await runOnce(arm, run === 0 ? arm.approve : arm.compare);
      runs.push(arm.read());
      print(`${arm.name}, ${name}: ${(ms / 1000).toFixed(0)} s`);
    } finally {
      for (const child of busy) child.kill('SIGKILL');
    }
  }
  return specimens.map(({ name }) => {
    const said = runs.map((shots) => shots.get(name) ?? { status: 'error', reason: 'not in the results' });
    return { name, ...judge(said), said: said.map(tell) };
  });
}

/** Judges what the four runs said. Without a baseline, the others prove nothing. */
function judge([baseline, quiet, busy, changed]) {
  if (baseline.status !== 'new' && baseline.status !== 'passed')
    return { verdict: 'not written', reason: tell(baseline) };
  const alarm = [quiet, busy].find(({ status }) => status !== 'passed');
  if (alarm) return { verdict: 'alarm', reason: tell(alarm) };
  // A miss is silent only if nothing was said when the baseline was written.
  const reason = `${tell(changed)}; its baseline: ${tell(baseline)}`;
  return changed.status === 'changed' ? { verdict: 'found' } : { verdict: 'missed', reason };
}

function tell({ status, reason, warnings = [] }) {
  const codes = [...new Set(warnings.map(({ code }) => code))];
  const said = reason ? reason.split('\n')[0].slice(0, 140) : codes.map((code) => `warned: ${code}`).join(', ');
  return said ? `${status}, ${said}` : status;
}

function report(tools) {
  const lines = [
    `${specimens.length} specimens, ${specimens.filter(usesLibrary).length} of them with a library from npm; ${describeMachine()}`,
    'found - missed - alarms - without a baseline',
    formatRow(
      '',
      tools.map(({ name }) => name),
    ),
  ];
  for (const kind of new Set(specimens.map(({ kind }) => kind)))
    lines.push(countKind(kind, tools, (name) => kindOf(name) === kind));
  lines.push(countKind('all', tools, () => true));
  for (const { name: tool, verdicts } of tools) {
    lines.push('', `${tool}: the others`);
    for (const { name, verdict, reason } of verdicts)
      if (verdict !== 'found') lines.push(`${name}: ${verdict}${reason ? `: ${reason}` : ''}`);
  }
  const text = `${lines.join('\n')}\n`;
  print(`\n${text}`);
  if (tools[0].verdicts.some(({ verdict }) => verdict !== 'found')) process.exitCode = 1;
}

function countKind(title, tools, isOfKind) {
  const cells = tools.map(({ verdicts }) =>
    VERDICTS.map((verdict) => verdicts.filter((one) => isOfKind(one.name) && one.verdict === verdict).length).join(
      ' - ',
    ),
  );
  return formatRow(title, cells);
}

function kindOf(specimen) {
  return specimens.find(({ name }) => name === specimen)?.kind;
}

function formatRow(title, cells) {
  return `${title.padEnd(40)}${cells.map((cell) => cell.padEnd(20)).join('')}`.trimEnd();
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
