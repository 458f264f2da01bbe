import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readRun } from '../../../src/baselines/read-run.js';
import { nameReport } from '../../../src/commands/publish.js';
import { publishToBranch } from '../../../src/commands/publish-places.js';
import { readSummary } from '../../../src/review/read-report.js';
import type { ProjectFolders } from '../../../src/run/project.js';
import { startS3 } from '../baselines/s3-server.js';
import { finishRun } from '../review/finished-run.js';
import { makeTempFolder } from '../temp-folder.js';
import { runCommand } from './run-command.js';

const NO_CI = { GITHUB_REF: '', GITHUB_SHA: '', GITHUB_REPOSITORY: '', CI_MERGE_REQUEST_IID: '', CI_COMMIT_SHA: '' };

let places: ProjectFolders;

async function publish(words: string, env: Record<string, string> = {}) {
  const ended = await runCommand(places.root, ['publish', '--json', ...words.split(' ')], { ...NO_CI, ...env });
  return { ...ended, answer: JSON.parse(ended.stdout) };
}

/** A report with three images, two of which are equal. */
beforeEach(async () => {
  places = await finishRun([
    { id: 'home', status: 'changed', before: '#ff0000', after: '#0000ff' },
    { id: 'about', status: 'changed', before: '#ff0000', after: '#00ff00' },
  ]);
  const run = await readRun(places.folder);
  const [home, about] = run.shots;
  const copy = { ...home, id: 'copy', project: 'chromium' };
  writeFileSync(join(places.folder, 'results.json'), JSON.stringify({ ...run, shots: [home, about, copy] }));
});

