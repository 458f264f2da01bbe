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
   * Embeds up to 30 MB of images in `index.html`, starting with the shots that need review most. Use it if CI displays only
   * single files.
   * @default false
   */
  readonly singleFile?: boolean;
}

/** Options that Playwright adds to those of a reporter. */
interface PlaywrightOptions {
  readonly configDir?: string;
  readonly _mode?: string;
}

/**
 * Writes the report of a run and prints its summary. Fails the run on problems that no single test detects: a selected shot
 * without a result, or a missing shard. A failed run never becomes a passed run.
 *
 * @example
 * // playwright.config.ts
 * export default defineConfig({ reporter: [['proofsheet/reporter'], ['list']] });
 */
export default class ProofsheetReporter implements Reporter {
  readonly #options: ReporterOptions & PlaywrightOptions;
  readonly #errors: string[] = [];
  readonly #output: string[] = [];
  #config: FullConfig | null = null;
  #suite: Suite | null = null;
  #blobShards: Shard[] | null = null;

  constructor(options: ReporterOptions = {}) {
    this.#options = options;
  }

  /**
   * Returns `v2` under `merge-reports`. This internal reporter API, which Playwright's HTML reporter uses, receives the
   * shards. The tests alone do not show that a shard is missing.
   */
  version(): 'v1' | 'v2' {
    return this.#isMerging ? 'v2' : 'v1';
  }

  onConfigure(config: FullConfig): void {
    this.#config = config;
  }

  /** Receives config and suite in API `v1`, and only the suite in `v2`. */
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
    const reasons = await this.#publishRun(result).catch((error) => {
      this.#output.push(`proofsheet: the reporter failed: ${messageOf(error)}\n`);
      return [`the reporter failed: ${messageOf(error)}`];
    });
    if (reasons.length === 0) return undefined;
    // Under merge-reports, Playwright ignores the returned status but not an error.
    if (this.#isMerging) throw withoutStack(`proofsheet: not green: ${reasons.join('; ')}`);
    return result.status === 'passed' ? { status: 'failed' } : undefined;
  }

  /** Prints the summary here, so that it follows the output of reporters that come later in the config. */
  async onExit(): Promise<void> {
    process.stdout.write(this.#output.splice(0).join(''));
  }

  printsToStdio(): boolean {
    return false;
  }

  get #isMerging(): boolean {
    return this.#options._mode === 'merge';
  }

  /** Writes the report. Returns the reasons why the run must fail. */
  async #publishRun(result: FullResult): Promise<string[]> {
    const config = this.#config;
    const suite = this.#suite;
    // `--list` runs no tests.
    if (!config || !suite || this.#options._mode === 'list') return [];
    const { tests, problems } = readTests(suite, config);
    const circumstances = await readCircumstances(config, result, this.#errors);
    const merge = this.#isMerging ? { shards: this.#blobShards } : null;
    const collected = collectRun({ ...circumstances, tests, problems, merge });
    if (collected.run.shots.length === 0 && collected.problems.length === 0) {
      this.#output.push('proofsheet: no shots in this run; the report of the last one is as it was\n');
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
    this.#output.push(summary);
    await sweepLeftovers({ root: scope.root, within: scope.root, folder }, run);
    // A run with a blob reporter is merged later. The merge writes the job summary once for all shards.
    if (!config.reporter.some(([name]) => name === 'blob'))
      this.#output.push(await writeJobSummary({ record, tests, root: config.rootDir }, process.env));
    // Playwright passes a test that is expected to fail. A changed page in it still fails the run.
    const unexpected = collected.failed.length === 0 && !isGreen(collected.run) ? ['not every shot passed'] : [];
    const failed = this.#isMerging && collected.failed.length > 0 ? [renderFailed(collected.failed)] : unexpected;
    return [...failed, ...[...collected.problems, ...unwritten].map(({ where, found }) => `${where}: ${found}`)];
  }

  #folder({ configFile, rootDir }: FullConfig): string {
    const { outputFolder = REPORT_FOLDER, configDir } = this.#options;
    return resolve(configDir ?? (configFile ? dirname(configFile) : rootDir), outputFolder);
  }
}

/** The written run and its summary. */
interface PublishedRun {
  readonly record: RunRecord;
  /** The problem if the report could not be written. The summary is printed anyway. */
  readonly unwritten: readonly Problem[];
  readonly summary: string;
}

async function publish({ run, images }: Collected, folder: string, isSingle: boolean): Promise<PublishedRun> {
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

function renderFailed(failed: readonly string[]): string {
  return `${renderCountOf(failed.length, 'shot')} failed: ${listSome(failed, 5)}`;
}

function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** Creates an error without a stack. The problem is in the run, so a location in this package does not help. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
