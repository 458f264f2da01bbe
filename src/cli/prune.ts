import type { Command } from 'commander';
import { formatPruned, prune as pruneBaselines } from '../core/review/prune.js';
import { findProject, type ProjectPlaces } from '../core/run/folders.js';
import { print, printJson } from '../model/plain-text.js';
import { addPlaces } from './flags.js';

const EXAMPLES = `
Examples:
  proofsheet prune
  proofsheet prune --yes

A baseline is obsolete if no shot uses it. Only files with an embedded baseline record are listed or deleted,
and only those of this platform and of projects that ran.
The last run must include all tests: no filter, no shard, no interruption.
Exit code: 0 done, 2 a baseline was not deleted or an error occurred.`;

/** Adds `proofsheet prune`. */
export function addPrune(program: Command): void {
  const command = program
    .command('prune')
    .description('list or delete obsolete baselines: those that no shot of the last finished run uses')
    .option('-y, --yes', 'delete the obsolete baselines')
    .option('--from <folder>', 'report folder (default: proofsheet-report next to the config)')
    .addHelpText('after', EXAMPLES);
  addPlaces(command).action(prune);
}

interface PruneFlags extends ProjectPlaces {
  readonly yes?: true;
  readonly json?: true;
}

async function prune({ yes, json, ...flags }: PruneFlags): Promise<void> {
  const pruned = await pruneBaselines(findProject(flags), yes === true);
  const answer = { status: 'success', error: false, ...pruned };
  if (json) printJson(answer);
  else print(formatPruned(pruned));
  process.exitCode = yes && pruned.kept.length > 0 ? 2 : 0;
}
