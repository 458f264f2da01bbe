import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { applyDecision } from '../../core/review/approve.js';
import { type Choice, chooseShots } from '../../core/review/choose-shots.js';
import { readRunSummary, readShot } from '../../core/review/read-report.js';
import type { ProjectFolders } from '../../core/run/folders.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { type Decided, decidedSchema } from '../../model/review.js';
import type { RunRecord } from '../../model/run-record.js';
import {
  type ApprovalRequest,
  approvalRequestSchema,
  runQuestionSchema,
  runSummarySchema,
  shotDetailsSchema,
  shotQuestionSchema,
} from '../../model/service/assistant.js';
import { type Audience, answerData, attempt } from './answer.js';

const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false, destructiveHint: false };

/** Registers the tools that read the last finished run of the project. */
export function offerRunTools(server: McpServer, places: ProjectFolders, audience: Audience): void {
  server.registerTool(
    'run_summary',
    {
      title: 'The last visual test run',
      description:
        'Tells how the last finished run of the visual tests ended: its verdict, its counts, and each shot that did not pass with the reason. Call it first.',
      inputSchema: runQuestionSchema,
      outputSchema: runSummarySchema,
      annotations: { title: 'The last visual test run', ...READ_ONLY },
    },
    ({ all }) => attempt(audience, async () => answerData(await readRunSummary(places.folder, all))),
  );

  server.registerTool(
    'shot_details',
    {
      title: 'One shot of the run',
      description:
        'Shows one shot of the last run: all that is known of it, and its images before, after and diff. Tell from the images what changed and why.',
      inputSchema: shotQuestionSchema,
      outputSchema: shotDetailsSchema,
      annotations: { title: 'One shot of the run', ...READ_ONLY },
    },
    ({ id, project = null }) =>
      attempt(audience, async () => {
        const { details, images } = await readShot(places.folder, id, project);
        return answerData(details, images);
      }),
  );
}

/** Registers the tool that approves shots. It writes the images of the run as baselines. */
export function offerApproval(server: McpServer, places: ProjectFolders, audience: Audience): void {
  let pending: Promise<unknown> = Promise.resolve();
  const title = 'Approve shots of the run';
  server.registerTool(
    'approve',
    {
      title,
      description:
        'Makes the images of shots of the last run their new baselines: writes files of the project. Only when the user asks for it, and after looking at each shot by shot_details. What passed is never touched.',
      inputSchema: approvalRequestSchema,
      outputSchema: decidedSchema,
      annotations: { title, readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    (request) =>
      attempt(audience, async () => {
        // Run approvals in sequence: parallel ones would overwrite each other's report.
        const result = pending.then(() => approve(request, places));
        pending = result.catch(messageOf);
        const { record: _, ...answer } = await result;
        return answerData(answer);
      }),
  );
}

function approve(request: ApprovalRequest, places: ProjectFolders): Promise<Decided> {
  const { run, ids, group = null, project = null } = request;
  const choice: Choice = { ids, all: false, new: false, group, project };
  const choose = (record: RunRecord) => {
    if (record.startedAt === run) return chooseShots(record, choice);
    throw new ProofsheetError({
      code: 'command-invalid',
      where: run,
      found: 'there is another run now than the one that was looked at',
      advice: 'Call run_summary, and look again.',
    });
  };
  return applyDecision(places, { decision: 'approved', choose, force: false });
}
