import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../baselines/index.js';
import { adviseFileError, failure, invalidCommand, messageOf, parseJson } from '../model/index.js';
import type { PublicFile, PublicReport } from '../review/index.js';
import { openPublicBucket } from '../service/index.js';

export interface Published {
  /** The address of the place of all reports, as the place itself has it. It ends with a slash. */
  readonly base: string;
  readonly uploaded: number;
  readonly present: number;
}

export interface Retention {
  readonly reports: number;
  readonly days: number;
}

interface Place {
  readonly base: string;
  has(path: string): Promise<boolean>;
  put(file: PublicFile): Promise<void>;
}

function openFolder(to: string): Place {
  return {
    base: `${resolve(to)}/`,
    has: async (path) => ((await stat(join(to, path)).catch(() => null))?.size ?? 0) > 0,
    async put({ path, bytes }) {
      await replaceFile(join(to, path), bytes).catch((cause) => {
        const found = `the report cannot be written (${messageOf(cause)})`;
        throw failure('report-unwritable', to, found, `${adviseFileError(cause)}.`);
      });
    },
  };
}

async function openBucket(to: string): Promise<Place> {
  const { address, has, put } = await openPublicBucket(to);
  const cacheOf = (isFixed: boolean) => (isFixed ? 'public, max-age=31536000, immutable' : 'no-cache');
  return {
    base: await address(),
    has,
    put: ({ path, bytes, contentType, isFixed }) => put(path, bytes, contentType, cacheOf(isFixed)),
  };
}

/** Number of images that are uploaded at the same time. One is read while the others are uploaded. */
const PARALLEL = 8;

/**
 * Publishes a report to a folder, or to an S3-compatible bucket: `s3://bucket/prefix`. Writes what is missing: the images, then the pages
 * in their order, so that no page is there before its images.
 *
 * @throws ProofsheetError `report-unwritable`, `command-invalid`, `storage-failed`
 */
