import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { type BaselineFolders, baselinePathOf, readBaseline, readRun, temporaryName } from '../baselines/index.js';
import {
  adviseFileError,
  differingParts,
  type Environment,
  endSentence,
  firstLineOf,
  listSome,
  messageOf,
  nameShot,
  ProofsheetError,
  type RunRecord,
  renderCountOf,
  renderDuration,
  renderPlain,
} from '../model/index.js';
import { renderEnvironment, renderTimings } from '../report/index.js';
import { pruneLeftovers } from '../review/index.js';
import {
  findProject,
  INSTALL_PLAYWRIGHT,
  isAtLeast,
  LOWEST_PLAYWRIGHT,
  type Project,
  type ProjectFolders,
  runPlaywright,
} from '../run/index.js';
import { type Answer, command, value } from './command.js';
import { configIn } from './existing-setup.js';
import { CONFIG } from './flags.js';

export const doctor = command({
  name: 'doctor',
  description: 'check versions, browser, fonts, config, folders and baselines, and print how to fix each problem',
  flags: {
    compare: value('<report>', 'compare this machine with the environment of a report, and say what to align first'),
    ...CONFIG,
  },
  help: `  proofsheet doctor
  proofsheet doctor --config e2e/playwright.config.ts --json
  proofsheet doctor --compare ci-report

Exit code: 0 no problem found, 1 the environment of the report differs (--compare), 2 a problem must be fixed before a run.`,
  async run({ compare, config }) {
    const project = findProject({ config });
    if (compare !== null) return alignEnvironment(compare, project);
    const examined = await examine(project);
    const isBad = examined.some(({ state }) => state === 'problem');
    return { json: { examined }, text: examined.map(renderLine).join(''), failure: isBad ? 'problem' : null };
  },
});

async function alignEnvironment(report: string, project: Project): Promise<Answer> {
  const { compareEnvironment } = await import('./compare-environment.js');
  const differing = await compareEnvironment(report, project);
  const examined = differing.map(({ part, from, to, advice }) =>
    warning(part === 'browserVersion' ? 'version' : part, `${from} -> ${to}`, advice),
  );
  if (examined.length === 0) examined.push(ok('report', `its environment is that of this machine: ${report}`));
  return { json: { differing }, text: examined.map(renderLine).join(''), exitCode: differing.length > 0 ? 1 : 0 };
}

function renderLine({ name, state, found, advice }: DoctorCheck): string {
  const text = advice === null ? found : `${endSentence(found)} ${advice}`;
  return `${state.padEnd(7)}  ${name.padEnd(10)}  ${renderPlain(text)}\n`;
}

interface DoctorCheck {
  readonly name: string;
  /** `warning`: works with limitations. `problem`: a run cannot give correct results. */
  readonly state: 'ok' | 'warning' | 'problem';
  readonly found: string;
  readonly advice: string | null;
}

async function examine(places: Project): Promise<DoctorCheck[]> {
  const { folder, root } = places;
  const run = await readRun(folder).catch(() => null);
  return [
    examineNode(process.versions.node),
    examinePlaywright(root),
    ...(await examineBrowser(run)),
    examineConfig(places),
    ...(await examineTests(places)),
    await examineFolder('folder', root),
    // It can be a mount point.
    ...(existsSync(folder) ? [await examineFolder('report', folder)] : []),
    await examineBaselines(places, run),
    await examineLeftovers(places),
    ...(run === null ? [] : [examineTime(run)]),
  ];
}

function examineNode(version: string): DoctorCheck {
  return isAtLeast(version, '20.19')
    ? ok('node', version)
    : problem('node', `${version}, expected 20.19 or newer`, 'Install Node 20.19 or newer.');
}

/** Checks that the project and proofsheet resolve the same Playwright installation. Two installations do not share tests. */
function examinePlaywright(root: string): DoctorCheck {
  const [theirs, ours] = [join(root, 'x.js'), import.meta.url].map((from) => {
    try {
      return createRequire(from).resolve('@playwright/test/package.json');
    } catch {
      return null;
    }
  });
  if (!theirs)
    return problem('playwright', '@playwright/test is not installed in the project', `Run: ${INSTALL_PLAYWRIGHT}`);
  const { version } = JSON.parse(readFileSync(theirs, 'utf8'));
  const newest = `Run: ${INSTALL_PLAYWRIGHT}@latest`;
  if (!isAtLeast(version, LOWEST_PLAYWRIGHT))
    return problem('playwright', `${version}, expected ${LOWEST_PLAYWRIGHT} or newer`, newest);
  // The native one also has the case of the file on macOS and Windows.
  if (ours && realpathSync.native(ours) === realpathSync.native(theirs)) return ok('playwright', version);
  const found = `proofsheet uses another installation of @playwright/test: ${ours}`;
  return problem('playwright', found, 'Install proofsheet and @playwright/test in the same project.');
}

