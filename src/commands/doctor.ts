import type { Command } from 'commander';
import { endSentence, print, printJson, renderPlain } from '../model/index.js';
import { findProject, type ProjectPlaces } from '../run/index.js';
import { type DoctorCheck, examine } from './setup/doctor.js';

const EXAMPLES = `
Examples:
  proofsheet doctor
  proofsheet doctor --config e2e/playwright.config.ts --json

Exit code: 0 no problem found, 2 a problem must be fixed before a run.`;

/** Adds `proofsheet doctor`. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check versions, browser, fonts, config, folders and baselines, and print how to fix each problem')
    .option('-c, --config <path>', 'Playwright config or its folder (default: the current folder)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(doctor);
}

async function doctor({ json, ...flags }: ProjectPlaces & { readonly json?: true }): Promise<void> {
  const examined = await examine(findProject(flags));
  const isBad = examined.some(({ state }) => state === 'problem');
  const answer = { status: isBad ? 'problem' : 'success', error: isBad, examined };
  if (json) printJson(answer);
  else print(examined.map(renderLine).join(''));
  process.exitCode = isBad ? 2 : 0;
}

function renderLine({ name, state, found, advice }: DoctorCheck): string {
  const text = advice === null ? found : `${endSentence(found)} ${advice}`;
  return `${state.padEnd(7)}  ${name.padEnd(10)}  ${renderPlain(text)}\n`;
}
