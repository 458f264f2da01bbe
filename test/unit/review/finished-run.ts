import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { embedRecord } from '../../../src/baselines/baseline.js';
import { sha256 } from '../../../src/baselines/names.js';
import { writeRun } from '../../../src/baselines/write-run.js';
import type { BaselineRecord } from '../../../src/model/environment.js';
import type { RunRecord, ShotRecord, Status } from '../../../src/model/run-record.js';
import type { ProjectFolders } from '../../../src/run/project.js';
import { type Hex, png, sheet } from '../image/paint.js';
import { ENVIRONMENT, runOf, shotOf } from '../report/specimens.js';
import { makeTempFolder } from '../temp-folder.js';

export const [RED, BLUE] = ['#ff0000', '#0000ff'] as const;

export interface Specimen {
  readonly id: string;
  readonly status: Status;
  /** The colors of its baseline and of what the run captured; null: there is none. */
  readonly before?: Hex | null;
  readonly after?: Hex | null;
  readonly changes?: Partial<ShotRecord>;
}

/** Gives the file of a baseline of one color, its record inside it, and the packed structure of its page. */
export function baselineOf(
  id: string,
  color: Hex,
  changes: Partial<BaselineRecord> = {},
  structure: Buffer | null = null,
): Buffer {
  const masks = [{ selector: '.clock', rectangles: [{ x: 1, y: 1, width: 2, height: 2 }] }];
  const rest = { project: 'chromium', masks, ignored: [], environment: ENVIRONMENT };
  const record: BaselineRecord = { schemaVersion: 2, id, ...rest, ...changes };
  return embedRecord(png(sheet(8, 6, color)).bytes, record, id, structure);
}

export function pathOf(id: string): string {
  return `shots/${id}.png`;
}

/** Lays out a finished run with its baselines, in a temp folder, as the reporter leaves it. */
export async function finishRun(
  specimens: readonly Specimen[],
  changes: Partial<RunRecord['run']> = {},
): Promise<ProjectFolders> {
  const root = makeTempFolder();
  const folder = join(root, 'proofsheet-report');
  const images: { link: string; from: Buffer }[] = [];
  const shots: ShotRecord[] = [];
  for (const { id, status, before = null, after = null, changes } of specimens) {
    const old = before === null ? null : baselineOf(id, before);
    if (old) await writeAt(join(root, pathOf(id)), old);
    const link = `screenshots/localhost/${shots.length}/1.png`;
    if (after !== null) images.push({ link, from: baselineOf(id, after) });
    shots.push(
      shotOf({
        id,
        page: id,
        status,
        before: null,
        capture: null,
        after: after && { link, width: 8, height: 6, source: id, sha256: sha256(baselineOf(id, after)) },
        baseline: { path: pathOf(id), sha256: old && sha256(old), environment: null },
        ...changes,
      }),
    );
  }
  await writeRun(folder, runOf(shots, changes), images);
  return { root, within: root, folder };
}

export async function writeAt(path: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
