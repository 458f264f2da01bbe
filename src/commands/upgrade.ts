import { exec } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baselinePathOf, readRun, sha256 } from '../baselines/index.js';
import {
  BASELINE_WARNINGS,
  failure,
  invalidCommand,
  messageOf,
  nameShot,
  type RunRecord,
  renderCountOf,
  renderPlain,
  type ShotRecord,
  UPGRADE_VARIABLE,
  type Upgrade,
} from '../model/index.js';
import { findProject, type Project, resolveFrom, runPlaywright } from '../run/index.js';
import { argsOfLists, incompleteRun, NO_TEST } from './affected.js';
import { command, type Values, value } from './command.js';
import { CONFIG, PROJECTS, readMatching } from './flags.js';

const FLAGS = {
  fromBrowser: value('<path>', 'executable of the browser that made the baselines', {
    conflicts: ['fromPlaywright', 'fromReport'],
  }),
  fromPlaywright: value('<version>', 'Playwright version whose browser made them', {
    read: readMatching(/^\d+\.\d+(\.\d+)?$/, 'Expected a version, such as 1.64 or 1.64.1.'),
    conflicts: ['fromReport'],
  }),
  fromReport: value('<folder>', 'report of a run in the environment that made them'),
  ...CONFIG,
  ...PROJECTS,
};

export const upgrade = command({
  name: 'upgrade',
  description: 'update the baselines of pages that did not change to a new browser or environment',
  flags: FLAGS,
  help: `  proofsheet upgrade --from-playwright 1.64
  proofsheet upgrade --from-browser ~/.cache/ms-playwright/chromium_headless_shell-1200/chrome-linux/headless_shell
  proofsheet upgrade --from-report old-container-report

Run it after an upgrade of the browser, the fonts or the container image. Each listed page is captured with the browser that
made the baselines, or was compared in the given report. If it equals its baseline, it did not change: the capture of the
current browser becomes the baseline, if two loads agree. All other pages are left alone. toMatchBaseline is not upgraded.
Exit code: 0 done, 1 pages changed and were left alone, 2 an error occurred.`,
  async run(flags) {
    const project = findProject({ config: flags.config });
    const { shots } = await prove(project, flags);
    const left: Left[] = [];
    const proven: ShotRecord[] = [];
    for (const shot of shots) {
      const why = await whyUnproven(shot, project);
      if (why === null) proven.push(shot);
      else left.push({ name: nameShot(shot), why });
    }
    const task = { executablePath: null, proven: proven.map((shot) => ({ id: shot.id, project: shot.project })) };
    const captured = proven.length === 0 ? [] : (await runLists(project, flags.project, task)).shots;
    const done = sortUpgraded(captured, left);
    return { json: done, text: formatUpgraded(done), exitCode: done.left.length > 0 ? 1 : 0 };
  },
});

type Left = Readonly<Record<'name' | 'why', string>>;

async function prove(project: Project, flags: Values<typeof FLAGS>): Promise<RunRecord> {
  const { fromBrowser, fromPlaywright, fromReport } = flags;
  if (fromReport !== null) return readRun(findProject({ from: fromReport }).folder);
  const executablePath = fromBrowser ?? (fromPlaywright && (await findPlaywrightBrowser(fromPlaywright)));
  if (executablePath) return runLists(project, flags.project, { executablePath, proven: null });
  const advice = 'Pass --from-browser PATH, --from-playwright VERSION or --from-report FOLDER.';
  throw invalidCommand('proofsheet upgrade', 'nothing says which browser made the baselines', advice);
}

/** Returns why a shot is not proven to equal its baseline, which must still be the same file; null if it is. */
async function whyUnproven(shot: ShotRecord, project: Project): Promise<string | null> {
  const { redrawn, baseline } = shot;
  if (shot.status !== 'passed') return describeStatus(shot);
  const texts = shot.warnings.find(({ code }) => code === BASELINE_WARNINGS.texts);
  if (texts) return texts.message;
  if (redrawn !== undefined) return 'another browser or environment made its baseline';
  if (baseline === null) return 'it has no baseline';
  const place = await baselinePathOf(project, baseline.path);
  const bytes = place.kind === 'inside' ? await readFile(place.path).catch(() => null) : null;
  return bytes && sha256(bytes) === baseline.sha256 ? null : 'its baseline is another file than in the report';
}

