import { once } from 'node:events';
import { InvalidArgumentError } from 'commander';
import { parseUrl } from '../model/index.js';
import { type Flags, flag, list, type Values, value } from './command.js';

export const JSON_FLAG = { json: flag('print one JSON document') };

export const CONFIG = {
  config: value(
    '<path>',
    'Playwright config or its folder; baseline paths are relative to it (default: the current folder)',
    { short: 'c' },
  ),
  ...JSON_FLAG,
};

export const BASELINES = {
  ...CONFIG,
  baselines: value('<folder>', 'folder that must contain all baselines (default: the folder of the config)'),
};

export const FROM = { from: value('<folder>', 'report folder (default: proofsheet-report next to the config)') };

/** The flags that locate a finished run and its baselines, and `--json`. */
export const PLACES = { ...FROM, ...BASELINES };

/** The flag of a command that runs Playwright. */
export const PROJECTS = { project: list('<name>', 'only this project; repeatable') };

/** Returns the flags that the user set, as fields of a page. */
export function setFlags(flags: Values<Flags>) {
  const isSet = (value: unknown) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => isSet(value)));
}

/** Resolves when the process receives SIGINT, SIGTERM or SIGHUP. Call it before you print that the server is ready. */
export async function untilInterrupted(): Promise<void> {
  await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
}

/** Returns a parser that accepts texts of a form. @param expected - a sentence for the message of the error */
export function readMatching(form: RegExp, expected: string): (value: string) => string {
  return (value) => {
    if (form.test(value)) return value;
    throw new InvalidArgumentError(expected);
  };
}

export function readBetween(min: number, max: number, isWhole = false): (value: string) => number {
  return (value) => {
    const number = Number(value);
    const isRight = value.trim() !== '' && number >= min && number <= max && (!isWhole || Number.isInteger(number));
    if (isRight) return number;
    throw new InvalidArgumentError(`Expected a ${isWhole ? 'whole ' : ''}number, ${min}..${max}.`);
  };
}

export function readCount(min: number, max: number): (value: string) => number {
  return readBetween(min, max, true);
}

export const readPort = readCount(0, 65_535);

export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '');
}
