import type { ShotRecord } from '../../model/run-record.js';

/** What a user can be told about a failed shot besides its record. */
export interface FailureHints {
  /** The shot's place in its list, as `file:line:column`; null: it is no shot of a list. */
  readonly place: string | null;
  /** Path of the baseline, relative to the folder in which the run was started. */
  readonly baseline: string;
  /** Command that makes the captured image the baseline; null where no command can. */
  readonly approve: string | null;
  /** Command that captures again and writes baselines. */
  readonly update: string;
}

/**
 * Renders the error of a failed shot: one block, without the paths of images. Playwright prints those below it, with the
 * attachments.
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
 * Renders the place in the list. Playwright takes every line that ends in `:line:column` for a stack frame, so words follow.
 */
function placeLines(record: ShotRecord, { place }: FailureHints): string[] {
  return isAssertion(record) && place !== null ? [`listed    ${place} (page list)`] : [];
}

/** Does the shot differ from what is expected? All else could not be judged. */
function isAssertion({ status }: ShotRecord): boolean {
  return status === 'changed' || status === 'new' || status === 'unstable';
}

/** Playwright's JUnit reporter writes `<failure>` for an error that names its matcher in this form, else `<error>`. */
function assertionOf({ id }: ShotRecord): string {
  return `expect(page).toMatchBaseline(${JSON.stringify(id)})`;
}

/** Renders, as YAML, where a shot that did not pass differs, and how: for who is to mend it, beside the message. */
export function formatErrorContext({ status, regions, shifts, columnShifts }: ShotRecord): string {
  return [
    `status: ${status}`,
    ...listed('regions', regions),
    ...listed('shifts', shifts ?? []),
    ...listed('columnShifts', columnShifts ?? []),
  ].join('\n');
}

/** Of each: what does not fit in there is in the report. */
const MOST_LISTED = 20;

function listed(name: string, items: readonly object[]): string[] {
  if (items.length === 0) return [];
  const more = items.length > MOST_LISTED ? [`  # and ${items.length - MOST_LISTED} more`] : [];
  return [`${name}:`, ...items.slice(0, MOST_LISTED).map((item) => `  - ${JSON.stringify(item)}`), ...more];
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
