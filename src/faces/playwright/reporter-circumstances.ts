import type { FullConfig, FullResult } from '@playwright/test/reporter';
import type { CollectInput, Ending } from '../../core/collect-observed.js';
import { readCommit } from '../../core/current-commit.js';
import { packageVersion } from '../../core/version.js';
import { readFilters } from './reporter-filters.js';

/**
 * Reads what is known of a run besides its tests. Of a merged run, neither filters nor commit: the command line is that
 * of `merge-reports`, which may run anywhere.
 */
export async function readCircumstances(
  config: FullConfig,
  result: FullResult,
  errors: readonly string[],
): Promise<Omit<CollectInput, 'tests' | 'problems' | 'merge'>> {
  const { shard, rootDir } = config;
  return {
    version: packageVersion(),
    startedAt: result.startTime,
    durationMs: Math.max(0, result.duration),
    ending: { kind: endingOf(result, config), error: errors[0] ?? null },
    selected: selectedBy(config, process.argv),
    shard: shard && { current: shard.current, total: shard.total },
    commit: await readCommit(rootDir),
  };
}

function endingOf({ status }: FullResult, { maxFailures }: FullConfig): Ending['kind'] {
  switch (status) {
    case 'passed':
      return 'finished';
    case 'failed':
      return maxFailures > 0 ? 'stopped' : 'finished';
    case 'timedout':
      return 'timed-out';
    case 'interrupted':
      return 'interrupted';
    default:
      return status satisfies never;
  }
}

/** A shard can be set by the config as well. */
function selectedBy({ shard }: FullConfig, argv: readonly string[]): string[] {
  const filters = readFilters(argv);
  if (!shard || filters.some((filter) => filter.startsWith('--shard '))) return filters;
  return [...filters, `--shard ${shard.current}/${shard.total}`];
}
