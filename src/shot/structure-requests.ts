import { type Baseline, unpackStructure } from '../baselines/index.js';
import { type Explanation, explain } from '../explain/index.js';
import type { Capture, Structure, StructureRequest } from '../model/index.js';
import { withTimeLimit } from '../page/index.js';

/** Maximum time to wait for the structure of the other side, in milliseconds. */
const OTHER_SIDE_MS = 10_000;

/** The request for the structure of a page. It asks for the declarations of what differs from the page before. */
export interface AfterRequest extends StructureRequest {
  /** Returns what explains the difference of a page that was asked, which is found once; null if a structure is not known. */
  explanationOf(capture: Capture): Explanation | null;
}

/**
 * Creates the requests for the structures of two pages that are open at the same time. Call `end` when the capture of the before page has
 * ended, with or without a structure.
 *
 * @param redact - removes secrets from a text
 */
export function exchangeStructures(redact: StructureRequest['redact']): {
  before: StructureRequest;
  after: AfterRequest;
  end(): void;
} {
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
      ...createExplainer(() => withTimeLimit(OTHER_SIDE_MS, delivered, () => null)),
    },
    end: () => deliver(null),
  };
}

/**
 * Creates the request for the structure of a page that is compared with a baseline, or that becomes one. A page that equals its
 * baseline needs none.
 */
export function requestStructure(baseline: Baseline, redact: StructureRequest['redact']): AfterRequest {
  const packed = baseline.kind === 'image' ? baseline.structure : null;
  return {
    redact,
    isNeeded: (image, isStable) => !isStable || baseline.kind !== 'image' || !baseline.image.bytes.equals(image),
    ...createExplainer(async () => packed && unpackStructure(packed)),
  };
}

function createExplainer(readBefore: () => Promise<Structure | null>): Pick<AfterRequest, 'ask' | 'explanationOf'> {
  const found = new WeakMap<Structure, Explanation>();
  return {
    async ask(structure) {
      const before = await readBefore();
      if (!before) return [];
      const explanation = explain(before, structure);
      found.set(structure, explanation);
      return explanation.questions();
    },
    explanationOf: ({ structure }) => (structure && found.get(structure.structure)) ?? null,
  };
}
