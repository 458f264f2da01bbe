import nodePath, { basename, dirname, join, resolve } from 'node:path';
import { REPORT_FOLDER } from '../baselines/index.js';
import { quoteArgument } from '../model/index.js';

/** Data for the message about a failed shot that its record does not contain. */
export interface FailureDetails {
  /** The position of the shot in its list, as `file:line:column`; null if the shot is not from a list. */
  readonly place: string | null;
  /** Command that approves the captured image; null if no command can. */
  readonly approve: string | null;
  /** Command that captures again and writes baselines, for a run without `approve`. */
  readonly update: string;
  /** How to review the images; null if the summary of the run says it. @default null */
  readonly review?: string | null;
}

/** The part of Playwright's config that details depend on. `argv` exists from Playwright 1.61 on. */
export interface RunnerConfig {
  readonly configFile?: string | undefined;
  /** Name and options of each reporter. */
  readonly reporter: readonly (readonly [name: string, options?: unknown])[];
  readonly argv?: readonly string[];
  readonly projects: readonly unknown[];
}

interface FailedShot {
  readonly id: string;
  readonly project: string;
  /** Location in the list, or null: see {@link FailureDetails}. */
  readonly position: { readonly file: string; readonly line: number; readonly column: number } | null;
}

interface TestProcess {
  readonly cwd: string;
  /** The test runs in CI. Its report is approved on another machine. */
  readonly isCI: boolean;
}

/** Creates the details for a failed shot. Contains only commands that work as printed. */
export function failureDetailsFor(
  { id, project, position }: FailedShot,
  config: RunnerConfig,
  testProcess: TestProcess,
): FailureDetails {
  const { cwd } = testProcess;
  const { configFile, projects } = config;
  const base = configFile ? dirname(configFile) : cwd;
  const isFound = !configFile || (base === cwd && /^playwright\.config\.[cm]?[jt]s$/.test(basename(configFile)));
  const foreignConfig = isFound ? null : quoteArgument(shortPath(configFile, cwd));
  // `approve` reads the report that the reporter of proofsheet writes.
  const reporter = findReporter(config);
  const report = { folder: resolve(base, outputFolderOf(reporter?.[1])), base, configFile };
  const from = placeOf(report, testProcess).flatMap((place) => ['--from', place]);
  const shot = [...(id.startsWith('-') ? ['--'] : []), id];
  const named = projects.length > 1 && project !== '' ? ['--project', project] : [];
  const approve = ['approve', ...named, ...configFlags(report, testProcess), ...from, ...shot];
  // UI mode and editors show the images, and a blob is merged later.
  const isReported = config.reporter.some(([name]) => name === 'blob' || PROOFSHEET_REPORTER.test(name));
  return {
    place: position && `${shortPath(position.file, cwd)}:${position.line}:${position.column}`,
    approve: reporter ? joinCommand(testProcess, approve) : null,
    review: isPlainRun(config) && !isReported ? REVIEW : null,
    update: `npx playwright test --update-snapshots${foreignConfig === null ? '' : ` --config ${foreignConfig}`}`,
  };
}

/** Checks whether the reporter of proofsheet is active in this run. UI mode and editors use other reporters. */
export function hasOwnReporter(config: RunnerConfig): boolean {
  return findReporter(config) !== undefined;
}

/** UI mode, watch mode and the test server of editors start many runs in one process. True if the version of Playwright does not tell. */
export function isPlainRun({ argv }: Pick<RunnerConfig, 'argv'>): boolean {
  return argv === undefined || (argv[2] === 'test' && !argv.some((word) => word.startsWith('--ui')));
}

function findReporter(config: RunnerConfig): RunnerConfig['reporter'][number] | undefined {
  return isPlainRun(config) ? config.reporter.find(([name]) => PROOFSHEET_REPORTER.test(name)) : undefined;
}

const REVIEW =
  "To review the images, add ['proofsheet/reporter'] to `reporter` in the config, run again, then run: npx proofsheet report";

const PROOFSHEET_REPORTER = /(^|[\\/])proofsheet[\\/](dist[\\/])?reporter(\.js)?$/;

/** The report of a run, and where the commands find it. All paths are absolute. */
interface WrittenReport {
  readonly folder: string;
  /** The folder of the config. */
  readonly base: string;
  readonly configFile?: string | undefined;
}

/** Returns the command that opens a report with buttons to approve; null if it cannot be typed. */
export function reportCommand(report: WrittenReport, testProcess: TestProcess): string | null {
  return joinCommand(testProcess, ['report', ...placeOf(report, testProcess), ...configFlags(report, testProcess)]);
}

function placeOf({ folder, base }: WrittenReport, { cwd, isCI }: TestProcess): string[] {
  if (isCI) return ['DIR'];
  return folder === join(base, REPORT_FOLDER) ? [] : [shortPath(folder, cwd)];
}

function configFlags({ base, configFile }: WrittenReport, { cwd }: TestProcess): string[] {
  return configFile && base !== cwd ? ['--config', shortPath(configFile, cwd)] : [];
}

function outputFolderOf(options: unknown): string {
  const isObject = typeof options === 'object' && options !== null;
  return isObject && 'outputFolder' in options && typeof options.outputFolder === 'string'
    ? options.outputFolder
    : REPORT_FOLDER;
}

/** Returns a command of proofsheet; null if a word cannot be quoted for a shell. */
function joinCommand({ isCI }: TestProcess, words: readonly string[]): string | null {
  const quoted = words.map((word) => (/^--?\w*$/.test(word) ? word : quoteArgument(word)));
  if (quoted.includes(null)) return null;
  return `npx proofsheet ${quoted.join(' ')}${isCI ? ' (DIR: the downloaded report)' : ''}`;
}

/** Returns a relative path if it is inside `cwd`, otherwise the absolute one. With slashes, which need no quotes on Windows. */
export function shortPath(path: string, cwd: string, { relative, isAbsolute, sep } = nodePath): string {
  const short = relative(cwd, path);
  if (short === '') return '.';
  return (short.startsWith('..') || isAbsolute(short) ? path : short).replaceAll(sep, '/');
}
