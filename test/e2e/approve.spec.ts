import { readFileSync, rmSync, statSync } from 'node:fs';
import { makeBaselines, SNAPSHOTS } from './baselines.js';
import { expect, filesOf, html, test } from './project.js';

const HOME = `${SNAPSHOTS}/home-linux.png`;
const ABOUT = `${SNAPSHOTS}/about-linux.png`;

test.skip(process.platform !== 'linux', 'names of baselines hold the platform');

test('approve writes the bytes that an update run writes, touches no other baseline, and names what it refuses; a run knows what was rejected', {
  tag: '@versions',
}, async ({ project, site }) => {
  site.write({
    'index.html': html('<h1>Welcome</h1><p>masked</p><h2>ignored</h2>'),
    'about.html': html('<h1>About us</h1>'),
  });
  const list = `baseURL: ${site.url}
pages:
  - { name: home, url: /, mask: p, ignore: h2 }
  - { name: about, url: /about.html }
`;
  project.write(filesOf(list));
  await makeBaselines(project);
  const old = readFileSync(project.path(HOME));
  const untouched = statSync(project.path(ABOUT));
  site.write({
    'index.html': html('<h1>Welcome!</h1><p>masked</p><h2>ignored</h2>'),
    'about.html': html('<h1>About you</h1>'),
  });
  project.write({ 'pages.yaml': `${list}  - { name: gone, url: /gone.html }\n` });
  expect(await project.test(['--grep=about'])).toExit(1);
  expect(await project.proofsheet(['reject', 'about', '--reason', 'it must stay'])).toExit(0);
  // As in CI, where the report of the run before does not exist.
  rmSync(project.path('proofsheet-report'), { recursive: true });
  const run = await project.test();
  expect(run).toExit(1);
  expect(run.stdout).toMatch(/changed +about +rejected before .*on [\d-]+: it must stay; h1: text/);
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
  expect(project.exists('proofsheet-rejections.json'), 'nothing is rejected any more').toBe(false);
  expect(all.stdout).toMatch(/refused: gone: the shot has an error: .*HTTP status 404/);

  // An update run writes the bytes of the approval again, and leaves the other approved page as it is.
  const byApprovalOfAll = statSync(project.path(ABOUT));
  project.write({ [HOME]: old });
  expect(await project.test(['--update-snapshots', '--reporter=line', '--grep=home|about'])).toExit(0);
  expect(readFileSync(project.path(HOME)).equals(byApproval)).toBe(true);
  expect(statSync(project.path(ABOUT)).mtimeMs).toBe(byApprovalOfAll.mtimeMs);
});
