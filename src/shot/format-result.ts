import {
  type Cause,
  MESSAGE_ATTACHMENT,
  type Origin,
  renderLog,
  renderPlain,
  type ShotMessage,
  type ShotRecord,
} from '../model/index.js';
import { passingTextOf, renderEnvironmentNotice } from '../report/index.js';
import { isGreenOutcome, type Outcome } from './decide.js';
import type { FailureDetails } from './failure-details.js';
import { fingerprintOf } from './findings.js';
import { distinctImages, type ShotImages } from './images.js';

/** The result of a shot, in the form that a test runner reports. */
export interface ShotResult {
  readonly passed: boolean;
  /** False for a missing baseline: a retry ignores the baseline that this attempt wrote, so it cannot pass. */
  readonly mayRetry: boolean;
  /** Why the test is to be skipped: the story leaves the shot out. Null if it is not. */
  readonly skipReason: string | null;
  /** Why the shot did not pass; empty if it passed. */
  readonly message: string;
  /** Where and how the images differ, as YAML. Never empty. */
  readonly errorContext: string;
  /** A notice to print once per run, even if several shots return it; null if there is none. */
  readonly notice: string | null;
  readonly attachments: readonly { name: string; contentType: string; path?: string; body?: Buffer }[];
}

/** Formats a record. All texts and the attached message come from it, so none contains a secret. */
export function formatResult(
  record: ShotRecord,
  outcome: Outcome,
  images: ShotImages,
  { origin, failureDetails }: { readonly origin: Origin; readonly failureDetails: FailureDetails },
): ShotResult {
  const passed = isGreenOutcome(outcome);
  const distinct = distinctImages(images);
  const message: ShotMessage = {
    shot: record,
    images: distinct.map(({ link, attachment }) => ({ link, attachment })),
    fingerprint: fingerprintOf(record.causes, outcome),
    origin,
  };
  return {
    passed,
    mayRetry: record.status !== 'new',
    skipReason: outcome.status === 'skipped' && outcome.reason !== null ? record.reason : null,
    message: passed ? '' : formatFailure(record, failureDetails),
    errorContext: formatErrorContext(record),
    attachments: [
      ...distinct.map(({ attachment: name, contentType, path }) => ({ name, contentType, path })),
      { name: MESSAGE_ATTACHMENT, contentType: 'application/json', body: Buffer.from(JSON.stringify(message)) },
    ],
    notice: renderEnvironmentNotice(record),
  };
}

/** Formats the error message of a failed shot, without image paths: Playwright prints them with the attachments. */
export function formatFailure(record: ShotRecord, details: FailureDetails): string {
  const { id, status, reason, url } = record;
  const isError = status === 'error';
  const advice = adviceFor(record, details);
  // The reason of an error may already name the page, and its stack the list.
  const isNamed = isError && reason?.startsWith(`${url}: `);
  const place = isError || details.place === null ? '' : ` (${details.place} in the page list)`;
  const lines = [
    renderPlain(`${id}: ${status}: ${reason ?? ''}`),
    // Playwright's JUnit reporter writes `<failure>` for an error that names its matcher in this form, otherwise `<error>`.
    ...(isError ? [] : [`expect(page).toMatchBaseline(${JSON.stringify(id)})`]),
    // Playwright treats every line that ends in `:line:column`, or in that and a bracket, as a stack frame. So text follows the position.
    ...(isNamed ? [] : [`page      ${renderPlain(url)}${place}`]),
    ...(advice === null ? [] : [advice]),
    ...(status === 'changed' && details.review ? [details.review] : []),
  ];
  return renderLog(lines.join('\n  '));
}

/** Formats, as YAML, where and how a failed shot differs. It is shown next to the message. */
function formatErrorContext({ status, regions, shifts, columnShifts }: ShotRecord): string {
  return [
    `status: ${status}`,
    ...formatList('regions', regions),
    ...formatList('shifts', shifts ?? []),
    ...formatList('columnShifts', columnShifts ?? []),
  ].join('\n');
}

const MAX_LISTED = 20;

function formatList(name: string, items: readonly object[]): string[] {
  if (items.length === 0) return [];
  const more = items.length > MAX_LISTED ? [`  # and ${items.length - MAX_LISTED} more`] : [];
  return [`${name}:`, ...items.slice(0, MAX_LISTED).map((item) => `  - ${JSON.stringify(item)}`), ...more];
}

function adviceFor(record: ShotRecord, { approve, update }: FailureDetails): string | null {
  const command = approve ?? update;
  switch (record.status) {
    case 'changed':
      if (!record.baseline) return 'This two-state shot compares two URLs. It has no baseline to update.';
      return [...adviceForPassing(record), `If the change is intended, run: ${command}`].join('\n  ');
    case 'new':
      return record.written
        ? 'Check the new baseline, then run the tests again.'
        : `To create the baseline, run: ${command}`;
    case 'unstable':
      return adviceForUnstable(record);
    case 'error':
    case 'passed':
    case 'skipped':
      return null;
    default:
      return record.status satisfies never;
  }
}

function adviceForUnstable(record: ShotRecord): string {
  const { causes = [] } = record;
  const passing = adviceForPassing(record);
  if (passing.length > 0) return passing.join('\n  ');
  const selectors = listElements(causes.filter(({ kind }) => kind !== 'broken')) || 'SELECTOR';
  return [
    `Leave out what changes: mask: [${selectors}], or hide: [${selectors}].`,
    'For dates and countdowns, set `clock`. For content that arrives late, set `delay` or `waitFor`.',
    'Remove `settle: { NAME: false }` if the list switches off what waits for it.',
  ].join('\n  ');
}

/** Says that the loads of a page differ only in texts that differ at each load; empty if they differ in anything else. */
function adviceForPassing({ causes = [] }: ShotRecord): string[] {
  const known = causes.filter(({ kind }) => kind !== 'unexplained');
  const kinds = known.map(passingTextOf);
  if (known.length === 0 || kinds.includes(null)) return [];
  const elements = listElements(known);
  const mask = `mask: [${elements || 'SELECTOR'}]`;
  const text = elements === '' ? 'A text' : `The text of ${elements}`;
  return kinds.includes('time')
    ? [`${text} tells a time. If it differs at each load, set \`clock\`, or leave it out: ${mask}.`]
    : [`${text} contains a generated identifier. If it differs at each load, leave it out: ${mask}.`];
}

function listElements(causes: readonly Cause[]): string {
  const names = [...new Set(causes.flatMap(({ element }) => element ?? []))];
  return names
    .slice(0, 3)
    .map((name) => JSON.stringify(renderPlain(name)))
    .join(', ');
}
