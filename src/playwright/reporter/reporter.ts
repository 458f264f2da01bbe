import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { AFFECTED_VARIABLE, messageOf, print, renderLog, renderPlain, UPGRADE_VARIABLE } from '../../model/index.js';
import {
  checkPlaywright,
  LIST_VARIABLE,
  locksFolderIn,
  publishRun,
  readTestedCommit,
  type Shard,
} from '../../run/index.js';
import { configFolder } from '../runner-context.js';
import { readCircumstances } from './circumstances.js';
import {
  cutOthers,
  type Declarations,
  firstLine,
  isDeclaration,
  locationsOf,
  RESERVED_LINES,
  readAffected,
  readList,
  readTests,
  renderOthers,
  type TestRun,
  takeDeclarations,
  titleOf,
  unfinishedShots,
} from './tests.js';

/** Options of `proofsheet/reporter`. */
export interface ReporterOptions {
  /**
   * The report's folder, relative to the config's; each run replaces it.
   * @default 'proofsheet-report'
   */
  readonly outputFolder?: string;
  /**
   * Embeds up to 30 MB of images in `index.html`, starting with the shots that need review most. Use it if CI displays only
   * single files.
   * @default false
   */
  readonly singleFile?: boolean;
  /**
   * Prints all results itself, in at most 40 lines and a line of progress. Playwright then adds no reporter for the terminal; its own print
   * about 17 lines for each failed test. Output of tests is not shown.
   * @default false
   */
  readonly compact?: boolean;
}

/**
 * Writes the report of a run and prints its summary. Fails the run on problems that no single test detects: a selected shot
 * without a result, or a missing shard. A failed run never becomes a passed run.
 *
 * @example
 * // playwright.config.ts
 * export default defineConfig({ reporter: [['proofsheet/reporter', { compact: true }]] });
 */
export default class ProofsheetReporter implements Reporter {
  /** Playwright adds the last two. */
  readonly #options: ReporterOptions & { readonly configDir?: string; readonly _mode?: string };
  readonly #errors: string[] = [];
  readonly #output: string[] = [];
  #annotations = '';
  #config: FullConfig | null = null;
  #suite: Suite | null = null;
  #declarations: Declarations = new Map();
  #commit: Promise<string | null> = Promise.resolve(null);
  readonly #blobShards: Shard[] = [];
  #ended = 0;

