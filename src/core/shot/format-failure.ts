import type { ShotRecord } from '../../model/run-record.js';

/** Data for the message about a failed shot that its record does not contain. */
export interface FailureHints {
  /** The position of the shot in its list, as `file:line:column`; null if the shot is not from a list. */
  readonly place: string | null;
  /** Path of the baseline, relative to the working directory. */
  readonly baseline: string;
  /** Command that approves the captured image; null if no command can. */
  readonly approve: string | null;
  /** Command that captures again and writes baselines. */
  readonly update: string;
}

/**
 * Formats the error message of a failed shot as one block. It contains no image paths, because Playwright prints them below the
 * message with the attachments.
 */
export function formatFailure(record: ShotRecord, hints: FailureHints): string {
  const advice = adviceFor(record, hints);
  return [
    `${record.id}: ${record.status}: ${record.reason ?? ''}`,
    ...(isAssertion(record) ? [assertionOf(record)] : []),
    `page      ${record.url}`,
    ...placeLines(record, hints),
    ...(record.baseline ? [`baseline  ${hints.baseline}`] : []),
    ...(advice === null ? [] : [advice]),
  ].join('\n  ');
}

/**
 * Formats the position in the list. Playwright treats every line that ends in `:line:column` as a stack frame, so text follows
 * the position.
 */
function placeLines(record: ShotRecord, { place }: FailureHints): string[] {
  return isAssertion(record) && place !== null ? [`listed    ${place} (page list)`] : [];
}

/** Checks whether the shot differs from what is expected, as opposed to an error that prevents a result. */
function isAssertion({ status }: ShotRecord): boolean {
  return status === 'changed' || status === 'new' || status === 'unstable';
}

/** Playwright's JUnit reporter writes `<failure>` for an error that names its matcher in this form, otherwise `<error>`. */
function assertionOf({ id }: ShotRecord): string {
  return `expect(page).toMatchBaseline(${JSON.stringify(id)})`;
}

/** Formats, as YAML, where and how a failed shot differs. It is shown next to the message. */
export function formatErrorContext({ status, regions, shifts, columnShifts }: ShotRecord): string {
  return [
    `status: ${status}`,
    ...formatList('regions', regions),
    ...formatList('shifts', shifts ?? []),
    ...formatList('columnShifts', columnShifts ?? []),
  ].join('\n');
}

/** Maximum number of items per list. The report contains all of them. */
const MAX_LISTED = 20;

function formatList(name: string, items: readonly object[]): string[] {
  if (items.length === 0) return [];
  const more = items.length > MAX_LISTED ? [`  # and ${items.length - MAX_LISTED} more`] : [];
  return [`${name}:`, ...items.slice(0, MAX_LISTED).map((item) => `  - ${JSON.stringify(item)}`), ...more];
}

function adviceFor(record: ShotRecord, { approve, update }: FailureHints): string | null {
  const commands = approve === null ? update : `${approve}, or ${update}`;
  switch (record.status) {
    case 'changed':
      if (!record.baseline) return 'This is a two-state shot: it has no baseline to update.';
      return `If this is how the page should look: ${commands}`;
    case 'new':
      return record.written ? 'Look at it, and run again.' : `To take it as the baseline: ${commands}`;
    case 'unstable':
      return 'Hide what moves with `hide`, or wait for it with `delay`.';
    case 'error':
    case 'passed':
    case 'skipped':
      return null;
    default:
      return record.status satisfies never;
  }
}