async function examineBrowser(run: RunRecord | null): Promise<DoctorCheck[]> {
  try {
    // Imported here, so that the other checks work without Playwright.
    const { readLocalEnvironment } = await import('./compare-environment.js');
    const { environment, notice } = await readLocalEnvironment();
    const text = renderEnvironment(environment, ['headless']);
    const browser = notice === null ? ok('browser', text) : warning('browser', `${text}; ${notice}`, INSTALL_BROWSER);
    return [browser, examineFonts(environment, run)];
  } catch (cause) {
    if (cause instanceof ProofsheetError) return [problem('browser', cause.problem.found, cause.problem.advice)];
    return [problem('browser', firstLineOf(cause), INSTALL_BROWSER)];
  }
}

const INSTALL_BROWSER = 'Run: npx playwright install chromium';

function examineFonts(here: Environment, run: RunRecord | null): DoctorCheck {
  if (here.fonts === null)
    return warning('fonts', 'fonts could not be measured', 'Install fonts: apt-get install fonts-liberation');
  for (const { baseline } of run?.shots ?? []) {
    const made = baseline?.environment;
    if (!made) continue;
    const parts = differingParts(made, here).filter((part) => !['scale', 'driver', 'engine'].includes(part));
    if (parts.length === 0) continue;
    const found = `baselines were created with ${renderEnvironment(made, parts)}, but this machine has ${renderEnvironment(here, parts)}`;
    return warning('fonts', found, 'Run in the environment of the baselines, or set "environment: separate".');
  }
  return ok('fonts', here.fonts);
}

/** Checks the config that the user named, otherwise the one that Playwright finds in the folder. @internal */
export function examineConfig({ root, config }: Pick<Project, 'root' | 'config'>): DoctorCheck {
  const found = configIn(root);
  const name = config ?? (found && basename(found));
  if (name === null) return problem('config', `no playwright.config in ${root}`, 'Run: npx proofsheet init');
  if (readFileSync(join(root, name), 'utf8').includes('proofsheet/reporter')) return ok('config', name);
  const missing = `${name} does not contain proofsheet/reporter, so no report is written`;
  return warning('config', missing, "Add ['proofsheet/reporter'] to its reporter list.");
}

async function examineTests({ root, config }: Pick<Project, 'root' | 'config'>): Promise<DoctorCheck[]> {
  const name = config ?? configIn(root);
  if (name === null) return [];
  const args = ['test', '--list', '--pass-with-no-tests', '--reporter=list', '--config', resolve(root, name)];
  const why = await runPlaywright(root, args);
  return why === null ? [] : [problem('tests', why, 'Run: npx playwright test --list')];
}

async function examineFolder(name: string, folder: string): Promise<DoctorCheck> {
  const file = join(folder, temporaryName());
  try {
    await writeFile(file, '');
    await rm(file);
    return ok(name, folder);
  } catch (cause) {
    return problem(name, `cannot write to ${folder} (${messageOf(cause)})`, `${adviseFileError(cause)}.`);
  }
}

/** Checks whether killed processes left temporary files. @internal */
export async function examineLeftovers(places: BaselineFolders): Promise<DoctorCheck> {
  const leftovers = await pruneLeftovers(places, false);
  if (leftovers.length === 0) return ok('leftovers', 'none');
  const found = `${renderCountOf(leftovers.length, 'temporary file')} of killed processes: ${listSome(leftovers, 3)}`;
  return warning('leftovers', found, 'List them with: npx proofsheet prune. Delete them with --yes.');
}

async function examineBaselines(folders: ProjectFolders, run: RunRecord | null): Promise<DoctorCheck> {
  if (run === null) return ok('baselines', 'no run yet');
  const paths = run.shots.flatMap(({ baseline }) => baseline?.path ?? []);
  const damaged: ProofsheetError[] = [];
  let found = 0;
  for (const path of paths) {
    const place = await baselinePathOf(folders, path);
    const baseline = place.kind === 'inside' ? await readBaseline(place.path, place.format, path) : null;
    if (baseline?.kind === 'damaged') damaged.push(baseline.error);
    if (baseline?.kind === 'image') found++;
  }
  const [first] = damaged;
  if (!first) return ok('baselines', `${found} of ${renderCountOf(paths.length, 'shot')} with a baseline`);
  const places = damaged.map(({ problem: { where } }) => where);
  const text = `${renderCountOf(damaged.length, 'file')}: ${listSome(places, 3)}: ${first.problem.found}`;
  return problem('baselines', text, first.problem.advice);
}

function examineTime({ durationMs, shots }: RunRecord): DoctorCheck {
  const slowest = shots
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, 3)
    .map((shot) => {
      const parts = shot.timings ? ` (${renderTimings(shot.timings, 2)})` : '';
      return `${nameShot(shot)} ${renderDuration(shot.durationMs)}${parts}`;
    });
  const total = `${renderDuration(durationMs)} for ${renderCountOf(shots.length, 'shot')}`;
  return ok('time', slowest.length > 0 ? `${total}; slowest: ${slowest.join('; ')}` : total);
}

function ok(name: string, found: string): DoctorCheck {
  return { name, state: 'ok', found, advice: null };
}

function warning(name: string, found: string, advice: string): DoctorCheck {
  return { name, state: 'warning', found, advice };
}

function problem(name: string, found: string, advice: string): DoctorCheck {
  return { name, state: 'problem', found, advice };
}
