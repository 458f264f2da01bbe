import { encodeMessage, MESSAGE_ATTACHMENT, type Origin } from '../../model/attachments.js';
import type { ShotRecord } from '../../model/run-record.js';
import { renderEnvironmentNotice } from '../../report/format/environment.js';
import { type FailureDetails, formatErrorContext, formatFailure } from './format-failure.js';
import type { StagedAttachment, StagedImages } from './stage-images.js';

/** The result of a shot, in the form that a test runner reports. */
export interface ShotVerdict {
  readonly passed: boolean;
  /** False for a missing baseline: another attempt would pass, because it would find the baseline that this one wrote. */
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
