import type { RunSummary, ShotDetails } from '../model/assistant.js';
import { renderProblem } from '../model/errors.js';
import type { RunRecord, ShotRecord } from '../model/record.js';
import { renderReason } from './reason.js';
import { renderStory } from './story.js';
import { isAmiss, isGreen, renderVerdict } from './verdict.js';

/** So many shots are told. */
const MOST_SHOTS = 200;

/** Sums up a run for an assistant: what did not pass, or all of it. */
export function summariseRun(record: RunRecord, all: boolean): RunSummary {
  const shots = record.shots.filter((shot) => all || isAmiss(shot));
  return {
    run: record.startedAt,
    isGreen: isGreen(record),
    verdict: renderVerdict(record),
    counts: record.summary,
    problems: record.run.problems.map(renderProblem),
    shots: shots.slice(0, MOST_SHOTS).map(tellShot),
    more: Math.max(0, shots.length - MOST_SHOTS),
    obsolete: record.obsolete?.slice(0, MOST_SHOTS) ?? null,
  };
}

/** Tells an assistant all that is known of a shot. */
export function detailShot(record: RunRecord, shot: ShotRecord): ShotDetails {
  return { run: record.startedAt, shot, story: renderStory(shot) };
}

function tellShot(shot: ShotRecord): RunSummary['shots'][number] {
  const { id, project, url, status, flaky, group, decision } = shot;
  return { id, project, url, status, flaky, reason: shot.reason ?? renderReason(shot), group, decision };
}
