import { type Command, InvalidArgumentError } from 'commander';
import { ProofsheetError, parseUrl, print, printJson, printRemark } from '../model/index.js';
import { type CommentResult, DEFAULT_NAME, postComment } from './post-comment.js';

const EXAMPLES = `
Examples:
  proofsheet github-comment --from proofsheet-report --repo octo/site --pr 12

For CI. Creates one comment and updates it in later runs. If all shots pass, it only updates an existing comment.
It runs no code from the report folder.

Environment: GITHUB_TOKEN; GITHUB_API_URL for GitHub Enterprise Server.
Exit code: 0 done, 2 GitHub refused the comment or an error occurred.`;

/** Adds `proofsheet github-comment`. */
export function addGitHubComment(program: Command): void {
  program
    .command('github-comment')
    .description('post the summary of a finished run as a comment on its pull request')
    .option('--from <folder>', 'report folder', 'proofsheet-report')
    .option('--repo <name>', 'repository as owner/name (default: GITHUB_REPOSITORY)')
    .option('--pr <number>', 'number of the pull request (default: from the event in GITHUB_EVENT_PATH)', readPull)
    .option('--report <url>', 'address that proofsheet publish printed, for links and pictures', readUrl)
    .option('--no-pictures', 'no pictures in the comment, for a report that GitHub cannot read')
    .option('--status', 'also set the commit status "proofsheet"; the token needs the permission "statuses: write"')
    .option('--name <word>', 'name of the comment, if a repository has several page lists', readName, DEFAULT_NAME)
    .option('--author <login>', 'account of the token, to find its existing comment', 'github-actions[bot]')
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

interface CommentFlags {
  readonly from: string;
  readonly repo?: string;
  readonly pr?: number;
  readonly report?: string;
  readonly pictures: boolean;
  readonly status?: boolean;
  readonly name: string;
  readonly author: string;
  readonly json?: true;
}

async function run({ repo, pr, report, pictures, status = false, json, ...flags }: CommentFlags): Promise<void> {
  const settings = {
    ...flags,
    report: report ?? null,
    hasPictures: pictures,
    setsStatus: status,
    repo: checkRepo(repo ?? process.env.GITHUB_REPOSITORY ?? ''),
    pull: pr ?? null,
  };
  const { result, notes } = await postComment(settings, process.env);
  const message = renderResult(result);
  const isRefused = result.kind === 'refused';
  const remarks = isRefused ? [...notes, message] : notes;
  remarks.forEach(printRemark);
  const answer = { status: isRefused ? 'refused' : 'success', error: isRefused, comment: result.kind, message };
  if (json) printJson(answer);
  else if (!isRefused) print(`proofsheet: ${message}\n`);
  process.exitCode = isRefused ? 2 : 0;
}

function renderResult(result: CommentResult): string {
  switch (result.kind) {
    case 'created':
    case 'updated':
      return `the comment was ${result.kind}`;
    case 'unchanged':
      return 'the comment is already up to date';
    case 'unneeded':
      return 'no comment is needed: all shots passed';
    case 'outdated':
      return 'no comment was posted: no open pull request has the tested commit as its head';
    case 'refused':
      return `no comment was posted: ${result.why}`;
    default:
      return result satisfies never;
  }
}

function checkRepo(repo: string): string {
  if (/^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(repo)) return repo;
  throw new ProofsheetError({
    code: 'command-invalid',
    where: 'proofsheet github-comment',
    found: repo === '' ? 'the repository is missing' : `--repo is "${repo}"; expected owner/name`,
    advice: 'Use --repo owner/name.',
  });
}

function readPull(value: string): number {
  if (/^[1-9]\d{0,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Expected the number of a pull request.');
}

function readUrl(value: string): string {
  if (/^https?:\/\/[^\s<>]{1,490}$/.test(value) && parseUrl(value) !== null) return value;
  throw new InvalidArgumentError('Expected an http:// or https:// URL.');
}

function readName(value: string): string {
  if (/^[\w.-]{1,50}$/.test(value)) return value;
  throw new InvalidArgumentError('Expected 1 to 50 letters, digits, dots, underscores or hyphens.');
}
