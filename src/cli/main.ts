import { Command, CommanderError } from 'commander';
import { packageVersion } from '../core/setup/version.js';
import type { PostComment } from '../github/api.js';
import { messageOf, type Problem, ProofsheetError, renderProblem } from '../model/errors.js';
import type { Serve, SpeakMcp } from '../model/service/settings.js';
import { addApprove } from './approve.js';
import { addCapture } from './capture.js';
import { addCompare } from './compare.js';
import { addDoctor } from './doctor.js';
import { addGitHubComment } from './github-comment.js';
import { addInit } from './init.js';
import { addMcp } from './mcp.js';
import { addPrune } from './prune.js';
import { addReport } from './report.js';
import { addServe } from './serve.js';

/** The faces that a command opens: faces do not know each other. */
export interface Doors {
  readonly serve: Serve;
  readonly speakMcp: SpeakMcp;
  readonly postComment: PostComment;
}

/**
 * Runs the command line of `proofsheet`. Exit codes: 0 good, 1 there are differences, 2 it could not be done.
 *
 * Under `--json` standard output is one JSON document, whatever happens; what else there is to say goes to standard error.
 *
 * @param argv without the program and the script.
 */
export async function main(argv: readonly string[], doors: Doors): Promise<void> {
  const isJson = argv.includes('--json');
  process.stdout.on('error', tellUnwritten);
  try {
    await createProgram(doors).parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    tell(error instanceof CommanderError ? [describeUsage(error, argv)] : troubleIn(error), isJson);
    process.exitCode = 2;
  }
}

function createProgram({ serve, speakMcp, postComment }: Doors): Command {
  const program = new Command('proofsheet')
    .description('Visual regression tests for a list of pages. The tests themselves are run by: npx playwright test')
    .version(packageVersion())
    .exitOverride()
    // What is wrong with a command is told like everything else that goes wrong.
    .configureOutput({ outputError: () => {} });
  const commands = [addInit, addApprove, addReport, addPrune, addCompare, addCapture, addDoctor];
  for (const add of commands) add(program);
  addServe(program, serve);
  addMcp(program, speakMcp);
  addGitHubComment(program, postComment);
  return program;
}

/** Who reads along, as `head` does, may have seen enough; on a disk that is full, nobody has. */
function tellUnwritten(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`proofsheet: standard output: it cannot be written (${error.message})\n`);
  process.exitCode = 2;
}

function tell(troubles: readonly Trouble[], isJson: boolean): void {
  for (const text of troubles.map(renderTrouble)) {
    process.stderr.write(text.startsWith('proofsheet') ? `${text}\n` : `proofsheet: ${text}\n`);
  }
  if (!isJson) return;
  const [first] = troubles;
  const message = troubles.map(renderTrouble).join('\n');
  const answer = { status: 'error', error: true, message, code: first?.code, details: troubles };
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
}

/** Tells what is wrong with a command line in our three parts: what was meant, where that can be told, else where to read. */
export function describeUsage({ message }: CommanderError, argv: readonly string[]): Problem {
  const [found = '', meant = ''] = message.replace(/^error: /, '').split('\n');
  const command = argv.find((word) => !word.startsWith('-'));
  const isKnown = command !== undefined && command !== 'help' && !/^unknown command/.test(found);
  const where = isKnown ? `proofsheet ${command}` : 'proofsheet';
  return {
    code: 'command-invalid',
    where,
    found: found === '(outputHelp)' ? unhelped(argv) : found.replace(/\.$/, ''),
    advice: meant === '' ? `Run: ${where} --help` : meant.replace(/^\((.*)\)$/, '$1'),
  };
}

/** All that there is was shown instead. */
function unhelped([command, name]: readonly string[]): string {
  return command === 'help' && name !== undefined ? `unknown command '${name}'` : 'no command was given';
}

/** What keeps a command from being done: in three parts, or, where nobody foresaw it, in one. */
export type Trouble = Problem | { readonly code: 'unforeseen'; readonly message: string };

/** Returns what an error tells of: several things at once, where it has gathered them. */
export function troubleIn(error: unknown): Trouble[] {
  if (error instanceof AggregateError) return error.errors.flatMap(troubleIn);
  return [error instanceof ProofsheetError ? error.problem : { code: 'unforeseen', message: messageOf(error) }];
}

/** Renders it in one line: `where: found. advice`. */
export function renderTrouble(trouble: Trouble): string {
  return 'message' in trouble ? trouble.message : renderProblem(trouble);
}
