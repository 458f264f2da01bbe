import { print } from '../model/index.js';
import { formatLeftovers, formatPruned } from '../report/index.js';
import { prune as pruneBaselines, pruneLeftovers } from '../review/index.js';
import { findProject } from '../run/index.js';
import { command, flag } from './command.js';
import { PLACES } from './flags.js';

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
    print(formatLeftovers(leftovers, yes), json ? process.stderr : process.stdout);
    const pruned = await pruneBaselines(project, yes);
    return {
      json: { ...pruned, leftovers },
      text: formatPruned(pruned),
      exitCode: yes && pruned.kept.length > 0 ? 2 : 0,
    };
  },
});
