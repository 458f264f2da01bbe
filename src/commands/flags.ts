import { InvalidArgumentError } from 'commander';
import { invalidCommand, ProofsheetError, parseUrl, shotFieldsSchema } from '../model/index.js';
import { type Flags, flag, flagOf, list, type Values, value } from './command.js';

export const JSON_FLAG = { json: flag('print one JSON document') };

/** The flags that locate the project, and `--json`. */
export const CONFIG = {
  config: value(
    '<path>',
    'Playwright config or its folder; baseline paths are relative to it (default: the current folder)',
    { short: 'c' },
  ),
  ...JSON_FLAG,
};

/** The flags that locate the baselines of a run, and `--json`. */
export const BASELINES = {
  ...CONFIG,
  baselines: value('<folder>', 'folder that must contain all baselines (default: the folder of the config)'),
};

export const FROM = { from: value('<folder>', 'report folder (default: proofsheet-report next to the config)') };

/** The flags that locate a finished run and its baselines, and `--json`. */
export const PLACES = { ...FROM, ...BASELINES };

/** The flag of a command that runs Playwright. */
export const PROJECTS = { project: list('<name>', 'only this project; repeatable') };

/** Parses a number. Returns other text unchanged, so that validation rejects it. */
export function numberOf(value: string): string | number {
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Returns the flags that the user set, to be read as fields of a page. */
export function setFlags(flags: Values<Flags>) {
  const isSet = (value: unknown) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => isSet(value)));
}

/**
 * Runs `read`, which validates page fields. Rewrites its errors to name flags instead of fields.
 *
 * @throws ProofsheetError `command-invalid`
 */
export function describeAsFlags<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    const { where, found, advice } = error.problem;
    throw invalidCommand(where, asFlags(found), asFlags(advice));
  }
}

/** Replaces field names by flags. Replaces names that are English words, such as "width", only in quotes. */
function asFlags(text: string): string {
  const fields = Object.keys(shotFieldsSchema.shape);
  const isFieldName = (name: string) => fields.includes(name) && (/[A-Z]/.test(name) || name === 'threshold');
  return text
    .replace(/"(\w+)"/g, (quoted, name: string) => (fields.includes(name) ? flagOf(name) : quoted))
    .replace(/(?<!-)\b[a-z]\w+\b/g, (name) => (isFieldName(name) ? flagOf(name) : name));
}

/** Resolves when the process receives SIGINT, SIGTERM or SIGHUP. Call it before you print that the server is ready. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

/** Returns a parser that accepts texts of a form. @param expected - a sentence for the message of the error */
export function readMatching(form: RegExp, expected: string): (value: string) => string {
  return (value) => {
    if (form.test(value)) return value;
    throw new InvalidArgumentError(expected);
  };
}

/** Returns a parser of numbers from `min` to `max`. */
export function readBetween(min: number, max: number, isWhole = false): (value: string) => number {
  return (value) => {
    const number = Number(value);
    const isRight = value.trim() !== '' && number >= min && number <= max && (!isWhole || Number.isInteger(number));
    if (isRight) return number;
    throw new InvalidArgumentError(`Expected a ${isWhole ? 'whole ' : ''}number, ${min}..${max}.`);
  };
}

/** Returns a parser of whole numbers from `min` to `max`. */
export function readCount(min: number, max: number): (value: string) => number {
  return readBetween(min, max, true);
}

/** Parses a port number. */
export const readPort = readCount(0, 65_535);

/** Checks whether a text is an absolute http:// or https:// URL. */
export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '');
}
