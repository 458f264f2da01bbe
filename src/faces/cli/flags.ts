import { ProofsheetError } from '../../model/errors.js';
import { shotFieldsSchema } from '../../model/page-list.js';

/** Reads a number that was typed. A text that is none stays one, to be refused for that. */
export function numberOf(value: string): string | number {
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Gathers the values of a flag that may be repeated. */
export function collect(value: string, values: readonly string[] = []): string[] {
  return [...values, value];
}

/**
 * Reads fields of a page that were typed as flags.
 *
 * @throws ProofsheetError `command-invalid`: what the list says of its fields, said of the flags.
 */
export function tellAsFlags<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    const { where, found, advice } = error.problem;
    throw new ProofsheetError({ code: 'command-invalid', where, found: asFlags(found), advice: asFlags(advice) });
  }
}

/** Gives the flag of a field: `--max-diff-pixels`. */
export function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The list's names, as they are typed here; a word of ordinary English is one only where it is quoted. */
function asFlags(text: string): string {
  const fields = Object.keys(shotFieldsSchema.shape);
  const isOwn = (name: string) => fields.includes(name) && (/[A-Z]/.test(name) || name === 'threshold');
  return text
    .replace(/"(\w+)"/g, (quoted, name: string) => (fields.includes(name) ? flagOf(name) : quoted))
    .replace(/(?<!-)\b[a-z]\w+\b/g, (name) => (isOwn(name) ? flagOf(name) : name));
}
