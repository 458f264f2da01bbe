import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { openCaptureBrowser } from '../../core/adhoc/capture-browser.js';
import type { McpSession, McpSettings } from '../../model/service/settings.js';
import { createService } from '../service.js';
import { createFolderStorage } from '../storage/storage.js';
import { offerApproval, offerRunTools } from './run-tools.js';
import { createMcpServer, load } from './server.js';

/**
 * Starts an MCP session over standard input and output, with the tools of the capture service and of the last run.
 *
 * @throws ProofsheetError `package-missing`
 */
export async function speakMcp(settings: McpSettings): Promise<McpSession> {
  const { StdioServerTransport } = await load(() => import('@modelcontextprotocol/sdk/server/stdio.js'));
  const captures = await openCaptureBrowser(settings);
  const tempFolder = settings.storage === null ? await mkdtemp(join(tmpdir(), 'proofsheet-mcp-')) : null;
  const folder = tempFolder ?? resolve(settings.storage ?? '');
  const service = createService({ ...settings, captures, storage: createFolderStorage(folder) });
  const writeLog = (line: string) => void process.stderr.write(line);
  const audience = { writeLog, isOperator: true };
  const server = await createMcpServer({ service, base: `${pathToFileURL(folder).href}/`, audience });
  offerRunTools(server, settings.places, audience);
  if (settings.allowApprove) offerApproval(server, settings.places, audience);
  const output = reserveStdout();
  const ended = new Promise<void>((end) => {
    process.stdin.once('end', end).once('close', end);
    // A write error means that the client has closed the output.
    for (const stream of [output, process.stdout]) stream.once('error', () => end());
  });
  await server.connect(new StdioServerTransport(process.stdin, output));
  return {
    ended,
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
