import { Command, CommanderError } from 'commander';
import {
  messageOf,
  type Problem,
  ProofsheetError,
  print,
  printJson,
  printRemark,
  renderProblem,
} from '../model/index.js';
import { packageVersion } from '../run/index.js';
import { affected } from './affected.js';
import { approve, prune, reject, undo } from './approve.js';
import { capture } from './capture.js';
import { compare } from './compare.js';
import { decide } from './decide.js';
import { doctor } from './doctor.js';
import { githubComment } from './github-comment.js';
import { init } from './init.js';
import { publish } from './publish.js';
import { report } from './report.js';
import { mcp, serve } from './serve.js';
import { upgrade } from './upgrade.js';

const COMMANDS = [
  ...[init, approve, reject, undo, decide, report, publish, prune],
  ...[compare, capture, affected, upgrade, doctor, serve, mcp, githubComment],
];

/**
 * Runs the `proofsheet` command line. Exit codes: 0 success, 1 differences found, 2 failure.
 *
 * With `--json` standard output always contains exactly one JSON document. All other output goes to standard error.
 *
 * @param argv arguments without the program and the script.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const isJson = argv.includes('--json');
  process.stdout.on('error', onOutputError);
  try {
    await createProgram().parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    printErrors(error instanceof CommanderError ? [describeUsage(error, argv)] : listErrors(error), isJson);
    process.exitCode = 2;
  }
}

export function createProgram(): Command {
  const program = new Command('proofsheet')
    .description('Visual regression tests for a list of pages.\nRun the tests: npx playwright test')
    .version(packageVersion())
    .exitOverride()
    // `main` prints usage errors in the same format as all other errors.
    .configureOutput({ outputError: () => {} });
  for (const add of COMMANDS) add(program);
  return program;
}

/** Ignores a closed pipe, for example from `head`. Reports other write errors, such as a full disk. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  printRemark(`cannot write to standard output (${error.message})`);
  process.exitCode = 2;
}

function printErrors(errors: readonly CommandError[], isJson: boolean): void {
  const texts = errors.map((error) => ('message' in error ? error.message : renderProblem(error)));
  for (const text of texts)
    print(text.startsWith('proofsheet') ? `${text}\n` : `proofsheet: ${text}\n`, process.stderr);
  const message = texts.join('\n');
  if (isJson) printJson({ status: 'error', error: true, message, code: errors[0]?.code, details: errors });
}

type CommandError = Problem | { readonly code: 'unforeseen'; readonly message: string };

/** The advice is commander's suggestion, otherwise a reference to `--help`. */
function describeUsage({ message }: CommanderError, argv: readonly string[]): Problem {
  const [found = '', suggestion = ''] = message.replace(/^error: /, '').split('\n');
  const command = argv.find((word) => !word.startsWith('-'));
  const isKnown = command !== undefined && command !== 'help' && !/^unknown command/.test(found);
  const where = isKnown ? `proofsheet ${command}` : 'proofsheet';
  return {
    code: 'command-invalid',
    where,
    found: found === '(outputHelp)' ? 'the command is missing or unknown' : found,
    advice: suggestion === '' ? `Run: ${where} --help` : suggestion.replace(/^\((.*)\)$/, '$1'),
  };
}

function listErrors(error: unknown): CommandError[] {
  if (error instanceof AggregateError) return error.errors.flatMap(listErrors);
  return [error instanceof ProofsheetError ? error.problem : { code: 'unforeseen', message: messageOf(error) }];
}
