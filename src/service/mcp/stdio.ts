import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { openEgress } from '../../browser/egress/egress.js';
import type { McpSession, McpSettings } from '../../model/service/settings.js';
import { createService } from '../service.js';
import { createFolderStorage } from '../storage/storage.js';
import { offerApproval, offerRunTools } from './run-tools.js';
import { createMcpServer, load } from './server.js';

/**
 * Speaks to an assistant over standard input and output: the tools of the capture service, and the project's last run.
 *
 * @throws ProofsheetError `package-missing`
 */
export async function speakMcp(settings: McpSettings): Promise<McpSession> {
  const { StdioServerTransport } = await load(() => import('@modelcontextprotocol/sdk/server/stdio.js'));
  const outside = await openEgress(settings);
  const own = settings.storage === null ? await mkdtemp(join(tmpdir(), 'proofsheet-mcp-')) : null;
  const folder = own ?? resolve(settings.storage ?? '');
  const service = createService({ ...settings, outside, storage: createFolderStorage(folder) });
  const tell = (line: string) => void process.stderr.write(line);
  const audience = { tell, isOperator: true };
  const server = await createMcpServer({ service, base: `${pathToFileURL(folder).href}/`, audience });
  offerRunTools(server, settings.places, audience);
  if (settings.allowApprove) offerApproval(server, settings.places, audience);
  const output = reserveStdout();
  const ended = new Promise<void>((gone) => {
    process.stdin.once('end', gone).once('close', gone);
    // Nobody reads any more.
    for (const stream of [output, process.stdout]) stream.once('error', () => gone());
  });
  await server.connect(new StdioServerTransport(process.stdin, output));
  return {
    ended,
    async close() {
      await service.close();
      await outside.close();
      await server.close();
      if (own) await rm(own, { recursive: true, force: true });
    },
  };
}

/** Standard output belongs to the protocol: whatever else is printed goes to standard error. */
function reserveStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({
    write(chunk: Buffer, _, done) {
      write(chunk, (error) => done(error));
    },
  });
}
