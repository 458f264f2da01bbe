/** Longest that a found value is shown. */
const LONGEST = 60;

/** Renders a value that was found in a list, shortly: JSON, or a word for what JSON does not show well. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (value === '') return 'an empty text';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object') return cut(JSON.stringify(value));
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `the list ${cut(JSON.stringify(value))}`;
  return Object.keys(value).length === 0 ? 'an empty mapping' : `the mapping ${cut(JSON.stringify(value))}`;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST).join('')}…`;
}
