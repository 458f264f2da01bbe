import type { Command } from 'commander';
import { print, printJson } from '../model/index.js';
import { formatLeftovers, formatPruned } from '../report/index.js';
import { prune as pruneBaselines, pruneLeftovers } from '../review/index.js';
import { findProject, type ProjectPlaces } from '../run/index.js';
import { addPlaces } from './flags.js';

const EXAMPLES = `
Examples:
  proofsheet prune
  proofsheet prune --yes

A baseline is obsolete if no shot uses it. Only files with an embedded baseline record are listed or deleted,
and only those of this platform and of projects that ran.
The last run must include all tests that exist now. Playwright lists them (playwright test --list).
Temporary files that killed processes left below the folder of the config are listed or deleted, too, after any run.
Exit code: 0 done, 2 a baseline was not deleted or an error occurred.`;

/** Adds `proofsheet prune`. */
export function addPrune(program: Command): void {
  const command = program
    .command('prune')
    .description('list or delete obsolete baselines: those that no shot uses')
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
  const project = findProject(flags);
  const shouldDelete = yes === true;
  // First, because the obsolete baselines can be unknown. Then the JSON document is that of the error.
  const leftovers = await pruneLeftovers(project, shouldDelete);
  print(formatLeftovers(leftovers, shouldDelete), json ? process.stderr : process.stdout);
  const pruned = await pruneBaselines(project, shouldDelete);
  const answer = { status: 'success', error: false, ...pruned, leftovers };
  if (json) printJson(answer);
  else print(formatPruned(pruned));
  process.exitCode = yes && pruned.kept.length > 0 ? 2 : 0;
}
