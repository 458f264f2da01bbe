import { readFileSync } from 'node:fs';
import { UPGRADE_VARIABLE, type Upgrade, upgradeSchema } from '../model/index.js';
import type { RunnerContext } from '../shot/index.js';

/** Reads what this run does for `proofsheet upgrade`; null: it is another run. */
export function readUpgrade(): Upgrade | null {
  const file = process.env[UPGRADE_VARIABLE];
  return file === undefined ? null : upgradeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Returns the policy of a shot: none is written with the earlier browser, and with the current one, the proven ones are. */
export function policyFor(
  { id, project }: { id: string; project: string },
  { proven }: Upgrade,
): RunnerContext['policy'] {
  const isProven = proven?.some((one) => one.id === id && one.project === project) ?? false;
  const isLeftOut = proven !== null && !isProven;
  return { mode: isProven ? 'all' : 'none', ci: true, ignoreSnapshots: isLeftOut };
}
