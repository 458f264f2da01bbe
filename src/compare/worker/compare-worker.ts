import { toBuffer, WorkerClient, WorkerError } from '../../image/index.js';
import {
  type Comparison,
  type EncodedImage,
  hasChangeDescription,
  type Problem,
  ProofsheetError,
  type Rectangle,
  type ResolvedCompareSettings,
} from '../../model/index.js';
import { compareImages } from '../compare.js';

/** A request to the compare worker. */
export interface CompareRequest {
  readonly before: EncodedImage;
  readonly after: EncodedImage;
  readonly settings: ResolvedCompareSettings;
  readonly ignoredAreas: readonly Rectangle[];
}

/** A response of the compare worker. A ProofsheetError is sent as its `problem`, any other error as `error`. */
export type CompareResponse =
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly error: Error };

/**
 * Runs {@link compareImages} in a worker thread, so that the calling thread stays free. The worker starts with the first two
 * images that differ and ends with Node. If the worker cannot start, or exits before it responds, the comparison runs in the
 * calling thread.
 *
 * @throws ProofsheetError the errors of compareImages
 */
export async function compareInWorker(
  before: EncodedImage,
  after: EncodedImage,
  settings: ResolvedCompareSettings,
  ignoredAreas: readonly Rectangle[],
): Promise<Comparison> {
  const compareHere = () => compareImages(before, after, settings, ignoredAreas);
  if (before.bytes.equals(after.bytes)) return compareHere();
  const response = await client.ask({ before, after, settings, ignoredAreas }).catch((error: unknown) => {
    if (error instanceof WorkerError) return null;
    throw error;
  });
  if (response === null) return compareHere();
  switch (response.kind) {
    case 'compared':
      return withBuffer(response.comparison);
    case 'problem':
      throw new ProofsheetError(response.problem);
    case 'failed':
      throw response.error;
    default:
      return response satisfies never;
  }
}

const client = new WorkerClient<CompareRequest, CompareResponse>('compare-thread');

function withBuffer(comparison: Comparison): Comparison {
  return hasChangeDescription(comparison) ? { ...comparison, diff: toBuffer(comparison.diff) } : comparison;
}
