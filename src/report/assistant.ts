import { z } from 'zod';
import {
  cutText,
  type RunRecord,
  renderJson,
  renderProblem,
  runRecordSchema,
  shotRecordSchema,
} from '../model/index.js';
import { type Change, describeChange, listChanges, marksOf } from './changes.js';
import { countPages, isGreen, needsReview, renderVerdict } from './verdict.js';

const { summary, startedAt } = runRecordSchema.shape;
const { id, project, status, group, url } = shotRecordSchema.shape;

export const runSummarySchema = z.strictObject({
  run: startedAt.describe('start time; identifies the run for `approve`'),
  isGreen: z.boolean(),
  verdict: z.string(),
  counts: summary,
  problems: z.array(z.string()).describe('first problems of the run as a whole'),
  changes: z
    .array(
      z.strictObject({
        status,
        group: group.describe('number of the group for `approve` and `run_summary`; null: not a group'),
        what: z.string().describe('what happened to all shots of this change'),
        marks: z.array(z.string()).describe('flags and decisions, with a count if not all shots have one'),
        shots: z.int().min(1).describe('number of shots'),
        pages: z.int().min(1).describe('number of pages'),
        examples: z.array(z.strictObject({ id, project, url })).describe('the first shots; `shot_details` shows one'),
      }),
    )
    .describe('what failed to be captured, then the changes, those of most shots first'),
  next: z.int().min(1).nullable().describe('`from` of the next part of `changes`; null: this is the last one'),
  obsolete: z.array(z.string()).nullable().describe('first baselines without a shot; null: unknown'),
});

export const runQuestionSchema = z.object({
  from: z.int().min(0).default(0).describe('Index of the first change to return: `next` of the last answer.'),
  group: z.string().optional().describe('Lists each shot of this group as a change of its own.'),
  all: z.boolean().default(false).describe('Includes the shots that passed.'),
});

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

export const approvalRequestSchema = z.object({
  run: z.string().describe('The reviewed run: `run` of run_summary. Shots of another run are not approved.'),
  ids: z.array(z.string()).default([]).describe('IDs of shots, or names of pages.'),
  group: z.string().optional().describe('All shots of this group.'),
  project: z.string().optional().describe('Only shots of this project.'),
});

export type RunQuestion = z.output<typeof runQuestionSchema>;
export type RunSummary = z.infer<typeof runSummarySchema>;

/** Maximum size of a summary for an assistant as JSON with indentation, in bytes. */
const MAX_BYTES = 8000;

/** Maximum number of problems, of obsolete baselines, and of characters of a text in such a summary. */
const MAX = { problems: 3, obsolete: 3, text: 500 };

/** Summarizes a run for an assistant: as many changes as fit, from the one that it asked for. */
export function summarizeRun(record: RunRecord, { from, group, all }: RunQuestion): RunSummary {
  const { shots, obsolete } = record;
  const asked = shots.filter((shot) => (group === undefined ? all || needsReview(shot) : shot.group === group));
  const changes = group === undefined ? listChanges(asked) : asked.flatMap((shot) => listChanges([shot]));
  const summary: RunSummary = {
    run: record.startedAt,
    isGreen: isGreen(record),
    verdict: renderVerdict(record),
    counts: record.summary,
    problems: record.run.problems.slice(0, MAX.problems).map(renderProblem).map(shorten),
    changes: [],
    next: null,
    obsolete: obsolete?.slice(0, MAX.obsolete).map(shorten) ?? null,
  };
  for (const [index, change] of changes.entries()) {
    if (index < from) continue;
    summary.changes.push(presentChange(change));
    if (summary.changes.length === 1 || Buffer.byteLength(renderJson(summary, 2)) <= MAX_BYTES) continue;
    summary.changes.pop();
    return { ...summary, next: index };
  }
  return summary;
}

function presentChange(change: Change): RunSummary['changes'][number] {
  const { shots } = change;
  const { status, group } = change.first;
  const pages = countPages(shots);
  const examples = shots.slice(0, 2).map(({ id, project, url }) => ({ id, project, url: shorten(url) }));
  const what = shorten(describeChange(change));
  return { status, group, what, marks: marksOf(change), shots: shots.length, pages, examples };
}

const shorten = (text: string) => cutText(text, MAX.text);
