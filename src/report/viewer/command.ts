import type { ShotView } from '../view.js';

const APPROVE = 'npx proofsheet approve';

/** Gives what is to be typed to approve shots, a line for each project; null where an id cannot be typed. */
export function commandFor(shots: readonly ShotView[]): string | null {
  const projects = [...new Set(shots.map(({ quotedProject }) => quotedProject))];
  const lines = projects.map((project) => lineFor(shots.filter(({ quotedProject }) => quotedProject === project)));
  return shots.length === 0 || lines.includes(null) ? null : lines.join('\n');
}

/** Is what is to be typed to approve all that can be. */
export const COMMAND_FOR_ALL = `${APPROVE} --all`;

/** Gives what is to be typed to approve a group. */
export function commandForGroup(group: string): string {
  return `${APPROVE} --group ${group}`;
}

function lineFor(shots: readonly ShotView[]): string | null {
  const ids = shots.map(({ quotedId }) => quotedId);
  const project = shots[0]?.quotedProject ?? null;
  if (project === null || ids.includes(null)) return null;
  const only = project === '' ? '' : ` --project ${project}`;
  const separator = shots.some(({ id }) => id.startsWith('-')) ? ' --' : '';
  return `${APPROVE}${only}${separator} ${ids.join(' ')}`;
}
