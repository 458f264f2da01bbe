/** Fields of a page that the list will have, and this version does not. */
const FIELDS: ReadonlySet<string> = new Set([
  'actions',
  'allowShift',
  'base',
  'clock',
  'colorScheme',
  'cookies',
  'element',
  'environment',
  'headers',
  'httpCredentials',
  'ignore',
  'mask',
  'maxSizeDiff',
  'remove',
  'settle',
  'states',
  'storageState',
  'strictMasks',
  'timezone',
  'userAgent',
  'waitFor',
]);

/** Values of fields that this version has. */
const VALUES: Readonly<Record<string, unknown>> = { format: 'pdf', height: null, hideCookie: true };

/** Is it a field of a page that comes in a later version? */
export function isFieldNotYet(field: string): boolean {
  return FIELDS.has(field);
}

/** Is it a value that the field takes in a later version? */
export function isValueNotYet(field: string | number, value: unknown): boolean {
  return Object.hasOwn(VALUES, field) && VALUES[field] === value;
}
