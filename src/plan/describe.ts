import { isMapping } from './finding.js';

/** Longest that a found value is shown. */
const LONGEST = 60;

/** Renders a value that was found in a list, shortly: JSON, or a word for what JSON does not show well, or is secret. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (value === '') return 'an empty text';
  if (typeof value === 'symbol') return `${value.description} (not shown here)`;
  if (!isMapping(value)) return cut(renderShort(value, 0));
  const kind = Array.isArray(value) ? 'list' : 'mapping';
  return Object.keys(value).length === 0 ? `an empty ${kind}` : `the ${kind} ${cut(renderShort(value, 3))}`;
}

/** Renders the beginning of a value as JSON. Through aliases it may be deeper than JSON.stringify can go. */
function renderShort(value: unknown, depth: number): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 2 * LONGEST));
  if (typeof value === 'symbol') return '***';
  if (!isMapping(value)) return JSON.stringify(value);
  if (depth === 0) return '…';
  const entries = Object.entries(value).slice(0, LONGEST);
  const items = entries.map(([key, item]) => {
    return (Array.isArray(value) ? '' : `${JSON.stringify(key)}:`) + renderShort(item, depth - 1);
  });
  return Array.isArray(value) ? `[${items.join()}]` : `{${items.join()}}`;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST).join('')}…`;
}
