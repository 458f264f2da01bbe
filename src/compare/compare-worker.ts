import { toBuffer, WorkerClient, WorkerError } from '../image/index.js';
import {
  type Comparison,
  type EncodedImage,
  hasChangeDescription,
  type Rectangle,
  type ResolvedCompareSettings,
} from '../model/index.js';
import { compareImages } from './compare.js';

/** A request to the compare worker. */
export interface CompareRequest {
  readonly before: EncodedImage;
  readonly after: EncodedImage;
  readonly settings: ResolvedCompareSettings;
  readonly ignoredAreas: readonly Rectangle[];
}

const client = new WorkerClient<CompareRequest, Comparison>('compare-thread');

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
  try {
    const comparison = await client.ask({ before, after, settings, ignoredAreas });
    return hasChangeDescription(comparison) ? { ...comparison, diff: toBuffer(comparison.diff) } : comparison;
  } catch (cause) {
    if (cause instanceof WorkerError) return compareHere();
    throw cause;
  }
}
