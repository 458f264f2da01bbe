import type { Command } from 'commander';
import { print, printJson, printRemark } from '../model/index.js';
import { formatDecided } from '../report/index.js';
import { applyDecision, chooseShots, type ShotDecision } from '../review/index.js';
import { findProject, type ProjectPlaces } from '../run/index.js';
import { addPlaces } from './flags.js';

const EXAMPLES = `
Examples:
  proofsheet approve pricing docs/intro
  proofsheet approve --group 1
  proofsheet approve --all --from ~/Downloads/proofsheet-report

An ID is a shot ID, or a page name for all shots of the page. The screenshots come from the run; no page is captured again.
Baselines of passed shots do not change. Shots with the status error or unstable are refused.
Exit code: 0 done, 2 a shot was refused or an error occurred.`;

/** Adds `proofsheet approve [ID...]`. */
export function addApprove(program: Command): void {
  const command = program
    .command('approve')
    .description('update baselines with the screenshots of the last finished run or of a downloaded report')
    .argument('[id...]', 'shot IDs or page names')
    .option('--all', 'all changed and new shots')
    .option('--new', 'all new shots')
    .option('--group <n>', 'all shots of this group in the report')
    .option('--project <name>', 'only shots of this project')
    .option('--from <folder>', 'report folder (default: proofsheet-report next to the config)')
    .option('--force', 'skip the checks of the baseline on disk, of its folder and for a later run')
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
  decided.warnings.forEach(printRemark);
  const { written, kept, refused, warnings } = decided;
  const status = refused.length > 0 ? 'refused' : 'success';
  const answer = { status, error: refused.length > 0, written, kept, refused, warnings };
  if (json) printJson(answer);
  else print(formatDecided(decided));
  process.exitCode = refused.length > 0 ? 2 : 0;
}
