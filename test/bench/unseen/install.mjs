import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Folder with git snapshots `OWNER+NAME/repo`, for machines that do not reach GitHub. */
const SNAPSHOTS = process.env.UNSEEN_SNAPSHOTS;

/**
 * Brings the pages of a set into a folder, once: from `UNSEEN_SNAPSHOTS`, else from GitHub.
 *
 * The pages of all five sets were chosen by a rule that was fixed before any of them was opened. No set is left to choose:
 *
 * 1. An index of public repositories names those with a file such as `pricing.html`, `typography.html` or `portfolio-details.html`, sorted
 *    by name, at most 100 for each file. Rows 1, 11, ... 91 are `unseen`, rows 3, 13, ... 93 `unseen-2`, and so on.
 *    A repository over 35 MB or without a snapshot is left out.
 * 2. A page is an HTML file that links a style sheet of its own repository. Folders of dependencies, sources, tests and partials hold
 *    no pages.
 * 3. Each repository gives its first 5 pages, sorted by path. Pages with missing files stay.
 *
 * @param name - the name of the set, such as `unseen`
 * @returns their paths below the folder, in the order of repositories.tsv.
 * @throws if a repository cannot be had.
 */
export function bringUnseenPages(folder, name = 'unseen') {
  const rows = readFileSync(new URL('repositories.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const chosen = rows.map((row) => row.split('\t')).filter(([set]) => set === name);
  mkdirSync(folder, { recursive: true });
  return chosen.flatMap(([, repository, commit, ...pages]) => {
    const place = `${repository.replace('/', '+')}@${commit.slice(0, 7)}`;
    if (!existsSync(join(folder, place))) unpack(repository, commit, join(folder, place));
    return pages.map((page) => `${place}/${page}`);
  });
}

/** Returns a function that runs git in the snapshot of a repository and returns its output; undefined without a snapshot. */
function snapshotGit(repository) {
  const place = SNAPSHOTS && join(SNAPSHOTS, repository.replace('/', '+'), 'repo');
  if (!place || !existsSync(place)) return undefined;
  return gitIn(existsSync(join(place, '.git')) ? join(place, '.git') : place);
}

function unpack(repository, commit, place) {
  const [part, clone, index] = ['part', 'git', 'index'].map((end) => `${place}.${end}`);
  for (const left of [part, clone, index]) rmSync(left, { recursive: true, force: true });
  mkdirSync(part);
  const snapshot = snapshotGit(repository);
  const git = snapshot ?? fetchCommit(repository, commit, clone);
  const options = { env: { ...process.env, GIT_INDEX_FILE: index }, stdio: 'pipe' };
  git(['read-tree', commit], options);
  try {
    git(['-c', 'core.symlinks=false', 'checkout-index', '--all', '--force', `--prefix=${part}/`], options);
  } catch (error) {
    // A snapshot lacks its largest files, mostly videos.
    if (!snapshot) throw error;
  }
  for (const left of [clone, index]) rmSync(left, { recursive: true, force: true });
  renameSync(part, place);
}

function fetchCommit(repository, commit, clone) {
  mkdirSync(clone);
  const git = gitIn(clone);
  git(['init', '--bare', '--quiet']);
  git(['fetch', '--quiet', '--depth', '1', `https://github.com/${repository}.git`, commit]);
  return git;
}

function gitIn(folder) {
  return (args, options) =>
    execFileSync('git', ['--git-dir', folder, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28, ...options });
}
