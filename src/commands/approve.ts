import { type Command, InvalidArgumentError } from 'commander';
import { type Decided, type Decision, MAX_REASON, print, printJson, printRemark, type Undone } from '../model/index.js';
import { formatDecided, formatUndone } from '../report/index.js';
import { applyDecision, chooseShots, undoNewest } from '../review/index.js';
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
  const description = 'update baselines with the screenshots of the last finished run or of a downloaded report';
  const command = program
    .command('approve')
    .description(description)
    .option('--force', 'skip the checks of the baseline on disk, of its folder and for a later run')
    .addHelpText('after', EXAMPLES);
  addChoice(command).action((ids, flags) => decide('approved', ids, flags));
}

const REJECT_EXAMPLES = `
Examples:
  proofsheet reject pricing --reason "the price must stay"
  proofsheet reject --group 1

Marks changes as bugs in the report. The baseline of an approved shot is restored. If the same change comes again in the next run, the report says
who rejected it, when and why.
Exit code: 0 done, 2 a shot was refused or an error occurred.`;

/** Adds `proofsheet reject [ID...]`. */
export function addReject(program: Command): void {
  const command = program
    .command('reject')
    .description('mark changes of the last finished run as bugs, with a reason')
    .option('--reason <text>', 'why the shots are rejected', readReason)
    .addHelpText('after', REJECT_EXAMPLES);
  addChoice(command).action((ids, flags) => decide('rejected', ids, flags));
}

const UNDO_EXAMPLES = `
Examples:
  proofsheet undo

Undoes the newest decision on the last finished run, of a command or of the report page. Run it again for the one before.
A baseline that changed since is not touched. The next run removes all decisions.
Exit code: 0 done, 2 there is no decision, a baseline was not restored, or an error occurred.`;

/** Adds `proofsheet undo`. */
export function addUndo(program: Command): void {
  const command = program
    .command('undo')
    .description('undo the newest decision: restore the baselines that it replaced')
    .option('--from <folder>', 'report folder (default: proofsheet-report next to the config)')
    .addHelpText('after', UNDO_EXAMPLES);
  addPlaces(command).action(undo);
}

function addChoice(command: Command): Command {
  command
    .argument('[id...]', 'shot IDs or page names')
    .option('--all', 'all changed and new shots')
    .option('--new', 'all new shots')
    .option('--group <n>', 'all shots of this group in the report')
    .option('--project <name>', 'only shots of this project')
    .option('--from <folder>', 'report folder (default: proofsheet-report next to the config)');
  return addPlaces(command);
}

interface DecisionFlags extends ProjectPlaces {
  readonly all?: true;
  readonly new?: true;
  readonly group?: string;
  readonly project?: string;
  readonly force?: true;
  readonly reason?: string;
  readonly json?: true;
}

async function decide(decision: Decision, ids: readonly string[], flags: DecisionFlags): Promise<void> {
  const { all = false, new: isNew = false, group = null, project = null, force = false, reason, json } = flags;
  const choice = { ids, all, new: isNew, group, project };
  const choose: Parameters<typeof applyDecision>[1]['choose'] = (run) => chooseShots(run, choice);
  const decided = await applyDecision(findProject(flags), { decision, choose, force, reason });
  printOutcome(decided, formatDecided(decided, decision), json);
}

async function undo({ json, ...flags }: ProjectPlaces & { readonly json?: true }): Promise<void> {
  const undone = await undoNewest(findProject(flags));
  printOutcome(undone, formatUndone(undone), json);
}

function printOutcome({ written, kept, refused, warnings }: Decided | Undone, text: string, json: true | undefined) {
  warnings.forEach(printRemark);
  const isRefused = refused.length > 0;
  const answer = { status: isRefused ? 'refused' : 'success', error: isRefused, written, kept, refused, warnings };
  if (json) printJson(answer);
  else print(text);
  process.exitCode = isRefused ? 2 : 0;
}

function readReason(value: string): string {
  if (value.length <= MAX_REASON) return value;
  throw new InvalidArgumentError(`Expected at most ${MAX_REASON} characters.`);
}
