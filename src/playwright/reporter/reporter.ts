import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite, TestError } from '@playwright/test/reporter';
import { INDEX_FILE, REPORT_FOLDER } from '../../baselines/paths.js';
import { writeRun } from '../../baselines/write-run.js';
import { readInlineImages } from '../../core/run/amend-run.js';
import { type Collected, collectRun } from '../../core/run/collect.js';
import { sweepLeftovers, withObsolete } from '../../core/run/find-obsolete.js';
import { writeJobSummary } from '../../core/run/job-summary.js';
import type { Shard } from '../../core/run/observed.js';
import { messageOf, type Problem, ProofsheetError } from '../../model/errors.js';
import type { RunRecord } from '../../model/run-record.js';
import { listSome, renderCountOf } from '../../model/words.js';
import { isGreen } from '../../report/format/verdict.js';
import { renderPages } from '../../report/html/render-html.js';
import { renderText } from '../../report/text/render-text.js';
import { readCircumstances } from './circumstances.js';
import { firstLine, readScope, readTests } from './tests.js';

/** Options of `proofsheet/reporter`. */
export interface ReporterOptions {
  /**
   * The report's folder, relative to the config's; each run replaces it.
   * @default 'proofsheet-report'
   */
  readonly outputFolder?: string;
  /**
   * Puts the images into `index.html` itself, up to 30 MB of them, the worst shots first: for what shows a single file of CI.
   * @default false
   */
  readonly singleFile?: boolean;
}

/** What Playwright adds to a reporter's options. */
interface HostOptions {
  readonly configDir?: string;
  readonly _mode?: string;
}

/**
 * Playwright reporter that writes the report of a run, prints its summary, and fails the run on what no single test can
 * see: a selected shot that was never judged, a missing shard. It never turns a red run green.
 *
 * @example
 * // playwright.config.ts
 * export default defineConfig({ reporter: [['proofsheet/reporter'], ['list']] });
 */
export default class ProofsheetReporter implements Reporter {
  readonly #options: ReporterOptions & HostOptions;
  readonly #errors: string[] = [];
  readonly #said: string[] = [];
  #config: FullConfig | null = null;
  #suite: Suite | null = null;
  #blobShards: Shard[] | null = null;

  constructor(options: ReporterOptions = {}) {
    this.#options = options;
  }

  /**
   * Under `merge-reports` this is a reporter of Playwright's second, internal kind, as its own HTML reporter is: only
   * that kind is told which shards there are, and a missing shard is not to be seen from the tests that are there.
   */
  version(): 'v1' | 'v2' {
    return this.#isMerging ? 'v2' : 'v1';
  }

  onConfigure(config: FullConfig): void {
    this.#config = config;
  }

  /** The first kind of reporter gets config and suite, the second only the suite. */
  onBegin(first: FullConfig | Suite, second?: Suite): void {
    if ('allTests' in first) this.#suite = first;
    else this.#config = first;
    if (second) this.#suite = second;
  }

  onReportConfigure({ config }: { config: Pick<FullConfig, 'shard'> }): void {
    this.#blobShards ??= [];
    if (config.shard) this.#blobShards.push({ current: config.shard.current, total: config.shard.total });
  }

  onError(error: TestError): void {
    this.#errors.push(firstLine(error) ?? 'an error without a message');
  }

  async onEnd(result: FullResult): Promise<{ status?: FullResult['status'] } | undefined> {
    const reasons = await this.#conclude(result).catch((error) => {
      this.#said.push(`proofsheet: the reporter failed: ${messageOf(error)}\n`);
      return [`the reporter failed: ${messageOf(error)}`];
    });
    if (reasons.length === 0) return undefined;
    // Under merge-reports Playwright takes no notice of a status, only of an error.
    if (this.#isMerging) throw withoutStack(`proofsheet: not green: ${reasons.join('; ')}`);
    return result.status === 'passed' ? { status: 'failed' } : undefined;
  }

  /** Told here, the summary comes after what other reporters tell of the end, though this one stands before them. */
  async onExit(): Promise<void> {
    process.stdout.write(this.#said.splice(0).join(''));
  }

  printsToStdio(): boolean {
    return false;
  }

  get #isMerging(): boolean {
    return this.#options._mode === 'merge';
  }

  /** @returns why the run may not be green. */
  async #conclude(result: FullResult): Promise<string[]> {
    const config = this.#config;
    const suite = this.#suite;
    // `--list` runs no tests, and is no run.
    if (!config || !suite || this.#options._mode === 'list') return [];
    const { tests, problems } = readTests(suite, config);
    const around = await readCircumstances(config, result, this.#errors);
    const merge = this.#isMerging ? { shards: this.#blobShards } : null;
    const collected = collectRun({ ...around, tests, problems, merge });
    if (collected.run.shots.length === 0 && collected.problems.length === 0) {
      this.#said.push('proofsheet: no shots in this run; the report of the last one is as it was\n');
      return [];
    }
    const folder = this.#folder(config);
    const scope = readScope(suite, config, folder, this.#errors);
    const run = merge ? collected.run : await withObsolete(collected.run, scope);
    const { record, unwritten, summary } = await publish(
      { ...collected, run },
      folder,
      this.#options.singleFile ?? false,
    );
    this.#said.push(summary);
    await sweepLeftovers({ root: scope.root, within: scope.root, folder }, run);
    // A run whose blob is to be merged is told of when it is: once, with the others.
    if (!config.reporter.some(([name]) => name === 'blob'))
      this.#said.push(await writeJobSummary({ record, tests, root: config.rootDir }, process.env));
    // A test that is expected to fail, say, is green to Playwright; a page that differs is not to us.
    const amiss = collected.failed.length === 0 && !isGreen(collected.run) ? ['not every shot passed'] : [];
    const failed = this.#isMerging && collected.failed.length > 0 ? [tellFailed(collected.failed)] : amiss;
    return [...failed, ...[...collected.problems, ...unwritten].map(({ where, found }) => `${where}: ${found}`)];
  }

  #folder({ configFile, rootDir }: FullConfig): string {
    const { outputFolder = REPORT_FOLDER, configDir } = this.#options;
    return resolve(configDir ?? (configFile ? dirname(configFile) : rootDir), outputFolder);
  }
}

/** A run as its summary tells it. */
interface Published {
  readonly record: RunRecord;
  /** The problem when the report could not be written; the summary is printed all the same. */
  readonly unwritten: readonly Problem[];
  readonly summary: string;
}

async function publish({ run, images }: Collected, folder: string, isSingle: boolean): Promise<Published> {
  try {
    const written = await writeRun(folder, run, images, (final) =>
      renderPages(final, { images: isSingle ? readInlineImages(final.shots, images) : null }),
    );
    return { record: written, unwritten: [], summary: renderText(written, shownPath(join(folder, INDEX_FILE))) };
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    const record = { ...run, run: { ...run.run, problems: [...run.run.problems, error.problem] } };
    return { record, unwritten: [error.problem], summary: renderText(record, null) };
  }
}

function tellFailed(failed: readonly string[]): string {
  return `${renderCountOf(failed.length, 'shot')} failed: ${listSome(failed, 5)}`;
}

function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** What is wrong is with the run: nobody is helped by where in our code that was found. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
