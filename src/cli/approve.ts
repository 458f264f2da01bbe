import type { Command } from 'commander';
import { applyDecision, type ShotDecision } from '../core/review/approve.js';
import { chooseShots } from '../core/review/choose-shots.js';
import { formatDecided } from '../core/review/format-review.js';
import { findProject, type ProjectPlaces } from '../core/run/folders.js';
import { addPlaces } from './flags.js';

const EXAMPLES = `
Examples:
  proofsheet approve pricing docs/intro
  proofsheet approve --group 1
  proofsheet approve --all --from ~/Downloads/proofsheet-report

An ID is a shot's, or the name of a page for all its shots. Images come from the run: nothing is captured. What passed is never
touched; what is error or unstable is refused by name. Exit code: 0 done, 2 something was refused or could not be done.`;

/** Adds `proofsheet approve [ID...]`. */
export function addApprove(program: Command): void {
  const command = program
    .command('approve')
    .description('make images of the last finished run, or of a downloaded one, the baselines of their shots')
    .argument('[id...]', 'ids of shots, or names of pages')
    .option('--all', 'all that changed or is new')
    .option('--new', 'all that has no baseline')
    .option('--group <n>', 'all shots of a group of the report')
    .option('--project <name>', 'of these, only the shots of this project')
    .option('--from <folder>', 'the folder of a report (default: proofsheet-report beside the config)')
    .option(
      '--force',
      'also where the file on disk is not the baseline that the run compared with, or its folder holds none',
    )
    .addHelpText('after', EXAMPLES);
  addPlaces(command).action(approve);
}

interface ApproveFlags extends ProjectPlaces {
  readonly all?: true;
  readonly new?: true;
  readonly group?: string;
  readonly project?: string;
  readonly force?: true;
  readonly json?: true;
}

async function approve(ids: readonly string[], flags: ApproveFlags): Promise<void> {
  const { all = false, new: isNew = false, group = null, project = null, force = false, json } = flags;
  const choice = { ids, all, new: isNew, group, project };
  const request: ShotDecision = { decision: 'approved', choose: (run) => chooseShots(run, choice), force };
  const decided = await applyDecision(findProject(flags), request);
  for (const warning of decided.warnings) process.stderr.write(`proofsheet: ${warning}\n`);
  const { written, kept, refused, warnings } = decided;
  const status = refused.length > 0 ? 'refused' : 'success';
  const answer = { status, error: refused.length > 0, written, kept, refused, warnings };
  process.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : formatDecided(decided));
  process.exitCode = refused.length > 0 ? 2 : 0;
}
