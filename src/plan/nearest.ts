import { closestMatch } from 'leven';

/** Longer than any name that is looked for; to compare takes the product of both lengths. */
const LONGEST = 100;

/** Gives the candidate that was most likely meant, or undefined where none is near. Case does not count. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const maxDistance = Math.max(1, Math.round(name.length * 0.4));
  const folded = candidates.map((candidate) => candidate.toLowerCase());
  const wanted = name.toLowerCase();
  // Letters that changed places are two steps of Levenshtein's, and the most common slip of all.
  const match =
    folded.find((candidate) => sortLetters(candidate) === sortLetters(wanted)) ??
    closestMatch(wanted, folded, { maxDistance });
  return match === undefined ? undefined : candidates[folded.indexOf(match)];
}

/** Renders the advice for a name that is not among those allowed: the nearest one, else all of them. */
export function adviseName(name: string, allowed: readonly string[]): string {
  const near = nearest(name, allowed);
  return near === undefined ? `Allowed: ${allowed.join(', ')}.` : `Did you mean ${JSON.stringify(near)}?`;
}

function sortLetters(word: string): string {
  return [...word].toSorted().join('');
}
