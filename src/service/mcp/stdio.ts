import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { type Decided, decidedSchema, messageOf, ProofsheetError, print, type RunRecord } from '../../model/index.js';
import {
  type ApprovalRequest,
  approvalRequestSchema,
  runQuestionSchema,
  runSummarySchema,
  shotDetailsSchema,
  shotQuestionSchema,
} from '../../report/index.js';
import { applyDecision, type Choice, chooseShots, readRunSummary, readShot } from '../../review/index.js';
import type { ProjectFolders } from '../../run/index.js';
import { openCaptureBrowser } from '../captures/capture-browser.js';
import type { McpSession, McpSettings } from '../protocol/settings.js';
import { createService } from '../service.js';
import { openFolderStorage } from '../storage/storage.js';
import { answerData, withNotice } from './answer.js';
import { createMcpServer, load, type Tools } from './server.js';

/**
 * Starts an MCP session over standard input and output, with the tools of the capture service and of the last run.
 *
 * @throws ProofsheetError `package-missing`, `storage-failed`
 */
export async function speakMcp(settings: McpSettings): Promise<McpSession> {
  const { StdioServerTransport } = await load(() => import('@modelcontextprotocol/sdk/server/stdio.js'));
  const tempFolder = settings.storage === null ? await mkdtemp(join(tmpdir(), 'proofsheet-mcp-')) : null;
  const folder = tempFolder ?? resolve(settings.storage ?? '');
  const storage = await openFolderStorage(folder);
  const captures = await openCaptureBrowser(settings);
  const service = createService({ ...settings, captures, storage });
  const writeLog = (line: string) => print(line, process.stderr);
  const audience = { writeLog, isOperator: true };
  const tools = await createMcpServer({ service, base: `${pathToFileURL(folder).href}/`, audience });
  offerRunTools(tools, settings.places);
  if (settings.allowApprove) offerApproval(tools, settings.places);
  const output = reserveStdout();
  const ended = new Promise<void>((end) => {
    process.stdin.once('end', end).once('close', end);
    // A write error means that the client has closed the output.
    for (const stream of [output, process.stdout]) stream.once('error', () => end());
  });
  await tools.server.connect(new StdioServerTransport(process.stdin, output));
  return {
    ended,
    async close() {
      await service.close();
      await tools.server.close();
      if (tempFolder) await rm(tempFolder, { recursive: true, force: true });
    },
  };
}

/** Reserves standard output for the protocol: redirects all other output to standard error. */
function reserveStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({
    write(chunk: Buffer, _, done) {
      write(chunk, (error) => done(error));
    },
  });
}

const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false, destructiveHint: false };

/** Registers the tools that read the last finished run of the project. */
export function offerRunTools(tools: Tools, places: ProjectFolders): void {
  tools.add(
    'run_summary',
    {
      title: 'The last visual test run',
      description:
        'Returns the result of the last finished visual test run: verdict, counts, and each shot that did not pass with its reason. Call this tool first.',
      inputSchema: runQuestionSchema,
      outputSchema: withNotice(runSummarySchema),
      annotations: { title: 'The last visual test run', ...READ_ONLY },
    },
    async ({ all }) => answerData(await readRunSummary(places.folder, all)),
  );

  tools.add(
    'shot_details',
    {
      title: 'One shot of the run',
      description:
        'Returns one shot of the last run: its record and its before, after and diff images. Use the images to explain what changed and why.',
      inputSchema: shotQuestionSchema,
      outputSchema: withNotice(shotDetailsSchema),
      annotations: { title: 'One shot of the run', ...READ_ONLY },
    },
    async ({ id, project = null }) => {
      const { details, images } = await readShot(places.folder, id, project);
      return answerData(details, images);
    },
  );
}

/** Registers the tool that approves shots. It writes the images of the run as baselines. */
export function offerApproval(tools: Tools, places: ProjectFolders): void {
  let pending: Promise<unknown> = Promise.resolve();
  const title = 'Approve shots of the run';
  tools.add(
    'approve',
    {
      title,
      description:
        'Replaces baselines with the images of the last run: writes files of the project. Use it only when the user requests it, and after reviewing each shot with shot_details. Shots that passed are not changed.',
      inputSchema: approvalRequestSchema,
      outputSchema: withNotice(decidedSchema),
      annotations: { title, readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async (request) => {
      // Run approvals in sequence: parallel ones would overwrite each other's report.
      const result = pending.then(() => approve(request, places));
      pending = result.catch(messageOf);
      const { record: _, ...answer } = await result;
      return answerData(answer);
    },
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
      found: 'a newer run replaced the reviewed run',
      advice: 'Call run_summary and review the new run.',
    });
  };
  return applyDecision(places, { decision: 'approved', choose, force: false });
}