describe('in a folder', () => {
  test('each image is there once, named by its hash, and all reports share them', async () => {
    const first = await publish('--to public --name one');
    expect(first.answer).toMatchObject({ name: 'one', uploaded: 7, present: 0 });
    expect(first.answer.address).toBe(join(places.root, 'public/one/index.html'));
    expect(readdirSync(join(places.root, 'public/screenshots')).map(extname).sort()).toEqual([
      ...['.png', '.png', '.webp', '.webp'],
    ]);
    expect(readdirSync(join(places.root, 'public/one')).sort()).toEqual(['index.html', 'results.json', 'summary.md']);
    const page = readFileSync(first.answer.address, 'utf8');
    const links = [...page.matchAll(/"href":"(\.\.\/screenshots\/[\da-f]{64}\.png)"/g)].map(([, link = '']) => link);
    expect(links).toHaveLength(3);
    // A group of two and a single shot.
    const thumbnails = [...page.matchAll(/"thumbnail":{"href":"(.*?)"/g)].map(([, link = '']) => link);
    expect(thumbnails).toHaveLength(3);
    for (const link of [...links, ...thumbnails]) expect(existsSync(join(places.root, 'public/one', link))).toBe(true);
    expect((await publish('--to public --name two')).answer).toMatchObject({ uploaded: 3, present: 4 });
  });

  test('the page is rendered from the record, only images of the report are published, and its address can be set', async () => {
    writeFileSync(join(places.folder, 'index.html'), 'evil');
    writeFileSync(join(places.root, 'secret.png'), 'secret');
    const run = await readRun(places.folder);
    const before = { link: '../secret.png', width: 1, height: 1, source: '' };
    const shots = run.shots.map((shot) => ({ ...shot, before }));
    writeFileSync(join(places.folder, 'results.json'), JSON.stringify({ ...run, shots }));
    const PROOFSHEET_PUBLIC_URL = 'https://visual.example.com/reports/';
    const { answer } = await publish('--to public --name one', { PROOFSHEET_PUBLIC_URL });
    expect(answer.address).toBe('https://visual.example.com/reports/one/index.html');
    expect(readFileSync(join(places.root, 'public/one/index.html'), 'utf8')).not.toContain('evil');
    const published = readdirSync(join(places.root, 'public/screenshots'));
    expect(published.filter((name) => name.endsWith('.png'))).toHaveLength(2);
    const wrong = await publish('--to public', { PROOFSHEET_PUBLIC_URL: 'javascript:alert(1)' });
    expect([wrong.code, wrong.answer.message]).toEqual([2, expect.stringContaining('this is not an http:// or')]);
  });

  test('the pictures of a comment are files of the published report', async () => {
    await publish('--to public --name one');
    const url = 'https://visual.example.com/one/index.html';
    const { text } = await readSummary(places.folder, { url, hasPictures: true });
    const pictures = [...text.matchAll(/src="https:\/\/visual\.example\.com\/(.*?)"/g)].map(([, path = '']) => path);
    expect(pictures.map((path) => existsSync(join(places.root, 'public', path)))).toEqual([true, true, true]);
    const without = await readSummary(places.folder, { url, hasPictures: false });
    expect(without.text).not.toContain('<img');
    expect(without.text).toContain(`[changed](<${url}#shot/0>)`);
  });

  test.each(['../x', 'Screenshots', '-x', 'a/b', '.', 'aux.1'])('a report cannot have the name %s', async (name) => {
    const { code, answer } = await publish(`--to public --name=${name}`);
    expect([code, answer.message]).toEqual([2, expect.stringContaining('cannot be the folder of a report')]);
  });
});

test.each([
  [{ GITHUB_REF: 'refs/pull/12/merge', GITHUB_SHA: 'a'.repeat(40) }, /^pr-12$/],
  [{ CI_MERGE_REQUEST_IID: '7' }, /^pr-7$/],
  [{ GITHUB_REF: 'refs/heads/main', GITHUB_SHA: 'a'.repeat(40) }, /^a{12}$/],
  [{}, /^20\d\d-\d\d-\d\d-\d\d-\d\d-\d\d$/],
])(
  'the name of a report comes from the pull request, else from the commit, else from the time: %j',
  async (env, name) => {
    expect(await nameReport(places.root, env)).toMatch(name);
  },
);

test('in a bucket, an image that is there already is not uploaded again, and a missing bucket is an error', async () => {
  const { bucket, env, close } = await startS3();
  const to = `--to s3://${bucket}/visual/x`;
  const address = `${env.AWS_ENDPOINT_URL}/${bucket}/visual/x/one/index.html`;
  expect((await publish(`${to} --name one`, env)).answer).toMatchObject({ uploaded: 7, present: 0, address });
  expect((await publish(`${to} --name two`, env)).answer).toMatchObject({ uploaded: 3, present: 4 });
  const { code, answer } = await publish('--to s3://no-such-bucket/x', env);
  expect([code, answer.code]).toEqual([2, 'storage-failed']);
  await close();
});

describe('in a branch', () => {
  let remote: string;
  const git = (cwd: string, ...words: string[]) =>
    execFileSync('git', words, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
  const listed = (path = '') => git(remote, 'ls-tree', '-r', '--name-only', `gh-pages:${path}`).split('\n');

  beforeEach(() => {
    remote = makeTempFolder();
    git(remote, 'init', '-q', '--bare');
    git(places.root, 'init', '-q', '-b', 'work');
    for (const pair of ['user.name=a', 'user.email=a@a.test']) git(places.root, 'config', ...pair.split('='));
    git(places.root, 'commit', '-q', '--allow-empty', '-m', 'first');
    git(places.root, 'remote', 'add', 'origin', remote);
  });

  test('a report is a commit on the branch of the remote, and the clone does not change', async () => {
    const stateOf = () => [
      git(places.root, 'status', '--porcelain'),
      git(places.root, 'for-each-ref', 'refs/heads', 'refs/proofsheet'),
      git(places.root, 'rev-parse', 'HEAD'),
    ];
    const before = stateOf();
    const env = { GITHUB_REPOSITORY: 'Octo/site' };
    const { code, answer } = await publish('--to gh-pages --name pr-3', env);
    expect(code).toBe(0);
    expect(answer).toMatchObject({ uploaded: 7, present: 0 });
    expect(answer.address).toBe('https://octo.github.io/site/proofsheet/pr-3/index.html');
    expect(stateOf()).toEqual(before);
    expect(listed()).toEqual([
      ...['index.html', 'results.json', 'summary.md'].map((name) => `proofsheet/pr-3/${name}`),
      'proofsheet/reports.json',
      ...Array(4).fill(expect.stringMatching(/^proofsheet\/screenshots\/[\da-f]{64}\.(?:png|webp)$/)),
    ]);
    expect((await publish('--to gh-pages --name pr-4', env)).answer).toMatchObject({ uploaded: 3, present: 4 });
    expect(git(remote, 'rev-list', '--count', 'gh-pages')).toBe('2');
  });

  test('old reports are removed with the images that only they have; other files of the branch stay', async () => {
    const other = makeTempFolder();
    git(other, 'clone', '-q', remote, '.');
    writeFileSync(join(other, 'index.html'), 'the site');
    git(other, 'checkout', '-q', '-b', 'gh-pages');
    git(other, 'add', '.');
    git(other, '-c', 'user.name=a', '-c', 'user.email=a@a.test', 'commit', '-q', '-m', 'site');
    git(other, 'push', '-q', 'origin', 'gh-pages');
    await publish('--to gh-pages --name a --keep 2');
    const images = listed('proofsheet/screenshots');
    places = { ...places, folder: join(places.root, 'later') };
    const later = await finishRun([{ id: 'home', status: 'new', after: '#123456' }]);
    for (const name of ['b', 'c']) await publish(`--to gh-pages --name ${name} --keep 2 --from ${later.folder}`);
    const reports = JSON.parse(git(remote, 'show', 'gh-pages:proofsheet/reports.json'));
    expect(reports.map((report: { name: string }) => report.name)).toEqual(['c', 'b']);
    expect(listed().filter((path) => path.endsWith('index.html'))).toEqual([
      ...['index.html', 'proofsheet/b/index.html', 'proofsheet/c/index.html'],
    ]);
    expect(listed('proofsheet/screenshots')).toHaveLength(2);
    expect(images).toHaveLength(4);
  });

  test('several jobs at once all publish', async () => {
    const jobs = ['one', 'two', 'three'].map((name) => {
      const [path, bytes] = [`${name}/index.html`, Buffer.from(name)];
      const report = {
        async *images() {},
        pages: () => [{ path, contentType: 'text/html', isFixed: false, bytes }],
      };
      return publishToBranch(places.root, name, report, { reports: 50, days: 90 });
    });
    expect((await Promise.all(jobs)).map(({ uploaded }) => uploaded)).toEqual([1, 1, 1]);
    const reports = JSON.parse(git(remote, 'show', 'gh-pages:proofsheet/reports.json'));
    expect(reports.map((report: { name: string }) => report.name).sort()).toEqual(['one', 'three', 'two']);
  });

  test('what Git refuses is an error without the token of the remote', async () => {
    git(places.root, 'remote', 'set-url', 'origin', 'https://x:SECRET@127.0.0.1:1/none.git');
    const { code, answer, output } = await publish('--to gh-pages --name a');
    expect([code, answer.code]).toEqual([2, 'command-invalid']);
    expect(output).not.toContain('SECRET');
  });
});
