import type { Command } from 'commander';
import { formatPruned } from '../core/review/format-review.js';
import { prune as pruneBaselines } from '../core/review/prune.js';
import { findProject, type ProjectPlaces } from '../core/run/folders.js';
import { addPlaces } from './flags.js';

const EXAMPLES = `
Examples:
  proofsheet prune
  proofsheet prune --yes

Only files that carry a baseline's record, of this platform and of projects that ran, beside those that the run claims. Never
after a run that was filtered, sharded or cut short. Exit code: 0 done, 2 it cannot be known, or not everything could be deleted.`;

/** Adds `proofsheet prune`. */
export function addPrune(program: Command): void {
  const command = program
    .command('prune')
    .description('list the baselines that no shot of the last finished run claims, or delete them')
    .option('-y, --yes', 'delete them')
    .option('--from <folder>', 'the folder of a report (default: proofsheet-report beside the config)')
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
  process.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : formatPruned(pruned));
  process.exitCode = yes && pruned.kept.length > 0 ? 2 : 0;
}
