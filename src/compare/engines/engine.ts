import type { EngineName } from '../../model/index.js';
import { compareByOdiff, odiffVersion } from './odiff.js';
import type { Engine } from './pixel-diff.js';
import { compareByPixelmatch, pixelmatchVersion } from './pixelmatch.js';

/** Returns the compare function of an engine. */
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

/** Returns the name and installed version of an engine, as the environment of a baseline records it: `pixelmatch 7.2.0`. */
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
