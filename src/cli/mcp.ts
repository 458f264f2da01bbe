import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { findProject, type ProjectPlaces } from '../core/run/folders.js';
import { DEFAULT_MAX_PIXELS, type SpeakMcp } from '../model/service/settings.js';
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

It needs the package @modelcontextprotocol/sdk. Standard output belongs to the protocol; the end of standard input ends it.
Exit code: 0 it was ended, 2 it could not be offered.`;

/** Adds `proofsheet mcp`. @param speakMcp - starts the MCP session */
export function addMcp(program: Command, speakMcp: SpeakMcp): void {
  const command = program
    .command('mcp')
    .description('offer capture, comparison, analysis and the last run to an assistant, over standard input and output')
    .option(
      '-c, --config <path>',
      'the Playwright config; paths of baselines are relative to its folder (default: this folder)',
    )
    .option('--from <folder>', 'the folder of a report (default: proofsheet-report beside the config)')
    .option('--baselines <folder>', "the folder that baselines must lie in (default: the config's)")
    .option('--allow-approve', 'the assistant may make images of the run the baselines')
    .option('--allow <host:port>', 'capture pages of this host, though it is private; may be repeated', readAllowed)
    .option('--allow-private', 'capture pages on all private addresses')
    .option('--storage <folder>', 'where captures are kept (default: a temporary folder, as long as the session lasts)')
    .option('--timeout <seconds>', 'how long a request may take once its turn has come', readBetween(1, 600), 60)
    .option(
      '--max-pixels <count>',
      'how many pixels the images of one comparison may have together',
      readCount(1, 640_000_000),
      DEFAULT_MAX_PIXELS,
    );
  addLanguageModel(command)
    .addHelpText('after', EXAMPLES)
    .action((flags: McpFlags) => run(flags, speakMcp));
}

interface McpFlags extends ProjectPlaces, LanguageModelFlags {
  readonly allowApprove?: true;
  readonly allow?: readonly string[];
  readonly allowPrivate?: true;
  readonly storage?: string;
  readonly timeout: number;
  readonly maxPixels: number;
}

async function run(flags: McpFlags, speakMcp: SpeakMcp): Promise<void> {
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