export async function publishFiles(to: string, report: PublicReport): Promise<Published> {
  const { base, has, put } = to.startsWith('s3://') ? await openBucket(to) : openFolder(to);
  let [uploaded, present] = [0, 0];
  const images = report.images();
  const work = async () => {
    for await (const file of images) {
      if (await has(file.path)) {
        present++;
      } else {
        await put(file);
        uploaded++;
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  const pages = report.pages();
  for (const file of pages) await put(file);
  return { base, uploaded: uploaded + pages.length, present };
}

export const BRANCH = 'gh-pages';
/** The folder of all reports in a branch. A site can have other folders in the same branch. */
const BRANCH_FOLDER = 'proofsheet';
const MANIFEST = `${BRANCH_FOLDER}/reports.json`;
const manifestSchema = z.array(z.object({ name: z.string(), at: z.string(), images: z.array(z.string()) }));
/** Two jobs can push at the same time: the second one starts again from the branch of the first one. */
const MAX_PUSHES = 5;

/**
 * Commits a report to the branch of the remote `origin`, and removes old reports with their images. Nothing is checked out: the work tree, the
 * index and the branches of the repository do not change.
 *
 * @throws ProofsheetError `command-invalid` if Git refuses
 */
export async function publishToBranch(
  root: string,
  name: string,
  report: PublicReport,
  retention: Retention,
): Promise<Published> {
  const git = (words: readonly string[], input: readonly Buffer[] = []) => runGit(root, words, input);
  for (let attempt = 1; ; attempt++) {
    const ref = `refs/proofsheet/publish-${randomUUID()}`;
    try {
      const parent = await fetchBranch(git, ref);
      const listed = parent === null ? [] : (await git(['ls-tree', '-r', '-z', '--name-only', parent])).split('\0');
      const present = new Set(listed);
      const text = present.has(MANIFEST) ? await git(['show', `${parent}:${MANIFEST}`]) : '';
      const manifest = manifestSchema.safeParse(parseJson(text)).data ?? [];
      const commit = await planCommit(name, report, manifest, present, retention);
      const committer = `proofsheet <proofsheet@localhost> ${Math.floor(Date.now() / 1000)} +0000`;
      const message = `data ${Buffer.byteLength(`Publish ${name}`)}\nPublish ${name}`;
      const stream = [
        Buffer.from(`commit ${ref}\ncommitter ${committer}\n${message}\n${parent === null ? '' : `from ${parent}\n`}`),
        ...commit.removed.map((path) => Buffer.from(`D ${quotePath(path)}\n`)),
        ...commit.added.flatMap(({ path, bytes }) => [
          Buffer.from(`M 100644 inline ${quotePath(path)}\ndata ${bytes.length}\n`),
          ...[bytes, Buffer.from('\n')],
        ]),
      ];
      await git(['fast-import', '--quiet', '--force', '--date-format=raw'], stream);
      await git(['push', '--quiet', '--no-verify', 'origin', `${ref}:refs/heads/${BRANCH}`]);
      return { base: `${BRANCH}:${BRANCH_FOLDER}/`, uploaded: commit.added.length - 1, present: commit.present };
    } catch (cause) {
      if (!(cause instanceof GitError)) throw cause;
      const isBehind = /fetch first|non-fast-forward|cannot lock ref|failed to update ref/.test(cause.message);
      if (isBehind && attempt < MAX_PUSHES) continue;
      const advice = 'Run the command in a clone with a remote "origin" that you may push to.';
      throw invalidCommand('git', cause.message, advice);
    } finally {
      await git(['update-ref', '-d', ref]).catch(messageOf);
    }
  }
}

async function fetchBranch(git: Git, ref: string): Promise<string | null> {
  const found = await git(['ls-remote', 'origin', `refs/heads/${BRANCH}`]);
  if (found.trim() === '') return null;
  await git(['fetch', '--quiet', '--no-tags', 'origin', `+refs/heads/${BRANCH}:${ref}`]);
  return (await git(['rev-parse', ref])).trim();
}

async function planCommit(
  name: string,
  report: PublicReport,
  manifest: z.infer<typeof manifestSchema>,
  present: ReadonlySet<string>,
  { reports, days }: Retention,
) {
  const images: string[] = [];
  const added: Pick<PublicFile, 'path' | 'bytes'>[] = [];
  const add = ({ path, bytes }: PublicFile) => added.push({ path: `${BRANCH_FOLDER}/${path}`, bytes });
  for await (const file of report.images()) {
    images.push(file.path);
    if (!present.has(`${BRANCH_FOLDER}/${file.path}`)) add(file);
  }
  const known = images.length - added.length;
  report.pages().forEach(add);
  const oldest = new Date(Date.now() - days * 86_400_000).toISOString();
  const earlier = manifest.filter((report) => report.name !== name && report.at > oldest);
  const kept = [{ name, at: new Date().toISOString(), images }, ...earlier.sort((a, b) => (a.at < b.at ? 1 : -1))];
  kept.splice(reports);
  const needed = new Set(kept.flatMap((report) => report.images));
  const gone = manifest.filter((old) => !kept.some((report) => report.name === old.name));
  const all = manifest.flatMap((report) => report.images);
  const unused = new Set(all.filter((path) => !needed.has(path)).map((path) => `${BRANCH_FOLDER}/${path}`));
  const isGone = (path: string) => gone.some((old) => path.startsWith(`${BRANCH_FOLDER}/${old.name}/`));
  const bytes = Buffer.from(`${JSON.stringify(kept, null, 1)}\n`);
  return {
    added: [...added, { path: MANIFEST, bytes }],
    removed: [...present].filter((path) => unused.has(path) || isGone(path)),
    present: known,
  };
}

function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

type Git = (words: readonly string[], input?: readonly Buffer[]) => Promise<string>;

class GitError extends Error {}

async function runGit(cwd: string, words: readonly string[], input: readonly Buffer[]): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  const options = { cwd, env, input: Buffer.concat(input), maxBuffer: 256 * 1024 * 1024, encoding: 'utf8' } as const;
  const { status, stdout, stderr, error } = spawnSync('git', words, options);
  if (status === 0) return stdout;
  // A token in the URL of the remote must not be printed.
  const said = (stderr?.trim() || messageOf(error)).replace(/\/\/[^\s/@]+@/g, '//').replace(/\s+/g, ' ');
  throw new GitError(`git ${words[0]}: ${said}`);
}
