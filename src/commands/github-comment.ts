import { InvalidArgumentError } from 'commander';
import { invalidCommand } from '../model/index.js';
import { command, flag, off, preset, value } from './command.js';
import { isHttpUrl, JSON_FLAG, readMatching } from './flags.js';
import { type CommentResult, DEFAULT_NAME, postComment } from './post-comment.js';

export const githubComment = command({
  name: 'github-comment',
  description: 'post the summary of a finished run as a comment on its pull request',
  flags: {
    from: preset('<folder>', 'report folder', 'proofsheet-report'),
    repo: value('<name>', 'repository as owner/name (default: GITHUB_REPOSITORY)'),
    pr: value('<number>', 'number of the pull request (default: from the event in GITHUB_EVENT_PATH)', {
      read: readMatching(/^[1-9]\d{0,9}$/, 'Expected the number of a pull request.'),
    }),
    report: value('<url>', 'address that proofsheet publish printed, for links and pictures', { read: readUrl }),
    pictures: off('no pictures in the comment, for a report that GitHub cannot read'),
    status: flag('also set the commit status "proofsheet"; the token needs the permission "statuses: write"'),
    name: preset('<word>', 'name of the comment, if a repository has several page lists', DEFAULT_NAME, {
      read: readMatching(/^[\w.-]{1,50}$/, 'Expected 1 to 50 letters, digits, dots, underscores or hyphens.'),
    }),
    author: preset('<login>', 'account of the token, to find its existing comment', 'github-actions[bot]'),
    ...JSON_FLAG,
  },
  help: `  proofsheet github-comment --from proofsheet-report --repo octo/site --pr 12

For CI. Creates one comment and updates it in later runs. If all shots pass, it only updates an existing comment.
It runs no code from the report folder.

Environment: GITHUB_TOKEN; GITHUB_API_URL for GitHub Enterprise Server.
Exit code: 0 done, 2 GitHub refused the comment or an error occurred.`,
  async run({ repo: named, pr, ...settings }) {
    const repo = checkRepo(named ?? process.env.GITHUB_REPOSITORY ?? '');
    const pull = pr === null ? null : Number(pr);
    const { result, notes } = await postComment({ ...settings, repo, pull }, process.env);
    const isRefused = result.kind === 'refused';
    const message = isRefused ? `no comment was posted: ${result.why}` : MESSAGES[result.kind];
    return {
      json: { comment: result.kind, message },
      text: isRefused ? '' : `proofsheet: ${message}\n`,
      remarks: isRefused ? [...notes, message] : notes,
      failure: isRefused ? 'refused' : null,
    };
  },
});

const MESSAGES: Readonly<Record<Exclude<CommentResult['kind'], 'refused'>, string>> = {
  created: 'the comment was created',
  updated: 'the comment was updated',
  unchanged: 'the comment is already up to date',
  unneeded: 'no comment is needed: all shots passed',
  outdated: 'no comment was posted: no open pull request has the tested commit as its head',
};

function checkRepo(repo: string): string {
  if (/^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(repo)) return repo;
  const found = repo === '' ? 'the repository is missing' : `--repo is "${repo}"; expected owner/name`;
  throw invalidCommand('proofsheet github-comment', found, 'Use --repo owner/name.');
}

function readUrl(value: string): string {
  if (/^https?:\/\/[^\s<>]{1,490}$/.test(value) && isHttpUrl(value)) return value;
  throw new InvalidArgumentError('Expected an http:// or https:// URL.');
}
