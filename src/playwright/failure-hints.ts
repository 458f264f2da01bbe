import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { REPORT_FOLDER } from '../baselines/paths.js';
import type { FailureHints } from '../core/shot/format-failure.js';
import { quoteArgument } from '../report/html/render-view.js';

/** The part of Playwright's config that hints depend on. `argv` exists from Playwright 1.65 on. */
export type HintConfig = Pick<FullConfig, 'configFile' | 'reporter'> & {
  readonly argv?: readonly string[];
  readonly projects: readonly unknown[];
};

/** The failed shot. */
export interface HintShot {
  readonly id: string;
  readonly project: string;
  /** Location in the list, or null: see {@link FailureHints}. */
  readonly position: { readonly file: string; readonly line: number; readonly column: number } | null;
  /** Absolute path of its baseline. */
  readonly baseline: string;
}

/** The process in which a test runs. */
export interface HintProcess {
  readonly cwd: string;
  /** The test runs in CI. Its report is approved on another machine. */
  readonly isCI: boolean;
}

/** Creates the hints for a failed shot. Contains only commands that work as printed. */
export function hintsFor(shot: HintShot, config: HintConfig, testProcess: HintProcess): FailureHints {
  const { position, baseline } = shot;
  const place = position && `${shortPath(position.file, testProcess.cwd)}:${position.line}:${position.column}`;
  return {
    place,
    baseline: shortPath(baseline, testProcess.cwd),
    approve: approveCommand(shot, config, testProcess),
    update: ['npx playwright test --update-snapshots', ...updateFlags(config, testProcess)].join(' '),
  };
}

/** Checks whether the reporter of proofsheet is active in this run. UI mode and editors use other reporters. */
export function hasOwnReporter(config: HintConfig): boolean {
  return findReporter(config) !== undefined;
}

function findReporter({ reporter, argv }: HintConfig): HintConfig['reporter'][number] | undefined {
  const isPlainRun = argv === undefined || (argv[2] === 'test' && !argv.some((word) => word.startsWith('--ui')));
  return isPlainRun ? reporter.find(([name]) => PROOFSHEET_REPORTER.test(name)) : undefined;
}

/** Matches the reporter name as written in a config, or as Playwright resolved it to a path. */
const PROOFSHEET_REPORTER = /(^|[\\/])proofsheet[\\/](dist[\\/])?reporter(\.js)?$/;

/** Returns null without the reporter of proofsheet, because `approve` reads the report that it writes. */
function approveCommand(shot: HintShot, config: HintConfig, { cwd, isCI }: HintProcess): string | null {
  const reporter = findReporter(config);
  if (!reporter) return null;
  const base = configFolder(config, cwd);
  const report = resolve(base, outputFolderOf(reporter[1]));
  const flags = [
    ...(config.projects.length > 1 && shot.project !== '' ? ['--project', shot.project] : []),
    ...(config.configFile && base !== cwd ? ['--config', shortPath(config.configFile, cwd)] : []),
    ...(isCI ? ['--from', 'DIR'] : report !== join(base, REPORT_FOLDER) ? ['--from', shortPath(report, cwd)] : []),
    ...(shot.id.startsWith('-') ? ['--'] : []),
  ];
  const command = joinCommand(['npx', 'proofsheet', 'approve', ...flags, shot.id]);
  return command === null || !isCI ? command : `${command} (DIR: the downloaded report)`;
}

function updateFlags({ configFile }: HintConfig, { cwd }: HintProcess): string[] {
  const isFound =
    !configFile || (dirname(configFile) === cwd && /^playwright\.config\.[cm]?[jt]s$/.test(basename(configFile)));
  const path = isFound ? null : quoteArgument(shortPath(configFile, cwd));
  return path === null ? [] : ['--config', path];
}

function configFolder({ configFile }: HintConfig, cwd: string): string {
  return configFile ? dirname(configFile) : cwd;
}

function outputFolderOf(options: unknown): string {
  const isObject = typeof options === 'object' && options !== null;
  return isObject && 'outputFolder' in options && typeof options.outputFolder === 'string'
    ? options.outputFolder
    : REPORT_FOLDER;
}

/** Returns null if a word cannot be quoted for a shell. */
function joinCommand(words: readonly string[]): string | null {
  const quoted = words.map((word) => (/^--?\w*$/.test(word) ? word : quoteArgument(word)));
  return quoted.includes(null) ? null : quoted.join(' ');
}

/** Returns a relative path if it is inside `cwd`, otherwise the path unchanged. */
function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' ? '.' : short.startsWith('..') || isAbsolute(short) ? path : short;
}