function describeStatus({ status, reason }: ShotRecord): string {
  return renderPlain(`${status}: ${reason ?? ''}`);
}

async function runLists(project: Project, projects: readonly string[], task: Upgrade): Promise<RunRecord> {
  const { root, folder } = project;
  const work = await mkdtemp(join(tmpdir(), 'proofsheet-upgrade-'));
  try {
    const file = join(work, 'upgrade.json');
    await writeFile(file, JSON.stringify(task));
    const args = await argsOfLists(project, projects, NO_REPORT);
    const reporter = `--reporter=${resolveFrom(root, 'proofsheet/reporter')}`;
    const startedAt = new Date().toISOString();
    const env = { [UPGRADE_VARIABLE]: file, PROOFSHEET_REUSE: '0' };
    const why = await runPlaywright(root, [...args, reporter], env);
    const record = await readRun(folder).catch(() => null);
    if (record && record.startedAt >= startedAt) return record;
    throw incompleteRun(NO_REPORT, why ?? NO_TEST);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const NO_REPORT = 'the run wrote no report';

/** Sorts what the run with the current browser did. Shots that it left out are those that were left before. */
function sortUpgraded(captured: readonly ShotRecord[], left: readonly Left[]) {
  const done = captured.filter(({ status }) => status !== 'skipped');
  const failed = done.filter(({ status, written }) => !written && status !== 'passed');
  return {
    upgraded: done.filter(({ written }) => written).map(nameShot),
    equal: done.filter(({ status, written }) => !written && status === 'passed').map(nameShot),
    left: [...left, ...failed.map((shot) => ({ name: nameShot(shot), why: describeStatus(shot) }))],
  };
}

/** Renders the result: `112 baselines upgraded, 3 equal in both browsers, 4 pages left alone`, and why those were. */
export function formatUpgraded({ upgraded, equal, left }: ReturnType<typeof sortUpgraded>): string {
  const counts = [
    `${renderCountOf(upgraded.length, 'baseline')} upgraded`,
    ...(equal.length > 0 ? [`${equal.length} already equal`] : []),
    ...(left.length > 0 ? [`${renderCountOf(left.length, 'shot')} changed and left alone`] : []),
  ];
  return [`proofsheet: ${counts.join(', ')}`, ...left.map(({ name, why }) => `  left  ${name}  ${why}`), ''].join('\n');
}

/** Returns the headless shell that a version of Playwright launches. If it is missing, that version installs it. */
async function findPlaywrightBrowser(version: string): Promise<string> {
  const install = `exec --yes -- playwright@${version} install chromium-headless-shell`;
  const dryRun = await runNpm(`${install} --dry-run`);
  const folder = locationIn(dryRun);
  const known = await findExecutable(folder);
  if (known) return known;
  const installed = folder === null ? dryRun : await runNpm(install);
  const found = await findExecutable(folder);
  if (found) return found;
  const lines = installed.trim().split('\n');
  const why = `Playwright ${version} cannot install its browser: ${renderPlain(lines.at(-1) ?? '')}`;
  const advice = `Run: npx playwright@${version} install chromium-headless-shell. Or pass its executable: --from-browser PATH`;
  throw failure('browser-missing', `--from-playwright ${version}`, why, advice);
}

/** Returns the folder that `playwright install --dry-run` prints: `  Install location:    /home/me/.cache/ms-playwright/...`. */
export function locationIn(printed: string): string | null {
  return /^\s*Install location:\s+(.+?)\s*$/m.exec(printed)?.[1] ?? null;
}

/** The name of the executable: `headless_shell` until Playwright 1.56, `chrome-headless-shell` since then. */
const EXECUTABLE = /^(chrome-)?headless[-_]shell(\.exe)?$/;

async function findExecutable(folder: string | null): Promise<string | null> {
  const entries = await readdir(folder ?? '', { recursive: true, withFileTypes: true }).catch(() => []);
  const file = entries.find((entry) => entry.isFile() && EXECUTABLE.test(entry.name));
  return file ? join(file.parentPath, file.name) : null;
}

/** Returns what npm printed, or why it did not start. On Windows, npm is a script, which needs a shell; the words need no quotes. */
function runNpm(words: string): Promise<string> {
  return new Promise((done) => {
    exec(`npm ${words}`, { maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      done(stdout + stderr || messageOf(error));
    });
  });
}
