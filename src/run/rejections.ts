import { lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { replaceFile } from '../baselines/index.js';
import {
  messageOf,
  parseJson,
  type RunRecord,
  renderJson,
  type ShotRecord,
  shotKey,
  shotRecordSchema,
} from '../model/index.js';
import { needsReview } from '../report/index.js';

/** The file beside the config that keeps rejections. Once it is committed, runs on all machines and in CI know them. */
const REJECTIONS_FILE = 'proofsheet-rejections.json';

const { project, id, rejection } = shotRecordSchema.shape;

const rejectionsSchema = z.array(
  z.strictObject({
    ...{ project, id, ...rejection.unwrap().shape },
    before: z.string().nullable().describe('SHA-256 of the baseline; null: there was none'),
    after: z.string().describe('SHA-256 of the after image'),
  }),
);

/** A change that was rejected: two images of a shot. */
export type Rejection = z.infer<typeof rejectionsSchema>[number];

/** Reads the rejections of a project. A missing or damaged file has none. @param root the folder of the config */
export async function readRejections(root: string): Promise<readonly Rejection[]> {
  const text = await readFile(join(root, REJECTIONS_FILE), 'utf8').catch(() => '');
  return rejectionsSchema.safeParse(parseJson(text)).data ?? [];
}

/** Marks the changes that were rejected in an earlier run and came again: the same baseline and the same after image. */
export function markRejections(run: RunRecord, rejections: readonly Rejection[]): RunRecord {
  const known = new Map(rejections.map((one) => [changeOf(one), one]));
  const shots = run.shots.map((shot) => {
    const found = needsReview(shot) ? known.get(changeOf(placeOf(shot))) : undefined;
    return found ? { ...shot, rejection: { by: found.by, at: found.at, reason: found.reason } } : shot;
  });
  return { ...run, shots };
}

/** Stores the rejections of a run, and keeps those of shots that it did not test. Returns why this failed, or null. */
export async function storeRejections(root: string, { shots }: RunRecord): Promise<string | null> {
  const before = await readRejections(root);
  const tested = new Set(shots.map(shotKey));
  const ofRun = shots.flatMap((shot) => {
    const { after, ...change } = placeOf(shot);
    return shot.rejection && after !== null ? [{ ...change, after, ...shot.rejection }] : [];
  });
  const now = [...before.filter((one) => !tested.has(shotKey(one))), ...ofRun];
  now.sort((a, b) => (shotKey(a) < shotKey(b) ? -1 : 1));
  if (isDeepStrictEqual(now, before)) return null;
  const path = join(root, REJECTIONS_FILE);
  try {
    // In a branch of somebody else, the file can be a link: nothing may be written through it.
    if (now.length === 0 || (await lstat(path).catch(() => null))?.isSymbolicLink()) await rm(path, { force: true });
    if (now.length > 0) await replaceFile(path, `${renderJson(now, 2)}\n`);
    return null;
  } catch (error) {
    return `${REJECTIONS_FILE} cannot be written (${messageOf(error)})`;
  }
}

function placeOf({ project, id, baseline, after }: ShotRecord) {
  return { project, id, before: baseline?.sha256 ?? null, after: after?.sha256 ?? null };
}

function changeOf({ project, id, before, after }: ReturnType<typeof placeOf>): string {
  return JSON.stringify([project, id, before, after]);
}
