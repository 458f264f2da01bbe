import { availableParallelism } from 'node:os';
import { findProject } from '../run/index.js';
import { speakMcp } from '../service/index.js';
import { command, flag, value } from './command.js';
import { CAPTURES, interrupted, PLACES, readCaptureSettings } from './flags.js';

// Standard output belongs to the protocol.
const { json: _, ...PROJECT } = PLACES;

export const mcp = command({
  name: 'mcp',
  description: 'serve captures, comparisons, analyses and the last run to an AI assistant over MCP (stdio)',
  flags: {
    ...PROJECT,
    allowApprove: flag('let the assistant approve shots of the run'),
    storage: value('<folder>', 'folder for captures (default: a temporary folder, deleted when the session ends)'),
    ...CAPTURES,
  },
  help: `  proofsheet mcp --config e2e/playwright.config.ts --allow-approve
  claude mcp add proofsheet -- npx proofsheet mcp --allow localhost:3000

Requires the package @modelcontextprotocol/sdk. Standard output contains only messages of the protocol.
The session ends when standard input closes. Exit code: 0 the session ended, 2 an error occurred.`,
  async run(flags) {
    const { storage, allowApprove } = flags;
    const stopped = interrupted();
    const session = await speakMcp({
      ...readCaptureSettings(flags),
      ...{ storage, allowApprove, places: findProject(flags) },
      ...{ concurrency: availableParallelism(), queueLength: 64 },
    });
    await Promise.race([session.ended, stopped]);
    await session.close();
    return null;
  },
});
