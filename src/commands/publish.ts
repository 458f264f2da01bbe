import { foldName, safePart } from '../baselines/index.js';
import { IMAGES_FOLDER, invalidCommand } from '../model/index.js';
import { assembleReport } from '../review/index.js';
import { findProject, readCommit } from '../run/index.js';
import { command, preset, required, value } from './command.js';
import { CONFIG, FROM, isHttpUrl, readCount } from './flags.js';
import { BRANCH, type Published, publishFiles, publishToBranch } from './publish-places.js';

export const publish = command({
  name: 'publish',
  description: 'write the report to a folder, a bucket or a branch, and print its address',
  flags: {
    to: required('<place>', 'a folder, s3://bucket/prefix, or gh-pages (a branch of the remote "origin")'),
    name: value('<name>', 'folder of this report (default: from the CI, else the commit or the time)'),
    keep: preset('<number>', 'how many reports a branch keeps', 50, { read: readCount(1, 10_000) }),
    keepDays: preset('<number>', 'how many days a branch keeps a report', 90, { read: readCount(1, 10_000) }),
    ...FROM,
    ...CONFIG,
  },
  help: `  proofsheet publish --to public/visual
  proofsheet publish --to s3://my-bucket/visual
  proofsheet publish --to gh-pages

Writes the report to a place where a browser can open it, into a folder of its own: pr-12 for a pull request, otherwise the commit or the time.
All reports share their images, so an image that is there already is not uploaded again. The buttons of the published report write a comment for
the pull request, which decides.

Environment: PROOFSHEET_PUBLIC_URL, the address of the place; AWS_ENDPOINT_URL, AWS_REGION and credentials for S3.
Exit code: 0 done, 2 an error occurred.`,
  async run({ to, name: given, keep: reports, keepDays: days, ...places }) {
    const { root, folder } = findProject(places);
    const name = checkName(given ?? (await nameReport(root, process.env)));
    const report = await assembleReport(folder, name);
    const base = readPublicUrl(process.env);
    const isBranch = to === BRANCH;
    const published = isBranch
      ? await publishToBranch(root, name, report, { reports, days })
      : await publishFiles(to, report);
    const own = isBranch ? pagesAddress(process.env, published) : published.base;
    const address = `${base ?? own}${name}/index.html`;
    const { uploaded, present } = published;
    return {
      json: { address, name, uploaded, present },
      text: `proofsheet: ${uploaded} files written, ${present} were there already; the report is at\n${address}\n`,
    };
  },
});

/** Names a report by the pull request of GitHub or GitLab, else by the commit, else by the time. */
export async function nameReport(root: string, env: NodeJS.ProcessEnv): Promise<string> {
  const pull = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1] ?? env.CI_MERGE_REQUEST_IID;
  if (pull) return `pr-${pull}`;
  const commit = env.GITHUB_SHA || env.CI_COMMIT_SHA || (await readCommit(root));
  return commit ? commit.slice(0, 12) : new Date().toISOString().slice(0, 19).replace(/\D/g, '-');
}

/** The name is a folder, on any system, and a part of the address. */
function checkName(name: string): string {
  const isFree = foldName(name) !== IMAGES_FOLDER && safePart(name) === name;
  if (/^[\w][\w.-]{0,99}$/.test(name) && isFree) return name;
  const found = `"${name}" cannot be the folder of a report`;
  throw invalidCommand('--name', found, 'Use letters, digits, dots, "-" and "_".');
}

function readPublicUrl({ PROOFSHEET_PUBLIC_URL: url = '' }: NodeJS.ProcessEnv): string | null {
  if (url === '') return null;
  if (isHttpUrl(url)) return `${url.replace(/\/+$/, '')}/`;
  const found = 'this is not an http:// or https:// URL';
  throw invalidCommand('PROOFSHEET_PUBLIC_URL', found, 'Set the address of the place.');
}

/** The address of GitHub Pages, if the CI says which repository this is. */
function pagesAddress({ GITHUB_REPOSITORY: repository = '' }: NodeJS.ProcessEnv, { base }: Published): string {
  const [owner, name] = repository.split('/');
  if (!owner || !name) return base;
  const host = `${owner.toLowerCase()}.github.io`;
  return `https://${host}/${name.toLowerCase() === host ? '' : `${name}/`}proofsheet/`;
}
