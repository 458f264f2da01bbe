import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';
import { decidedSchema, invalidCommand, print, type RunRecord } from '../../model/index.js';
import {
  approvalRequestSchema,
  runQuestionSchema,
  runSummarySchema,
  shotDetailsSchema,
  shotQuestionSchema,
} from '../../report/index.js';
import { applyDecision, chooseShots, readRunSummary, readShot } from '../../review/index.js';
import type { ProjectFolders } from '../../run/index.js';
import { openCaptureBrowser } from '../captures/capture-browser.js';
import type { EgressSettings } from '../egress/egress.js';
import { readRequest } from '../protocol/requests.js';
import { createService, type ServiceSettings } from '../service.js';
import { openStorage } from '../storage.js';
import { createMcpServer, load, type McpTool, READ_ONLY, serviceTools, type ToolResult } from './server.js';

/** Settings of the MCP server over standard input and output. */
export interface McpSettings extends ServiceSettings, EgressSettings {
  /** The folder where captures are stored; null: a temporary folder that is deleted with the session. */
  readonly storage: string | null;
  /** The paths of the run and of its baselines. */
  readonly places: ProjectFolders;
  /** Allows the assistant to approve images of the run as baselines. */
  readonly allowApprove: boolean;
}

/** Starts an MCP session with the tools of the capture service and of the last run. @throws ProofsheetError `package-missing`, `storage-failed` */
export async function speakMcp(settings: McpSettings) {
  const { StdioServerTransport } = await load(() => import('@modelcontextprotocol/sdk/server/stdio.js'));
  const tempFolder = settings.storage === null ? await mkdtemp(join(tmpdir(), 'proofsheet-mcp-')) : null;
  const folder = tempFolder ?? resolve(settings.storage ?? '');
  const storage = await openStorage(folder);
  const captures = await openCaptureBrowser(settings);
  const service = createService({ ...settings, captures, storage });
  const tools = [
    ...serviceTools(service, `${pathToFileURL(folder).href}/`),
    ...runTools(settings.places),
    ...(settings.allowApprove ? [approvalTool(settings.places)] : []),
  ];
  const server = await createMcpServer(tools, (line) => print(line, process.stderr), true);
  const output = reserveStdout();
  const ended = new Promise<void>((end) => {
    process.stdin.once('end', end).once('close', end);
    // A write error means that the client has closed the output.
    for (const stream of [output, process.stdout]) stream.once('error', () => end());
  });
  await server.connect(new StdioServerTransport(process.stdin, output));
  return {
    /** Resolves when the assistant has disconnected. */
    ended,
    /** Finishes running requests and stops. */
    async close() {
      await service.close();
      await server.close();
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

interface ToolOf<Request extends z.ZodObject> extends Omit<McpTool, 'request' | 'perform'> {
  readonly request: Request;
  answer(request: z.output<Request>): Promise<ToolResult>;
}

function toolOf<Request extends z.ZodObject>({ answer, ...tool }: ToolOf<Request>): McpTool {
  const read = (values: unknown) => readRequest(tool.request, values, 'See the input schema of the tool.').request;
  return { ...tool, perform: async (values) => answer(read(values)) };
}

/** Returns the tools that read the last finished run of the project. */
export function runTools({ folder }: ProjectFolders): McpTool[] {
  const annotations = { ...READ_ONLY, openWorldHint: false };
  return [
    toolOf({
      name: 'run_summary',
      title: 'The last visual test run',
      description:
        'Returns the result of the last finished visual test run: verdict, counts, what failed to be captured, and each change with the number of its shots. Call this tool first.',
      request: runQuestionSchema,
      response: runSummarySchema,
      annotations,
      answer: async (question) => ({ data: await readRunSummary(folder, question) }),
    }),
    toolOf({
      name: 'shot_details',
      title: 'One shot of the run',
      description:
        'Returns one shot of the last run: its record and its before, after and diff images. Use the images to explain what changed and why.',
      request: shotQuestionSchema,
      response: shotDetailsSchema,
      annotations,
      async answer({ id, project = null }) {
        const { details, images } = await readShot(folder, id, project);
        return { data: details, images };
      },
    }),
  ];
}

/** Returns the tool that approves shots. It writes the images of the run as baselines. */
export function approvalTool(places: ProjectFolders): McpTool {
  return toolOf({
    name: 'approve',
    title: 'Approve shots of the run',
    description:
      'Replaces baselines with the images of the last run: writes files of the project. Use it only when the user requests it, and after reviewing each shot with shot_details. Shots that passed are not changed.',
    request: approvalRequestSchema,
    response: decidedSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async answer({ run, ids, group, project = null }) {
      const choice = { ids, all: false, new: false, groups: group === undefined ? [] : [group], project };
      const choose = (record: RunRecord) => {
        if (record.startedAt === run) return chooseShots(record, choice);
        throw invalidCommand(run, 'a newer run replaced the reviewed run', 'Call run_summary and review the new run.');
      };
      const decided = await applyDecision(places, { decision: 'approved', choose, force: false });
      const { written, kept, refused, warnings } = decided;
      return { data: { written, kept, refused, warnings } };
    },
  });
}
