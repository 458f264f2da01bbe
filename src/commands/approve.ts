import { InvalidArgumentError } from 'commander';
import { type Decided, type Decision, MAX_REASON, print, type RunRecord, type Undone } from '../model/index.js';
import { renderDecided, renderLeftovers, renderPruned } from '../report/index.js';
import { applyDecision, chooseShots, prune as pruneBaselines, pruneLeftovers, undoNewest } from '../review/index.js';
import { findProject } from '../run/index.js';
import { type Answer, command, flag, type Values, value } from './command.js';
import { PLACES } from './flags.js';

const IDS = { '[id...]': 'shot IDs or page names' };

const CHOICE = {
  all: flag('all changed and new shots'),
  new: flag('all new shots'),
  group: value('<n>', 'all shots of this group in the report'),
  project: value('<name>', 'only shots of this project'),
  ...PLACES,
};

export const approve = command({
  name: 'approve',
  description: 'update baselines with the screenshots of the last finished run or of a downloaded report',
  args: IDS,
  flags: { force: flag('skip the checks of the baseline on disk, of its folder and for a later run'), ...CHOICE },
  help: `  proofsheet approve pricing docs/intro
  proofsheet approve --group 1
  proofsheet approve --all --from ~/Downloads/proofsheet-report

An ID is a shot ID, or a page name for all shots of the page. The screenshots come from the run; no page is captured again.
Baselines of passed shots do not change. Shots with the status error or unstable are refused.
Exit code: 0 done, 2 a shot was refused or an error occurred.`,
  run: (flags, ids) => decide('approved', ids, flags),
});

export const reject = command({
  name: 'reject',
  description: 'mark changes of the last finished run as bugs, with a reason',
  args: IDS,
  flags: { reason: value('<text>', 'why the shots are rejected', { read: readReason }), ...CHOICE },
  help: `  proofsheet reject pricing --reason "the price must stay"
  proofsheet reject --group 1

Marks changes as bugs in the report. The baseline of an approved shot is restored. If the same change comes again in the next run, the report says
who rejected it, when and why.
Exit code: 0 done, 2 a shot was refused or an error occurred.`,
  run: (flags, ids) => decide('rejected', ids, flags),
});

export const undo = command({
  name: 'undo',
  description: 'undo the newest decision: restore the baselines that it replaced',
  flags: PLACES,
  help: `  proofsheet undo

Undoes the newest decision on the last finished run, of a command or of the report page. Run it again for the one before.
A baseline that changed since is not touched. The next run removes all decisions.
Exit code: 0 done, 2 there is no decision, a baseline was not restored, or an error occurred.`,
  async run(flags) {
    const undone = await undoNewest(findProject(flags));
    return answerOf(undone, renderDecided(undone, 'undone'));
  },
});

export const prune = command({
  name: 'prune',
  description: 'list or delete obsolete baselines: those that no shot uses',
  flags: { yes: flag('delete the obsolete baselines', { short: 'y' }), ...PLACES },
  help: `  proofsheet prune
  proofsheet prune --yes

A baseline is obsolete if no shot uses it. Only files with an embedded baseline record are listed or deleted,
and only those of this platform and of projects that ran.
The last run must include all tests that exist now. Playwright lists them (playwright test --list).
Temporary files that killed processes left below the folder of the config are listed or deleted, too, after any run.
Exit code: 0 done, 2 a baseline was not deleted or an error occurred.`,
  async run({ yes, json, ...places }) {
    const project = findProject(places);
    // First, because the obsolete baselines can be unknown. Then the JSON document is that of the error.
    const leftovers = await pruneLeftovers(project, yes);
    print(renderLeftovers(leftovers, yes), json ? process.stderr : process.stdout);
    const pruned = await pruneBaselines(project, yes);
    const exitCode = yes && pruned.kept.length > 0 ? 2 : 0;
    return { json: { ...pruned, leftovers }, text: renderPruned(pruned), exitCode };
  },
});

type DecisionFlags = Values<typeof CHOICE> & { readonly force?: boolean; readonly reason?: string | null };

async function decide(decision: Decision, ids: readonly string[], flags: DecisionFlags): Promise<Answer> {
  const { force = false, reason, group, ...places } = flags;
  const groups = group === null ? [] : [group];
  const choose = (run: RunRecord) => chooseShots(run, { ids, groups, ...places });
  const decided = await applyDecision(findProject(flags), { decision, choose, force, reason });
  return answerOf(decided, renderDecided(decided, decision));
}

function answerOf({ written, kept, refused, warnings }: Decided | Undone, text: string): Answer {
  const failure = refused.length > 0 ? 'refused' : null;
  return { json: { written, kept, refused, warnings }, text, remarks: warnings, failure };
}

function readReason(value: string): string {
  if (value.length <= MAX_REASON) return value;
  throw new InvalidArgumentError(`Expected at most ${MAX_REASON} characters.`);
}
