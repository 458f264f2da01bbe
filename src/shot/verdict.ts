import { createHash } from 'node:crypto';
import {
  type Cause,
  encodeMessage,
  hasChangeDescription,
  MESSAGE_ATTACHMENT,
  type Origin,
  type ShotRecord,
} from '../model/index.js';
import { renderEnvironmentNotice } from '../report/index.js';
import type { Outcome } from './decide.js';
import { type FailureDetails, formatErrorContext, formatFailure } from './format-failure.js';
import type { StagedAttachment, StagedImages } from './stage-images.js';

/** The result of a shot, in the form that a test runner reports. */
export interface ShotVerdict {
  readonly passed: boolean;
  /** False for a missing baseline: a retry ignores the baseline that this attempt wrote, so it cannot pass. */
  readonly retry: boolean;
  /** Why the shot did not pass; empty if it passed. */
  readonly message: string;
  /** Where and how the images differ, as YAML. Never empty. */
  readonly context: string;
  /** A notice to print once per run, even if several shots return it; null if there is none. */
  readonly notice: string | null;
  readonly attachments: readonly StagedAttachment[];
}

/** The data of a verdict that the record does not contain. */
export interface VerdictContext {
  readonly origin: Origin;
  readonly failureDetails: FailureDetails;
  /** A hash of the change; null if there is none. */
  readonly fingerprint: string | null;
}

/** Formats a redacted record. All texts and the attached message come from the record, so none contains a secret. */
export function formatVerdict(
  record: ShotRecord,
  passed: boolean,
  staged: StagedImages,
  { origin, failureDetails, fingerprint }: VerdictContext,
): ShotVerdict {
  const message = encodeMessage({
    shot: record,
    images: staged.placements,
    fingerprint,
    origin,
  });
  return {
    passed,
    retry: record.status !== 'new',
    message: passed ? '' : formatFailure(record, failureDetails),
    context: formatErrorContext(record),
    notice: renderEnvironmentNotice(record),
    attachments: [
      ...staged.attachments,
      { name: MESSAGE_ATTACHMENT, contentType: 'application/json', body: Buffer.from(message) },
    ],
  };
}

/** Returns a hash of what changed; null if the shot did not change or the change has no hash. Causes come before pixels. */
export function fingerprintOf(record: ShotRecord, outcome: Outcome): string | null {
  const causes = outcome.status === 'changed' ? fingerprintCauses(record.causes) : null;
  if (causes !== null) return causes;
  const comparison = outcome.status === 'changed' ? outcome.before.comparison : null;
  return comparison && hasChangeDescription(comparison) ? comparison.fingerprint : null;
}

/**
 * Returns a hash of the causes of a change. Two shots have the same hash if the same declarations, elements and texts changed in the same
 * way, wherever they are and whatever moved because of them.
 *
 * @returns null unless every cause is certain: pixels that nothing explains may differ from shot to shot.
 */
export function fingerprintCauses(causes: readonly Cause[] | undefined): string | null {
  if (!causes || causes.length === 0 || causes.some(({ certain }) => !certain)) return null;
  const changes = causes.map(({ kind, element, property, before, after, source }) => {
    // A declaration in a style sheet is the same one on each page. A document of its own has other lines.
    const declaration = source?.file ? source : element;
    return JSON.stringify([kind, property, before, after, declaration]);
  });
  return createHash('sha256')
    .update(JSON.stringify([...new Set(changes)].sort()))
    .digest('hex');
}
