import type { StagedImage } from '../baselines/index.js';
import type { DeclaredShot, Origin, Problem, RunRecord, ShotMessage, ShotRecord } from '../model/index.js';

/** What the reporter saw of a run. */
export interface RunFacts {
  readonly version: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly ending: Ending;
  readonly tests: readonly ObservedTest[];
  /** What all tests of the run are, for `prune`. Absent: unknown. */
  readonly allTests?: NonNullable<RunRecord['run']['tests']>;
  /** The words of the command line after `playwright test`. */
  readonly selected: readonly string[];
  readonly shard: Shard | null;
  /** The commit of the current folder. A merged run can be anywhere, so it uses the commits of its shots instead. */
  readonly commit: string | null;
  /** The shards of the merged blobs, those without shots, too; null if the run was not merged. */
  readonly mergedShards: readonly Shard[] | null;
  /** Output folders of the projects, relative to the folder of the config. @default test-results */
  readonly outputDirs?: readonly string[];
  readonly problems: readonly Problem[];
}

export type Shard = Readonly<NonNullable<Origin['shard']>>;

/** How the run as a whole ended. `stopped`: before all tests were run. */
export interface Ending {
  readonly kind: 'finished' | 'stopped' | 'interrupted' | 'timed-out';
  /** First line of an error that belongs to no single test, or null. */
  readonly error: string | null;
}

export interface ObservedTest {
  readonly project: string;
  readonly title: string;
  /** Location in the spec, as `file:line`. */
  readonly location: string;
  /** Index of the repeat with `--repeat-each`; otherwise 0. */
  readonly repeat: number;
  readonly declared: DeclaredShot | null;
  /** Set if the test is declared as skipped, with its reason or null. */
  readonly skipped: { readonly reason: string | null } | null;
  /** Whether all attempts failed, according to the test runner. */
  readonly failed: boolean;
  /** In the order in which they ran; empty if the test was not run. */
  readonly attempts: readonly ObservedAttempt[];
}

export interface ObservedAttempt {
  readonly outcome: 'passed' | 'failed' | 'timedOut' | 'interrupted' | 'skipped';
  readonly error: string | null;
  readonly durationMs: number;
  readonly messages: readonly ShotMessage[];
  /** The attachments of this attempt by name, each a path or bytes. */
  readonly attachments: ReadonlyMap<string, string | Buffer>;
}

/** The result of one attempt of a test for one shot. */
export interface Attempt {
  readonly shot: ShotRecord;
  readonly images: readonly StagedImage[];
  /** A hash of what changed; null if nothing did. */
  readonly fingerprint: string | null;
  /** Why the attempt sent no result; null if it sent one, or if the test is skipped. */
  readonly silence: string | null;
}

/** The result of one test for one shot: that of its last attempt. */
export interface TestResult extends Attempt {
  readonly test: ObservedTest;
  /** In the order in which they ran. */
  readonly attempts: readonly Attempt[];
}

/** The results of one shot: one for each test of it. */
export type ResultsOfShot = readonly [TestResult, ...TestResult[]];
