import type { EngineName } from '../../model/shot.js';
import { closeOdiff, compareByOdiff, odiffVersion } from './odiff.js';
import type { Engine } from './pixel-diff.js';
import { compareByPixelmatch, pixelmatchVersion } from './pixelmatch.js';

/** Returns the function that compares by this engine. */
export function selectEngine(name: EngineName): Engine {
  switch (name) {
    case 'odiff':
      return compareByOdiff;
    case 'pixelmatch':
      return compareByPixelmatch;
    default:
      return name satisfies never;
  }
}

/** Returns an engine and its installed version in words, as the environment of a baseline has it: `pixelmatch 7.2.0`. */
export function engineVersion(name: EngineName): string {
  switch (name) {
    case 'odiff':
      return `odiff ${odiffVersion()}`;
    case 'pixelmatch':
      return `pixelmatch ${pixelmatchVersion()}`;
    default:
      return name satisfies never;
  }
}

/** Ends what engines keep running; a later comparison starts it again. Not needed before Node ends. */
export function closeEngines(): void {
  closeOdiff();
}
