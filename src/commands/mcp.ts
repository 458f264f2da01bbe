import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { findProject, type ProjectPlaces } from '../run/index.js';
import { DEFAULT_MAX_PIXELS, speakMcp } from '../service/index.js';
import {
  addLanguageModel,
  interrupted,
  type LanguageModelFlags,
  readAllowed,
  readBetween,
  readCount,
  readLanguageModel,
} from './flags.js';

const EXAMPLES = `
Examples:
  proofsheet mcp --config e2e/playwright.config.ts --allow-approve
  claude mcp add proofsheet -- npx proofsheet mcp --allow localhost:3000

Requires the package @modelcontextprotocol/sdk. Standard output contains only messages of the protocol.
The session ends when standard input closes. Exit code: 0 the session ended, 2 an error occurred.`;

/** Adds `proofsheet mcp`. */
export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description('serve captures, comparisons, analyses and the last run to an AI assistant over MCP (stdio)')
    .option(
      '-c, --config <path>',
      'Playwright config file; baseline paths are relative to its folder (default: the current folder)',
    )
    .option('--from <folder>', 'report folder (default: proofsheet-report next to the config)')
    .option('--baselines <folder>', 'folder that contains the baselines (default: the folder of the config)')
    .option('--allow-approve', 'let the assistant approve shots of the run')
    .option('--allow <host:port>', 'also capture pages of this private host; can be repeated', readAllowed)
    .option('--allow-private', 'also capture pages on private addresses')
    .option('--storage <folder>', 'folder for captures (default: a temporary folder, deleted when the session ends)')
    .option('--timeout <seconds>', 'time limit of a request, without its time in the queue', readBetween(1, 600), 60)
    .option(
      '--max-pixels <count>',
      'maximum number of pixels of both images of a comparison',
      readCount(1, 640_000_000),
      DEFAULT_MAX_PIXELS,
    );
  addLanguageModel(command).addHelpText('after', EXAMPLES).action(run);
}

interface McpFlags extends ProjectPlaces, LanguageModelFlags {
  readonly allowApprove?: true;
  readonly allow?: readonly string[];
  readonly allowPrivate?: true;
  readonly storage?: string;
  readonly timeout: number;
  readonly maxPixels: number;
}

async function run(flags: McpFlags): Promise<void> {
  const { timeout, maxPixels, storage, allowApprove, allow, allowPrivate, cache } = flags;
  const stopped = interrupted();
  const session = await speakMcp({
    ...{ timeout, maxPixels, cacheSeconds: cache, browserFlags: [], queueLength: 64 },
    concurrency: availableParallelism(),
    storage: storage ?? null,
    places: findProject(flags),
    allowApprove: allowApprove ?? false,
    allowPrivate: allowPrivate ?? false,
    allowed: allow ?? [],
    languageModel: readLanguageModel(flags),
  });
  await Promise.race([session.ended, stopped]);
  await session.close();
}
