import type { ShotView } from '../view.js';

/** What of the shots is shown; empty: all. */
export interface Filter {
  readonly status: string;
  readonly project: string;
  readonly viewport: string;
  readonly text: string;
}

/** Shows all. */
export const EVERYTHING: Filter = { status: '', project: '', viewport: '', text: '' };

/** Tells whether a shot is shown. All words of the text must be in what is told of it. */
export function isShown(shot: ShotView, { status, project, viewport, text }: Filter): boolean {
  if (status !== '' && shot.status !== status && !shot.flags.includes(status)) return false;
  if (project !== '' && shot.projectName !== project) return false;
  if (viewport !== '' && shot.viewport !== viewport) return false;
  const told = [shot.name, shot.projectName, shot.reason, ...shot.facts.map((fact) => fact.text)]
    .join(' ')
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => told.includes(word));
}

/** Gives the values that shots have, each once, in the order in which they come; the empty one is a value too. */
export function valuesOf(shots: readonly ShotView[], valuesIn: (shot: ShotView) => readonly string[]): string[] {
  return [...new Set(shots.flatMap(valuesIn))];
}
