import type { ShotView } from '../../html/view.js';

const APPROVE = 'npx proofsheet approve';

/** The command that approves all shots of a run that can be approved. */
export const APPROVE_ALL_COMMAND = `${APPROVE} --all`;

/** Returns the commands that approve shots, one line per project. Returns null if the name of a shot cannot be typed. */
export function approveCommandFor(shots: readonly ShotView[]): string | null {
  const projects = [...new Set(shots.map(({ quotedProject }) => quotedProject))];
  const lines = projects.map((project) => lineFor(shots.filter(({ quotedProject }) => quotedProject === project)));
  return shots.length === 0 || lines.includes(null) ? null : lines.join('\n');
}

/** Returns the command that approves a group. */
export function approveGroupCommandFor(group: string): string {
  return `${APPROVE} --group ${group}`;
}

function lineFor(shots: readonly ShotView[]): string | null {
  const ids = shots.map(({ quotedId }) => quotedId);
  const project = shots[0]?.quotedProject ?? null;
  if (project === null || ids.includes(null)) return null;
  const option = project === '' ? '' : ` --project ${project}`;
  const separator = shots.some(({ id }) => id.startsWith('-')) ? ' --' : '';
  return `${APPROVE}${option}${separator} ${ids.join(' ')}`;
}
