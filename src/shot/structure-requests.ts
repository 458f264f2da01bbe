import { type Baseline, unpackStructure } from '../baselines/index.js';
import { type Explanation, explain } from '../explain/index.js';
import type { Structure, StructureRequest } from '../model/index.js';
import { withTimeLimit } from '../page/index.js';

/** Maximum time to wait for the structure of the other side, in milliseconds. */
const OTHER_SIDE_MS = 10_000;

/** The request for the structure of one load of a page. It asks for the declarations of what differs from the page before. */
export interface AfterRequest extends StructureRequest {
  /** Returns what explains the difference, which is found once; null if a structure is not known. */
  explanation(): Explanation | null;
}

/** Creates the requests for the structures of two pages that are open at the same time. Call `end` when the capture of `before` has ended. */
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
    after: askAfter({ isNeeded, redact }, () => withTimeLimit(OTHER_SIDE_MS, delivered, () => null)),
    end: () => deliver(null),
  };
}

/** Creates the request for the structure of a page that is compared with a baseline. One that equals its baseline needs none. */
export function requestStructure(baseline: Baseline, redact: StructureRequest['redact']): AfterRequest {
  const packed = baseline.kind === 'image' ? baseline.structure : null;
  const isNeeded: StructureRequest['isNeeded'] = (image, isStable) =>
    !isStable || baseline.kind !== 'image' || !baseline.image.bytes.equals(image);
  return askAfter({ isNeeded, redact }, async () => packed && unpackStructure(packed));
}

function askAfter(
  request: Pick<StructureRequest, 'isNeeded' | 'redact'>,
  readBefore: () => Promise<Structure | null>,
): AfterRequest {
  let explanation: Explanation | null = null;
  return {
    ...request,
    async ask(structure) {
      const before = await readBefore();
      explanation = before && explain(before, structure);
      return explanation?.questions() ?? [];
    },
    explanation: () => explanation,
  };
}
