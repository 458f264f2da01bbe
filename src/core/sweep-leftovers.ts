import { dirname } from 'node:path';
import type { RunRecord } from '../model/record.js';
import { findBaseline } from '../record/baseline-path.js';
import { sweep } from '../record/temporary.js';
import type { Places } from './decide-shots.js';

/** Removes what killed processes left beside the baselines of a run, and in its report. */
export async function sweepLeftovers(places: Places, { shots }: Pick<RunRecord, 'shots'>): Promise<void> {
  const folders = new Map(shots.flatMap(({ baseline }) => (baseline ? [[dirname(baseline.path), baseline.path]] : [])));
  // The record may come from anywhere.
  const found = await Promise.all([...folders.values()].map((path) => findBaseline(places, path)));
  const inside = found.flatMap((place) => (place.kind === 'inside' ? [dirname(place.path)] : []));
  await sweep([...inside, places.folder]);
}
