import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { readVerdict } from '../core/review/read-report.js';
import { findProject, type ProjectPlaces } from '../core/run/folders.js';
import { isLoopback } from '../model/words.js';
import { addPlaces, interrupted, readPort } from './flags.js';

const EXAMPLES = `
Examples:
  proofsheet report
  proofsheet report ~/Downloads/proofsheet-report --config e2e/playwright.config.ts

The page can approve and reject: by the same rules as \`proofsheet approve\`, and for whoever knows its address. Ctrl+C ends it.
Exit code: 0 it was ended, 2 it could not be shown.`;

/** Adds `proofsheet report [DIR]`. */
export function addReport(program: Command): void {
  const command = program
    .command('report')
    .description('open the report of the last finished run, or of a downloaded one, with buttons to approve and reject')
    .argument('[folder]', 'the folder of a report (default: proofsheet-report beside the config)')
    .option('--port <number>', 'where it is served (default: any port that is free)', readPort)
    .option('--host <name>', 'the address that it listens on', '127.0.0.1')
    .option('--no-open', 'only print the address')
    .addHelpText('after', EXAMPLES);
  addPlaces(command).action(report);
}

interface ReportFlags extends ProjectPlaces {
  readonly port?: number;
  readonly host: string;
  readonly open: boolean;
  readonly json?: true;
}

async function report(from: string | undefined, { port = 0, host, open, json, ...flags }: ReportFlags): Promise<void> {
  const places = findProject({ ...flags, ...(from !== undefined && { from }) });
  const { verdict, laterRun } = await readVerdict(places);
  if (laterRun !== null) process.stderr.write(`proofsheet: ${laterRun}\n`);
  // Listen for signals before the output says that the server is ready.
  const ended = interrupted();
  // Imported here, because other commands do not need the server.
  const { serveReport } = await import('./review/server.js');
  const server = await serveReport(places, host, port);
  if (!isLoopback(host)) {
    process.stderr.write(`proofsheet: ${host} can be reached from other machines: who has the address can approve\n`);
  }
  const answer = { status: 'success', error: false, url: server.url, ...places };
  const line = `proofsheet: ${verdict}; the report is at ${server.url}`;
  process.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : `${line}\n`);
  if (open && process.stdout.isTTY && !process.env.CI) openAddress(server.url);
  await ended;
  await server.close();
}

/** Opens a URL in the user's browser. Ignores a missing browser. */
export function openAddress(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program ?? '', [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