  constructor(options: ReporterOptions = {}) {
    this.#options = options;
    try {
      checkPlaywright();
    } catch (error) {
      if (this.#isMerging) exitWith(2);
      throw error;
    }
  }

  /**
   * Returns `v2` under `merge-reports`. This internal reporter API, which Playwright's HTML reporter uses, receives the
   * shards. The tests alone do not show that a shard is missing.
   */
  version(): 'v1' | 'v2' {
    return this.#isMerging ? 'v2' : 'v1';
  }

  /** For `proofsheet affected` and `proofsheet upgrade`, only the tests of lists run. The types of Playwright have this method since 1.62. */
  async preprocess({ suite, testRun }: { suite: Suite; testRun: { exclude(test: TestCase): void } }): Promise<void> {
    if (process.env[AFFECTED_VARIABLE] === undefined && process.env[UPGRADE_VARIABLE] === undefined) return;
    for (const test of suite.allTests()) if (!test.annotations.some(isDeclaration)) testRun.exclude(test);
  }

  onConfigure(config: FullConfig): void {
    this.#config = config;
  }

  onBegin(first: FullConfig | Suite, second?: Suite): void {
    if ('allTests' in first) this.#suite = first;
    else this.#config = first;
    if (second) this.#suite = second;
    const isPart = this.#config?.reporter.some(([name]) => name === 'blob') ?? false;
    if (this.#suite) this.#declarations = takeDeclarations(this.#suite, isPart && !this.#isMerging);
    shareCompiledCode(process.env);
    // The tests need not wait for git. `merge-reports` can run in any folder.
    if (this.#config && !this.#isMerging) this.#commit = readTestedCommit(this.#config.rootDir, process.env);
  }

  onReportConfigure({ config }: { config: Pick<FullConfig, 'shard'> }): void {
    if (config.shard) this.#blobShards.push({ current: config.shard.current, total: config.shard.total });
  }

  onTestEnd(test: TestCase): void {
    if (!this.#options.compact || !process.stdout.isTTY) return;
    this.#ended++;
    const title = renderPlain(titleOf(test)).slice(0, 60);
    process.stdout.write(`${CLEAR_LINE}  ${this.#ended}/${this.#suite?.allTests().length ?? 0} ${title}`);
  }

  onError(error: TestError): void {
    this.#errors.push(firstLine(error) ?? 'error without a message');
  }

  async onEnd(result: FullResult): Promise<{ status?: FullResult['status'] } | undefined> {
    const [config, suite] = [this.#config, this.#suite];
    // Playwright passes both before the end, even if it could not load the tests.
    if (!config || !suite) return undefined;
    const run = { config, suite, declarations: this.#declarations, errors: this.#errors };
    const isList = this.#options._mode === 'list';
    const { [AFFECTED_VARIABLE]: affectedFile, [LIST_VARIABLE]: listFile } = process.env;
    if (affectedFile !== undefined) {
      const answer = isList ? locationsOf(this.#declarations) : readAffected(run);
      await writeFile(affectedFile, JSON.stringify(answer));
      return undefined;
    }
    if (isList && listFile !== undefined) await writeFile(listFile, JSON.stringify(readList(run)));
    // `--list` runs no tests.
    if (isList) return undefined;
    const { failure, problems } = await this.#publishRun(run, result).catch((error) => {
      const problem = `the reporter failed: ${messageOf(error)}`;
      this.#output.push(`proofsheet: ${problem}\n`);
      return { failure: null, problems: [problem] };
    });
    const reasons = failure === null ? problems : [failure, ...problems];
    if (reasons.length === 0) return undefined;
    // Under merge-reports, Playwright ignores the returned status. Before 1.62, it also ignores an error.
    if (this.#isMerging) {
      exitWith(problems.length > 0 ? 2 : 1);
      const error = new Error(renderLog(`proofsheet: the run failed: ${reasons.join('; ')}`));
      // The problem is in the run, so a location in this package does not help.
      error.stack = error.message;
      throw error;
    }
    return result.status === 'passed' ? { status: 'failed' } : undefined;
  }

  /** Prints the summary here, so that it follows the output of reporters that come later in the config. */
  async onExit(): Promise<void> {
    if (this.#ended > 0) process.stdout.write(CLEAR_LINE);
    print(this.#output.splice(0).join(''));
    process.stdout.write(this.#annotations);
  }

  /** If it is false for all reporters, Playwright adds one for the terminal. `--list` needs that one. */
  printsToStdio(): boolean {
    return this.#options.compact === true && this.#options._mode !== 'list';
  }

  get #isMerging(): boolean {
    return this.#options._mode === 'merge';
  }

  /** Publishes the run. Returns why it must fail. */
  async #publishRun(run: TestRun, result: FullResult) {
    const { config } = run;
    const { outputFolder, singleFile = false, compact = false, configDir } = this.#options;
    const isMerging = this.#isMerging;
    const others = compact ? renderOthers(run) : [];
    const read = readTests(run);
    const testList = readList(run);
    const unfinished = unfinishedShots(run, read.tests);
    const { output, annotations, failure, problems } = await publishRun(
      {
        ...readCircumstances(config, result, this.#errors),
        ...read,
        commit: await this.#commit,
        mergedShards: isMerging ? this.#blobShards : null,
        ...(!isMerging && this.#errors.length === 0 && { allTests: { hash: testList.hash, unfinished } }),
        testList,
        testRoot: config.rootDir,
      },
      {
        configFile: config.configFile,
        base: configDir ?? configFolder(config),
        outputFolder,
        // This process started the workers that wrote the locks.
        locks: isMerging ? null : locksFolderIn(config, process.pid),
        singleFile,
        linesUsed: Math.min(others.length, RESERVED_LINES),
        // A run with a blob reporter is merged later.
        isPart: config.reporter.some(([name]) => name === 'blob'),
        env: process.env,
      },
    );
    this.#output.push(output, ...cutOthers(others, output).map((line) => `${line}\n`));
    this.#annotations = annotations;
    // Errors outside of tests, such as those of a list or a global setup, fail and are printed in the shards alone.
    const errors = isMerging ? [...new Set(this.#errors)] : [];
    this.#output.push(...errors.map((error) => `proofsheet: a shard failed: ${error}\n`));
    return { failure, problems: [...errors, ...problems] };
  }
}

const CLEAR_LINE = '\r\u001b[2K';

function exitWith(code: number): void {
  process.once('exit', () => {
    process.exitCode = code;
  });
}

/**
 * Lets the workers, which start after this, keep compiled code in the folder of Node. Coverage is less precise for code from such a folder.
 * @internal
 */
export function shareCompiledCode(env: NodeJS.ProcessEnv): void {
  if (env.NODE_V8_COVERAGE === undefined) env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
}
