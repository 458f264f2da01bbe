/** Fields of a page that the list will have, and this version does not. */
const FIELDS: ReadonlySet<string> = new Set(['allowShift', 'maxSizeDiff']);

/** Is it a field of a page that comes in a later version? */
export function isFieldNotYet(field: string): boolean {
  return FIELDS.has(field);
}
