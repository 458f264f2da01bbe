import { parseArgs } from 'node:util';
import { messageOf, ProofsheetError } from '../../model/errors.js';

/** What a comment is made from, and where it goes. */
export interface CommentArguments {
  readonly from: string;
  /** `owner/name` */
  readonly repo: string;
  /** Null: that of the event which the workflow was started by. */
  readonly pull: number | null;
  readonly name: string;
  readonly author: string;
}

/** How it is asked for. */
export const USAGE = `Usage: proofsheet github-comment [options]

For CI: puts the summary of a finished run into a pull request, as one comment that is made once and then updated. A green
run makes no comment, but updates an earlier one. Nothing of the run's folder is executed.

Options:
  --from <folder>   the folder of the report (default: proofsheet-report)
  --repo <name>     owner/name (default: GITHUB_REPOSITORY)
  --pr <number>     the pull request (default: that of the event in GITHUB_EVENT_PATH, pull_request or workflow_run)
  --name <word>     which comment, where a repository has several page lists (default: proofsheet)
  --author <login>  the account of the token, by which its earlier comment is known (default: github-actions[bot])

Environment: GITHUB_TOKEN, and GITHUB_API_URL where GitHub is elsewhere.
Exit code: 0, also when GitHub refuses: that is told in one line, and is no verdict on the pages; 2 when there is no run to tell of.

Example:
  proofsheet github-comment --from proofsheet-report --repo octo/site --pr 12
`;

/** Reads the command line; null: help was asked for. @throws ProofsheetError `command-invalid` */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv): CommentArguments | null {
  const { help, from = 'proofsheet-report', repo = env.GITHUB_REPOSITORY ?? '', pr, name, author } = parse(argv);
  if (help) return null;
  if (!/^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(repo)) throw invalid(`--repo is "${repo}"`, 'Write it as owner/name.');
  if (pr !== undefined && !/^[1-9]\d{0,9}$/.test(pr))
    throw invalid(`--pr is "${pr}"`, 'Write the number of the pull request.');
  if (!/^[\w.-]{1,50}$/.test(name)) throw invalid(`--name is "${name}"`, 'Write letters, digits, and . _ -');
  return { from, repo, pull: pr === undefined ? null : Number(pr), name, author };
}

function parse(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        help: { type: 'boolean', short: 'h' },
        from: { type: 'string' },
        repo: { type: 'string' },
        pr: { type: 'string' },
        name: { type: 'string', default: 'proofsheet' },
        author: { type: 'string', default: 'github-actions[bot]' },
      },
    });
    return values;
  } catch (error) {
    throw invalid(messageOf(error).split('\n')[0] ?? '', 'Run: proofsheet github-comment --help');
  }
}

function invalid(found: string, advice: string): ProofsheetError {
  return new ProofsheetError({ code: 'command-invalid', where: 'proofsheet github-comment', found, advice });
}
