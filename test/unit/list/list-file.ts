import { join } from 'node:path';
import { readPlan } from '../../../src/list/read-list.js';
import type { ProofsheetError } from '../../../src/model/errors.js';
import type { Plan, PlannedShot } from '../../../src/model/shot.js';
import { makeTempFolder } from '../temp-folder.js';

/** The devices that the tests' lists may name. */
export const DEVICES = ['iPhone 15', 'iPhone 15 Pro', 'Pixel 7', 'Desktop Chrome'];

type Variables = Record<string, string | undefined>;

/** Writes a list into a folder of its own, as `pages.yaml`; gives its path. */
export function writeList(text: string | Uint8Array): string {
  return join(makeTempFolder({ 'pages.yaml': text }), 'pages.yaml');
}

export function planOf(text: string, env: Variables = {}): Plan {
  return readPlan(writeList(text), { env, devices: DEVICES });
}

export function shotsOf(text: string, env: Variables = {}): readonly PlannedShot[] {
  return planOf(text, env).shots;
}

export function shotOf(text: string, env: Variables = {}): PlannedShot {
  const [shot, ...others] = shotsOf(text, env);
  if (!shot || others.length > 0) throw new Error('expected one shot');
  return shot;
}

export function refusalOf(
  file: string,
  env: Variables = {},
): { message: string; errors: readonly ProofsheetError[]; stack?: string } {
  try {
    readPlan(file, { env, devices: DEVICES });
  } catch (error) {
    if (error instanceof AggregateError) return error;
    throw error;
  }
  throw new Error('the list was accepted');
}

/** Reads a list that is wrong, and gives its messages, each after its file's folder: `pages.yaml:1:1: ...`. */
export function messagesOf(text: string | Uint8Array, env: Variables = {}): string[] {
  const file = writeList(text);
  const folder = file.slice(0, -'pages.yaml'.length);
  return refusalOf(file, env).errors.map(({ message }) => message.replaceAll(folder, ''));
}
