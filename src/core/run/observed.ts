import type { DeclaredShot, ShotMessage } from '../../model/attachments.js';
import type { Problem } from '../../model/errors.js';

/** All that is known at the end of a run, said without the words of the test runner. */
export interface CollectInput {
  readonly version: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly ending: Ending;
  readonly tests: readonly ObservedTest[];
  /** The filters in force, as they were typed. */
  readonly selected: readonly string[];
  readonly shard: Shard | null;
  /** Of the folder that the run is in; a merged run may be put together anywhere, and takes its shots' word for it. */
  readonly commit: string | null;
  readonly merge: Merge | null;
  /** What was found wrong while the tests were read. */
  readonly problems: readonly Problem[];
}

/** What a merged run is made of. */
export interface Merge {
  /** The shard of every blob that has one, where the blobs could be asked: then a shard without shots is known as well. */
  readonly shards: readonly Shard[] | null;
}

/** One part of a run. */
export interface Shard {
  readonly current: number;
  readonly total: number;
}

/** How the run as a whole ended. `stopped`: before all tests had their turn. */
export interface Ending {
  readonly kind: 'finished' | 'stopped' | 'interrupted' | 'timed-out';
  /** First line of what the test runner had to say of no single test, or null. */
  readonly error: string | null;
}

/** One test that declares a shot, or that compared something. */
export interface ObservedTest {
  readonly project: string;
  readonly title: string;
  /** Where it stands in the spec: `file:line`. */
  readonly location: string;
  /** 0, or which of the repeats of `--repeat-each` it is. */
  readonly repeat: number;
  readonly declared: DeclaredShot | null;
  /** Set when the test says that it is to be skipped, with its reason or null. */
  readonly skipped: { readonly reason: string | null } | null;
  /** The test runner's own verdict: all attempts failed. */
  readonly failed: boolean;
  /** In the order in which they ran; empty: its turn never came. */
  readonly attempts: readonly ObservedAttempt[];
}

/** One run of a test. */
export interface ObservedAttempt {
  readonly outcome: 'passed' | 'failed' | 'timedOut' | 'interrupted' | 'skipped';
  /** First line of the error, or null. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly messages: readonly ShotMessage[];
  /** Where the attachments of this attempt are, by name: a path or their bytes. */
  readonly attachments: ReadonlyMap<string, string | Buffer>;
}

/** An image for the report; null: the attempt does not have it. */
export interface CollectedImage {
  readonly link: string;
  readonly from: string | Buffer | null;
}

/** Groups items by a key, groups and items in the order in which they come. (`Map.groupBy` is Node 21.) */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
