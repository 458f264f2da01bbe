import { sha256 } from '../baselines/index.js';
import { engineVersion } from '../compare/index.js';
import { explain, nameChanging } from '../explain/index.js';
import {
  type Capture,
  type Cause,
  type CompareSettings,
  type Comparison,
  type ComparisonSummary,
  hasChangeDescription,
  mismatchPercentage,
  PDF_PAGES,
  type ShotRecord,
  type Warning,
  withoutCredentials,
} from '../model/index.js';
import { causeKeyOf } from '../report/index.js';
import type { StoredCapture } from '../reuse/index.js';
import { captureOf, isCompared, type Outcome } from './decide.js';
import { ownShare } from './excluded-areas.js';
import { type Redact, redactHidden } from './redact.js';

/** Describes what a capture and its comparison found, without secrets. For a page that is not captured again, what was found then. */
export function describeFindings(
  outcome: Outcome,
  { threshold, maxDiffPixels, maxDiffPixelRatio, engine }: CompareSettings,
  redact: Redact,
): StoredCapture['findings'] {
  if (outcome.status === 'reused') return outcome.stored.findings;
  const capture = captureOf(outcome);
  const before = isCompared(outcome) ? outcome.before : null;
  const warnings = warningsOf(capture, before?.kind === 'live' ? before.capture : null, before?.comparison);
  return {
    limits: { threshold, maxDiffPixels, maxDiffPixelRatio },
    compared: before?.compared ?? (capture && ownShare(capture)),
    summary: before && summaryOf(before.comparison),
    environment: capture && { ...capture.environment, engine: engineVersion(engine) },
    ...(capture?.hidden && { hidden: redactHidden(capture.hidden, redact) }),
    warnings: warnings.map(({ code, message }) => ({ code, message: redact(message) })),
  };
}

type Warned = Pick<Capture, 'warnings'> | null;

/** Lists the warnings of a page, of the one before, and of their comparison, without credentials. */
export function warningsOf(after: Warned, before: Warned, comparison: Comparison | undefined): Warning[] {
  const pages = comparison && hasChangeDescription(comparison) ? comparison.pages : undefined;
  const warnings = [
    ...(after?.warnings ?? []),
    ...(before?.warnings ?? []).map(({ code, message }) => ({ code, message: `before: ${message}` })),
    ...(pages === undefined ? [] : [{ code: PDF_PAGES, message: pages }]),
  ];
  return warnings.map(({ code, message }) => ({ code, message: withoutCredentials(message) }));
}

/** Returns the counts of a comparison, as a record has them. */
export function summaryOf(comparison: Comparison): ComparisonSummary {
  const { counts } = comparison;
  const aligned = hasChangeDescription(comparison) ? comparison.mismatchPixelsAfterAlignment : null;
  return { ...counts, mismatchPercentage: mismatchPercentage(counts), mismatchPixelsAfterAlignment: aligned };
}

type DescribedChange = Extract<Comparison, { kind: 'different' | 'tolerated' }>;

/** Returns the comparison of a shot that changed, or that did not become stable; null if there is none to describe. */
export function changeOf(outcome: Outcome): DescribedChange | null {
  const comparison = outcome.status === 'unstable' ? outcome.motion : isCompared(outcome) && outcome.before.comparison;
  return comparison && hasChangeDescription(comparison) ? comparison : null;
}

/** Returns where a change is, as a record has it. */
export function changeFieldsOf(comparison: Comparison | null) {
  const change = comparison && hasChangeDescription(comparison) ? comparison : null;
  return {
    regions: [...(change?.regions ?? [])],
    regionPlaces: [...(change?.regionPlaces ?? [])],
    events: change && [...change.contentMoves],
    shifts: change && [...change.shifts],
    columnShifts: change && [...change.columnShifts],
  };
}

/** Returns the causes of a change, or what differs between the last two screenshots of an unstable shot; null if they are not known. */
export function causesOf(outcome: Outcome, redact: Redact): Cause[] | null {
  return findCauses(outcome)?.map((cause) => redactCause(cause, redact)) ?? null;
}

function findCauses(outcome: Outcome): Cause[] | null {
  const change = changeOf(outcome);
  const last = captureOf(outcome)?.structure;
  if (outcome.status === 'unstable' && change && last) {
    // Two loads have two structures. The page of one load has that of its last screenshot.
    const previous = outcome.previousStructure?.structure;
    return previous
      ? explain(previous, last.structure).causes(last.answers, change)
      : nameChanging(last.structure, change);
  }
  if (outcome.status !== 'changed') return null;
  const { before, capture } = outcome;
  const explained =
    before.kind === 'baseline' && before.redraw?.kind === 'changed'
      ? before.redraw.causes
      : change && last && before.explanation?.causes(last.answers, change);
  const wrongTexts = (capture.wrongTexts ?? []).map(({ selector, pattern, text }) =>
    textCause({ kind: 'wrong-text', element: selector, before: pattern, after: text }),
  );
  const { added = [], removed = 0 } = before.textChange ?? {};
  const hiddenTexts = [
    ...added.map(({ element, text }) => textCause({ kind: 'hidden-text', element, before: null, after: text })),
    ...(removed > 0
      ? [{ ...textCause({ kind: 'hidden-text', element: null, before: null, after: null }), elements: removed }]
      : []),
  ];
  const causes = [...wrongTexts, ...hiddenTexts, ...(explained ?? [])];
  return explained || causes.length > 0 ? causes : null;
}

/** A cause that no pixels show. */
function textCause(given: Pick<Cause, 'kind' | 'element' | 'before' | 'after'>): Cause {
  return { ...given, property: null, source: null, certain: true, elements: 1, boxes: [], regions: [], pixels: 0 };
}

function redactCause(cause: Cause, redact: Redact): Cause {
  const orNull = (text: string | null) => text && redact(text);
  const { element, before, after, source } = cause;
  return {
    ...cause,
    ...{ element: orNull(element), before: orNull(before), after: orNull(after) },
    source: source && { ...source, selector: redact(source.selector), file: orNull(source.file) },
  };
}

/** Returns a hash of what changed: of its causes, else of its pixels; null if the shot did not change or the change has no hash. */
export function fingerprintOf(causes: ShotRecord['causes'], outcome: Outcome): string | null {
  if (outcome.status !== 'changed') return null;
  return fingerprintCauses(causes) ?? changeOf(outcome)?.fingerprint ?? null;
}

/**
 * Equal declarations, elements and texts have the same hash, wherever they are and whatever moved because of them.
 * @returns null unless every cause is certain: pixels that nothing explains may differ from shot to shot
 */
export function fingerprintCauses(causes: readonly Cause[] | undefined): string | null {
  if (!causes || causes.length === 0 || causes.some(({ certain }) => !certain)) return null;
  return sha256(JSON.stringify([...new Set(causes.map(causeKeyOf))].sort()));
}
