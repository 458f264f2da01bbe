import { z } from 'zod';
import { type RunRecord, renderProblem, runRecordSchema, type ShotRecord, shotRecordSchema } from '../model/index.js';
import { formatChangeSummary, renderReason } from './reason.js';
import { isGreen, needsReview, renderVerdict } from './verdict.js';

const { summary, startedAt, obsolete } = runRecordSchema.shape;
const { id, project, status, reason, group, decision, url, flaky, reused } = shotRecordSchema.shape;

/** Schema of the run summary for an assistant. */
export const runSummarySchema = z.strictObject({
  run: startedAt.describe('start time; identifies the run for `approve`'),
  isGreen: z.boolean(),
  verdict: z.string(),
  counts: summary,
  problems: z.array(z.string()).describe('problems of the run as a whole'),
  shots: z.array(z.strictObject({ id, project, url, status, flaky, reused, reason, group, decision })),
  more: z.int().min(0).describe('number of further shots that did not pass'),
  obsolete,
});

/** Schema of an assistant's request for the last run. */
export const runQuestionSchema = z.object({
  all: z.boolean().default(false).describe('Include the shots that passed.'),
});

/** Schema of an assistant's request for one shot. */
export const shotQuestionSchema = z.object({
  id: z.string().describe('ID of a shot, as returned by run_summary.'),
  project: z.string().optional().describe('Project of the shot, if several projects have a shot with this ID.'),
});

/** Schema of the shot details for an assistant. The images are sent separately. */
export const shotDetailsSchema = z.strictObject({
  run: startedAt,
  shot: shotRecordSchema,
  story: z.string().nullable().describe('how the content changed, in one sentence'),
});

/** Schema of an assistant's approval request. */
export const approvalRequestSchema = z.object({
  run: z.string().describe('The reviewed run: `run` of run_summary. Shots of another run are not approved.'),
  ids: z.array(z.string()).default([]).describe('IDs of shots, or names of pages.'),
  group: z.string().optional().describe('All shots of this group.'),
  project: z.string().optional().describe('Only shots of this project.'),
});

export type RunSummary = z.infer<typeof runSummarySchema>;
export type ShotDetails = z.infer<typeof shotDetailsSchema>;
export type ApprovalRequest = z.output<typeof approvalRequestSchema>;

/** Maximum number of shots in a summary for an assistant. */
const MAX_SHOTS = 200;

/** Summarizes a run for an assistant, with the shots that did not pass or with all shots. */
export function summarizeRun(record: RunRecord, all: boolean): RunSummary {
  const shots = record.shots.filter((shot) => all || needsReview(shot));
  return {
    run: record.startedAt,
    isGreen: isGreen(record),
    verdict: renderVerdict(record),
    counts: record.summary,
    problems: record.run.problems.map(renderProblem),
    shots: shots.slice(0, MAX_SHOTS).map((shot) => {
      const { id, project, url, status, flaky, reused, group, decision } = shot;
      return { id, project, url, status, flaky, reused, reason: shot.reason ?? renderReason(shot), group, decision };
    }),
    more: Math.max(0, shots.length - MAX_SHOTS),
    obsolete: record.obsolete?.slice(0, MAX_SHOTS) ?? null,
  };
}

/** Returns all details of a shot for an assistant. */
export function detailShot(record: RunRecord, shot: ShotRecord): ShotDetails {
  return { run: record.startedAt, shot, story: formatChangeSummary(shot) };
}
