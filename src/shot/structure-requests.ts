import { type Baseline, unpackStructure } from '../baselines/index.js';
import { explain } from '../explain/index.js';
import { type Cause, hasChangeDescription, type Structure, type StructureRequest } from '../model/index.js';
import { withTimeLimit } from '../page/index.js';
import type { Compared, Outcome } from './decide.js';

/** Maximum time to wait for the structure of the other side, in milliseconds. */
const OTHER_SIDE_MS = 10_000;

/** The requests for the structures of two pages that are open at the same time. */
export interface StructureExchange {
  readonly before: StructureRequest;
  /** Asks for the declarations of what differs from the before page, once its structure is known. */
  readonly after: StructureRequest;
  /** Call it when the capture of the before page has ended, with or without a structure. */
  end(): void;
}

/**
 * Creates the requests for the structures of both sides of a comparison.
 *
 * @param redact - removes secrets from a text
 */
export function exchangeStructures(redact: StructureRequest['redact']): StructureExchange {
  let deliver: (structure: Structure | null) => void = () => {};
  const delivered = new Promise<Structure | null>((resolve) => {
    deliver = resolve;
  });
  const isNeeded = () => true;
  return {
    before: {
      ...{ isNeeded, redact },
      async ask(structure) {
        deliver(structure);
        return [];
      },
    },
    after: {
      ...{ isNeeded, redact },
      async ask(structure) {
        const before = await withTimeLimit(OTHER_SIDE_MS, delivered, () => null);
        return before ? explain(before, structure).questions() : [];
      },
    },
    end: () => deliver(null),
  };
}

/**
 * Creates the request for the structure of a page that is compared with a baseline, or that becomes one. A page that equals its
 * baseline needs none.
 */
export function requestStructure(baseline: Baseline, redact: StructureRequest['redact']): StructureRequest {
  return {
    redact,
    isNeeded: (image, isStable) => !isStable || baseline.kind !== 'image' || !baseline.image.bytes.equals(image),
    async ask(structure) {
      const packed = baseline.kind === 'image' ? baseline.structure : null;
      const before = packed && unpackStructure(packed);
      return before ? explain(before, structure).questions() : [];
    },
  };
}

/**
 * Returns the causes of a change, or what differs between the last two screenshots of an unstable shot; null if the shot did not change,
 * or if the structure of a side is not known.
 */
export function findCauses(outcome: Outcome): Cause[] | null {
  if (outcome.status === 'unstable') return findChanging(outcome);
  if (outcome.status !== 'changed') return null;
  const { capture, before } = outcome;
  const [one, other] = [structureOf(before), capture.structure];
  if (!one || !other || !hasChangeDescription(before.comparison)) return null;
  return explain(one, other.structure).causes(other.answers, before.comparison);
}

function structureOf(before: Compared['before']): Structure | null {
  if (before.kind === 'live') return before.capture.structure?.structure ?? null;
  return before.structure && unpackStructure(before.structure);
}

/** Two loads have two structures. The page of one load has that of its last screenshot. */
function findChanging({ result, previous, motion }: Extract<Outcome, { status: 'unstable' }>): Cause[] | null {
  const last = result.capture.structure;
  if (!last || !hasChangeDescription(motion)) return null;
  return explain(previous?.structure ?? null, last.structure).causes(last.answers, motion);
}
