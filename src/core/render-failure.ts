import type { ShotRecord } from '../model/record.js';
import type { BaselinePath } from './gather-evidence.js';
import type { StagedAttachment } from './stage-images.js';

const UPDATE_COMMAND = 'npx playwright test --update-snapshots';

/** Renders what the test of a shot fails with: what happened, where to look, what to do. */
export function renderFailure(
  record: ShotRecord,
  { path }: BaselinePath,
  attachments: readonly StagedAttachment[],
): string {
  const lines = [`${record.id}: ${record.status}: ${record.reason ?? ''}`, '', `  page      ${record.url}`];
  if (record.baseline) lines.push(`  baseline  ${path}`);
  for (const attachment of attachments) {
    if (attachment.path) lines.push(`  ${roleOf(attachment.name).padEnd(9)} ${attachment.path}`);
  }
  const advice = adviceFor(record);
  return [...lines, ...(advice ? ['', `  ${advice}`] : [])].join('\n');
}

/** Renders, as YAML, where a shot that did not pass differs, and how: for who is to mend it, beside the message. */
export function renderContext({ status, regions, shifts, columnShifts }: ShotRecord): string {
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

function adviceFor(record: ShotRecord): string | null {
  switch (record.status) {
    case 'changed':
      if (!record.baseline) return 'This is a two-state shot: it has no baseline to update.';
      return `If this is how the page should look: ${approveCommand(record)}, or ${UPDATE_COMMAND}`;
    case 'new':
      return record.written
        ? 'Look at it, and run again.'
        : `To take it as the baseline: ${approveCommand(record)}, or ${UPDATE_COMMAND}`;
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

/** A shell would read more than a name in some ids. */
function approveCommand({ id }: ShotRecord): string {
  return `npx proofsheet approve ${/^[\w./@=-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`}`;
}

function roleOf(attachment: string): string {
  const role = /-(expected|actual|diff|previous)\.\w+$/.exec(attachment)?.[1];
  return role === 'expected' ? 'before' : role === 'actual' ? 'after' : (role ?? '');
}
