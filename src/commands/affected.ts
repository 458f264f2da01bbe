import type { Command } from 'commander';
import { print, printJson } from '../model/index.js';
import { type AffectedQuestion, findAffected, formatAffected } from './affected-shots.js';
import { collect } from './flags.js';

const EXAMPLES = `
Examples:
  proofsheet affected
  proofsheet affected --config e2e/playwright.config.ts --project chromium --json

The inputs of each page are fetched and compared with those of earlier captures that passed. The site must run, unless
the config has a webServer. No browser is launched.
Exit code: 0 done, 2 an error occurred.`;

/** Adds `proofsheet affected`. */
export function addAffected(program: Command): void {
  program
    .command('affected')
    .description('list the shots that a run with `reuse` would capture, and why')
    .option('-c, --config <path>', 'Playwright config or its folder (default: the current folder)')
    .option('--project <name>', 'only this project; repeatable', collect)
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(affected);
}

async function affected({ json, ...question }: AffectedQuestion & { readonly json?: true }): Promise<void> {
  const answer = await findAffected(question);
  const document = { status: 'success', error: false, ...answer };
  if (json) printJson(document);
  else print(formatAffected(answer));
}
