import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  baselinePathOf,
  DECISIONS_FOLDER,
  makeFolder,
  readBaseline,
  removeBaseline,
  replaceFile,
  sha256,
  writeBaseline,
} from '../baselines/index.js';
import { messageOf, parseJson, type Replaced, type RunRecord, replacedSchema, shotKey } from '../model/index.js';
import { isOwnReport, type ProjectFolders } from '../run/index.js';

/*
 * The journal of a report: one file for each decision on its run, with what the decision replaced, and one file for each
 * baseline that was replaced or removed, named by its SHA-256. It is a folder of the report, so it lasts until the next run. The page,
 * the commands and all windows share it. The caller holds `lockReport`.
 */

const entrySchema = z.strictObject({ startedAt: z.string(), shots: z.array(replacedSchema).min(1) });

export interface JournalEntry {
  /** Sorts in the order of the decisions. No other decision ever has it. */
  readonly id: string;
  readonly shots: readonly Replaced[];
}

/** Reads the decisions on a run, the oldest first. A file that is damaged or of another run is ignored. */
export async function readJournal(folder: string, { startedAt }: RunRecord): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (const id of await listIds(folder)) {
    const text = await readFile(pathOf(folder, `${id}.json`), 'utf8').catch(() => '');
    const { data } = entrySchema.safeParse(parseJson(text));
    if (data?.startedAt === startedAt) entries.push({ id, shots: data.shots });
  }
  return entries;
}

/** Returns the id of the newest decision on a run; null if there is none. */
export async function findNewest(folder: string, run: RunRecord): Promise<string | null> {
  return (await readJournal(folder, run)).at(-1)?.id ?? null;
}

/** Adds a decision. @returns its id @throws the error of the file system */
export async function addEntry(folder: string, run: RunRecord, shots: readonly Replaced[]): Promise<string> {
  const last = Number((await listIds(folder)).at(-1)?.slice(0, 6) ?? 0);
  const id = `${String(last + 1).padStart(6, '0')}-${randomBytes(6).toString('hex')}`;
  await writeEntry(folder, run, { id, shots });
  return id;
}

/** Replaces what is left of a decision; removes the decision if nothing is left. @throws the error of the file system */
export async function writeEntry(folder: string, { startedAt }: RunRecord, { id, shots }: JournalEntry): Promise<void> {
  const path = pathOf(folder, `${id}.json`);
  if (shots.length === 0) return rm(path, { force: true });
  makeFolder(pathOf(folder), new Set([folder]));
  await replaceFile(path, JSON.stringify({ startedAt, shots }));
}

/** The exchange of one baseline. `before` must be the file on the disk now; `after` is kept in the journal. Null: there is no file. */
export type Exchange = NonNullable<Replaced['baseline']>;

export function reverse({ path, before, after }: Exchange): Exchange {
  return { path, before: after, after: before };
}

/**
 * Replaces a baseline that a decision wrote by a file of the journal, or removes it.
 *
 * @returns why this was not done, or null. `isFinal`: it cannot be done later, either.
 */
export async function exchange(
  places: ProjectFolders,
  shot: Pick<Replaced, 'project' | 'id'>,
  { path, before, after }: Exchange,
): Promise<{ readonly why: string; readonly isFinal: boolean } | null> {
  const place = await baselinePathOf(places, path);
  if (place.kind === 'outside') return { why: place.why, isFinal: true };
  const now = await readBaseline(place.path, place.format, path);
  const found = now.kind === 'image' ? now.sha256 : null;
  // The journal of a report from elsewhere can name any file.
  const isOurs = now.kind !== 'image' || (now.record ? shotKey(now.record) === shotKey(shot) : isOwnReport(places));
  if (now.kind === 'damaged' || found !== before || !isOurs) {
    return { why: 'the baseline changed after the decision', isFinal: true };
  }
  try {
    if (after !== null) await writeBaseline(place.path, await readKept(places.folder, after), path);
    else if (before !== null) await removeBaseline(place.path);
    return null;
  } catch (cause) {
    return { why: `the baseline cannot be restored (${messageOf(cause)})`, isFinal: false };
  }
}

/** Keeps the content of a file. @returns its SHA-256 @throws the error of the file system */
export async function keepFile(folder: string, bytes: Buffer): Promise<string> {
  const name = sha256(bytes);
  makeFolder(pathOf(folder), new Set([folder]));
  await replaceFile(pathOf(folder, name), bytes);
  return name;
}

async function readKept(folder: string, name: string): Promise<Buffer> {
  const bytes = await readFile(pathOf(folder, name));
  if (sha256(bytes) !== name) throw new Error(`${pathOf(folder, name)} is damaged`);
  return bytes;
}

async function listIds(folder: string): Promise<string[]> {
  const names = await readdir(pathOf(folder)).catch(() => []);
  return names.flatMap((name) => /^(\d{6}-[\da-f]{12})\.json$/.exec(name)?.[1] ?? []).sort();
}

function pathOf(folder: string, name = ''): string {
  return join(folder, DECISIONS_FOLDER, name);
}
