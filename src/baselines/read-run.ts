import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  codeOf,
  describeWrongData,
  messageOf,
  ProofsheetError,
  type RunRecord,
  resolveLink,
  runRecordSchema,
} from '../model/index.js';
import { RESULTS_FILE } from './names.js';
import { isBelow } from './recorded-path.js';

const MAX_MB = 256;

/**
 * Reads the run record of a report folder. The folder is untrusted, so the record is validated against the schema.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`
 */
export async function readRun(folder: string): Promise<RunRecord> {
  const path = join(folder, RESULTS_FILE);
  const { data, error } = runRecordSchema.safeParse(await readJson(path));
  if (data) return data;
  throw invalid(path, describeWrongData(error));
}

/** Returns the path of an image of a report; null if the link points outside the folder or the file does not exist. */
export async function findImage(folder: string, link: string): Promise<string | null> {
  const path = resolveLink(folder, link);
  if (path === null) return null;
  const real = await realpath(path).catch(() => null);
  return real !== null && isBelow(await realpath(folder), real) ? real : null;
}

async function readJson(path: string): Promise<unknown> {
  let text: string | null = null;
  try {
    const { size } = await stat(path);
    if (size <= MAX_MB * 1024 * 1024) text = await readFile(path, 'utf8');
  } catch (cause) {
    const isMissing = codeOf(cause) === 'ENOENT';
    throw new ProofsheetError({
      code: 'run-missing',
      where: path,
      found: isMissing ? 'no report of a finished run was found' : `the report cannot be read (${messageOf(cause)})`,
      advice: 'Run: npx playwright test (the config must contain proofsheet/reporter), or pass the folder of a report.',
    });
  }
  if (text === null) throw invalid(path, `the file is larger than ${MAX_MB} MB`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(path, messageOf(cause));
  }
}

function invalid(where: string, why: string): ProofsheetError {
  return new ProofsheetError({
    code: 'record-invalid',
    where,
    found: `this version of proofsheet cannot read the run record (${why})`,
    advice: 'Run the tests again with this version: npx playwright test',
  });
}
