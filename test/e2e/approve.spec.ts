import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readRun } from '../../src/baselines/read-run.js';
import { baselineOf, finishRun, pathOf } from '../unit/review/finished-run.js';
import { makeBaselines, SNAPSHOTS } from './baselines.js';
import { config, expect, html, type Project, SPEC, test } from './project.js';

const HOME = `${SNAPSHOTS}/home-linux.png`;
const ABOUT = `${SNAPSHOTS}/about-linux.png`;

test.skip(process.platform !== 'linux', 'names of baselines hold the platform');

test('approve writes the bytes that an update run writes, touches no other baseline, and names what it refuses', async ({
  project,
  site,
}) => {
  site.write({
    'index.html': html('<h1>Welcome</h1><p>masked</p><h2>ignored</h2>'),
    'about.html': html('<h1>About us</h1>'),
  });
  const list = `baseURL: ${site.url}
pages:
  - { name: home, url: /, mask: p, ignore: h2 }
  - { name: about, url: /about.html }
`;
  project.write({ 'pages.yaml': list, 'visual.spec.mjs': SPEC, 'playwright.config.mjs': config() });
  await makeBaselines(project, site);
  const old = readFileSync(project.path(HOME));
  const untouched = statSync(project.path(ABOUT));
  site.write({
    'index.html': html('<h1>Welcome!</h1><p>masked</p><h2>ignored</h2>'),
    'about.html': html('<h1>About you</h1>'),
  });
  project.write({ 'pages.yaml': `${list}  - { name: gone, url: /gone.html }\n` });
  expect(await project.test()).toExit(1);
  expect(project.statuses()).toEqual(['about: changed', 'gone: error', 'home: changed']);

  const approved = await project.proofsheet(['approve', 'home']);
  expect(approved).toExit(0);
  const share = '93.55 % of the pixels are compared';
  expect(approved.stdout).toBe(`approved 1 shot, baselines written:\n  home  ${HOME} (${share})\n`);
  const byApproval = readFileSync(project.path(HOME));
  expect(byApproval.equals(old)).toBe(false);
  expect(statSync(project.path(ABOUT)).mtimeMs).toBe(untouched.mtimeMs);
  expect(project.shot('home').decision).toBe('approved');
  expect(approved.output, 'the report is that of the last run').toBe(approved.stdout);

  const all = await project.proofsheet(['approve', '--all']);
  expect(all).toExit(2);
  expect(all.stdout).toContain(`approved 1 shot, baselines written:\n  about  ${ABOUT}\n`);
  expect(all.stdout).toMatch(/refused: gone: the shot has an error: .*HTTP status 404/);

  // An update run writes the bytes of the approval again, and leaves the other approved page as it is.
  const byApprovalOfAll = statSync(project.path(ABOUT));
  project.write({ [HOME]: old });
  expect(await project.test(['--update-snapshots', '--reporter=line', '--grep=home|about'])).toExit(0);
  expect(readFileSync(project.path(HOME)).equals(byApproval)).toBe(true);
  expect(statSync(project.path(ABOUT)).mtimeMs).toBe(byApprovalOfAll.mtimeMs);
  const stale = await project.proofsheet(['approve', 'home']);
  expect(stale).toExit(2);
  expect(stale.output).toMatch(/the report is from a run that ended at .*\. A later run \(.*\) wrote no report/);
});

// That what is left is approved afterwards: test/unit/review/approve.test.ts.
test('after a kill, every baseline is the old file or the new file', { tag: '@soak' }, async ({ project }) => {
  const names = Array.from({ length: 60 }, (_, index) => `page-${index}`);
  const pages = names.map((id) => ({ id, status: 'changed', before: '#ff0000', after: '#0000ff' }) as const);
  let wasHalf = false;
  // Until one was killed in the middle.
  for (let round = 0; round < 40 && !wasHalf; round++) {
    const { root, folder } = await finishRun(pages);
    await killedApproval(project, root, round);
    const written = names.filter((id) => {
      const bytes = readFileSync(join(root, pathOf(id)));
      const isNew = bytes.equals(baselineOf(id, '#0000ff'));
      expect(isNew || bytes.equals(baselineOf(id, '#ff0000')), id).toBe(true);
      return isNew;
    });
    expect((await readRun(folder)).shots).toHaveLength(names.length);
    wasHalf = written.length > 0 && written.length < names.length;
    const rest = await project.proofsheet(['approve', '--all', '--config', root, '--json']);
    expect(rest).toExit(0);
    const answer = JSON.parse(rest.stdout);
    expect(answer.written.length + answer.kept.length, 'the next one finishes what it left').toBe(names.length);
    expect(readdirSync(join(root, 'shots')), 'and nothing else is there').toHaveLength(names.length);
    rmSync(root, { recursive: true });
  }
  expect(wasHalf).toBe(true);
});

/** Kills it as soon as a baseline has changed, and a little later each time. */
async function killedApproval(project: Project, root: string, round: number): Promise<void> {
  const args = [project.path('node_modules/proofsheet/dist/cli.js'), 'approve', '--all'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const first = join(root, pathOf('page-0'));
  const { ino } = statSync(first);
  while (child.exitCode === null && statSync(first).ino === ino) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setTimeout(resolve, round * 3));
  child.kill('SIGKILL');
  await ended;
}
