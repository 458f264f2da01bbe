import { ProofsheetError } from '../model/errors.js';
import { renderPercentage } from '../report/words.js';
import { ownShare } from './exclusions.js';
import type { Outcome, Policy } from './outcome.js';

/** What a shot demands of its comparison. */
export interface Coverage {
  readonly url: string;
  /** The least share of pixels that has to be compared, 0..1. */
  readonly minCompared: number;
}

/**
 * Refuses to judge an image of which too little is compared. Where only the baseline's rectangles are too large, a run that
 * updates baselines writes a new one.
 */
export function refuseMasked(outcome: Outcome, { url, minCompared }: Coverage, { mode }: Policy): Outcome {
  if (outcome.status !== 'new' && outcome.status !== 'passed' && outcome.status !== 'changed') return outcome;
  const { capture } = outcome;
  const own = ownShare(capture);
  const compared = 'before' in outcome ? outcome.before.compared : own;
  if (compared >= minCompared) return outcome;
  if ('before' in outcome && outcome.before.kind === 'baseline' && own >= minCompared) {
    if (mode === 'all' || mode === 'changed') return { ...outcome, write: true };
    return refuse(capture, url, `${told(compared, minCompared)}, by the rectangles of its baseline`, REWRITE);
  }
  return refuse(capture, url, told(compared, minCompared), NARROW);

  function refuse(of: typeof capture, where: string, found: string, advice: string): Outcome {
    return { status: 'error', error: new ProofsheetError({ code: 'page-masked', where, found, advice }), capture: of };
  }
}

const NARROW = 'Narrow `mask` and `ignore`, or set `minCompared`.';
const REWRITE = 'Look at the page, and make the baseline again: npx playwright test --update-snapshots';

function told(compared: number, minCompared: number): string {
  return `\`mask\` and \`ignore\` leave ${renderPercentage(100 * compared)} of the pixels to compare, at least ${renderPercentage(100 * minCompared)} are needed`;
}
