import type { Command } from 'commander';

/** Adds the flags that locate the run and its baselines. */
export function addPlaces(command: Command): Command {
  return command
    .option(
      '-c, --config <path>',
      'the Playwright config; paths of baselines are relative to its folder (default: this folder)',
    )
    .option('--baselines <folder>', "the folder that baselines must lie in (default: the config's)")
    .option('--json', 'print one JSON document');
}
