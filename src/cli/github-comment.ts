import { type Command, InvalidArgumentError } from 'commander';
import { type CommentResult, postComment } from '../core/github/post-comment.js';
import { ProofsheetError } from '../model/errors.js';

const EXAMPLES = `
Examples:
  proofsheet github-comment --from proofsheet-report --repo octo/site --pr 12

For CI. It makes one comment and updates it in later runs. A green run makes no comment, but updates an earlier one.
It executes nothing of the report's folder.

Environment: GITHUB_TOKEN; GITHUB_API_URL for a GitHub server of your own.
Exit code: 0 also when GitHub refuses (one line says why: it is no verdict on the pages), 2 there is no finished run.`;

/** Adds `proofsheet github-comment`. */
export function addGitHubComment(program: Command): void {
  program
    .command('github-comment')
    .description('write the summary of a finished run into its pull request')
    .option('--from <folder>', 'the folder of the report', 'proofsheet-report')
    .option('--repo <name>', 'owner/name (default: GITHUB_REPOSITORY)')
    .option('--pr <number>', 'the pull request (default: that of the event in GITHUB_EVENT_PATH)', readPull)
    .option('--name <word>', 'which comment, where a repository has several page lists', readName, 'proofsheet')
    .option(
      '--author <login>',
      'the account of the token, by which its earlier comment is found',
      'github-actions[bot]',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

interface CommentFlags {
  readonly from: string;
  readonly repo?: string;
  readonly pr?: number;
  readonly name: string;
  readonly author: string;
  readonly json?: true;
}

async function run({ repo, pr, json, ...flags }: CommentFlags): Promise<void> {
  const settings = { ...flags, repo: checkRepo(repo ?? process.env.GITHUB_REPOSITORY ?? ''), pull: pr ?? null };
  const { result, notes } = await postComment(settings, process.env);
  const message = renderResult(result);
  const remarks = result.kind === 'refused' ? [...notes, message] : notes;
  for (const remark of remarks) process.stderr.write(`proofsheet: ${remark}\n`);
  const answer = { status: 'success', error: false, comment: result.kind, message };
  if (json) process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  else if (result.kind !== 'refused') process.stdout.write(`proofsheet: ${message}\n`);
}

function renderResult(result: CommentResult): string {
  switch (result.kind) {
    case 'created':
    case 'updated':
      return `the comment was ${result.kind}`;
    case 'unchanged':
      return 'the comment says so already';
    case 'unneeded':
      return 'all is green and there is no comment yet, so none was made';
    case 'refused':
      return `no comment was made: ${result.why}`;
    default:
      return result satisfies never;
  }
}

function checkRepo(repo: string): string {
  if (/^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(repo)) return repo;
  throw new ProofsheetError({
    code: 'command-invalid',
    where: 'proofsheet github-comment',
    found: repo === '' ? 'the repository is missing' : `--repo is "${repo}"`,
    advice: 'Write it as --repo owner/name.',
  });
}

function readPull(value: string): number {
  if (/^[1-9]\d{0,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be the number of a pull request.');
}

function readName(value: string): string {
  if (/^[\w.-]{1,50}$/.test(value)) return value;
  throw new InvalidArgumentError('It must be letters, digits, and . _ -');
}
