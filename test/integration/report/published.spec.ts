import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { publishToBranch, publishToFolder } from '../../../src/commands/publish-places.js';
import { chooseBrowser } from '../../../src/page/browser/launch.js';
import { listen } from '../../../src/reuse/folder-servers.js';
import { assembleReport } from '../../../src/review/assemble-report.js';
import { OFFLINE_FLAGS } from '../../e2e/project.js';
import { finishRun } from '../../unit/review/finished-run.js';

const { executablePath } = chooseBrowser(
  { browserName: 'chromium', channel: undefined, headless: true, executablePath: undefined, remote: false },
  process,
);
test.use({ launchOptions: { ...(executablePath && { executablePath }), args: OFFLINE_FLAGS } });

test('a published report opens from a folder, from a web server and from a branch, with its images', async ({
  page,
}) => {
  const { root, folder } = await finishRun([{ id: 'home', status: 'changed', before: '#ff0000', after: '#0000ff' }]);
  const { files } = await assembleReport(folder, 'pr-1');
  await publishToFolder(join(root, 'public'), files);

  const git = (cwd: string, ...words: string[]) => execFileSync('git', words, { cwd, stdio: 'pipe' });
  const remote = mkdtempSync(join(tmpdir(), 'proofsheet-remote-'));
  git(remote, 'init', '-q', '--bare');
  git(root, 'init', '-q');
  git(root, 'remote', 'add', 'origin', remote);
  await publishToBranch(root, 'gh-pages', { name: 'pr-1', files }, { reports: 5, days: 5 });
  git(root, 'clone', '-q', '--branch', 'gh-pages', remote, 'pages');

  const server = createServer(async ({ url = '' }, response) => {
    const body = await readFile(join(root, url)).catch(() => null);
    const type = url.endsWith('.html') ? 'text/html; charset=utf-8' : 'image/png';
    response.writeHead(body ? 200 : 404, { 'content-type': type }).end(body);
  });
  await listen(server, '127.0.0.1', 0, 'the report');
  const address = server.address();
  const web = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  try {
    const troubles: string[] = [];
    page.on('console', (message) => troubles.push(message.text()));
    page.on('pageerror', (error) => troubles.push(error.message));
    const places = [
      pathToFileURL(join(root, 'public/pr-1/index.html')).href,
      `${web}/public/pr-1/index.html`,
      `${web}/pages/proofsheet/pr-1/index.html`,
    ];
    for (const place of places) {
      await page.goto(place);
      const image = page.locator('.shot-cards img').first();
      await image.scrollIntoViewIfNeeded();
      await expect(image).toHaveJSProperty('naturalWidth', 8);
      expect(await image.getAttribute('src')).toMatch(/^\.\.\/screenshots\/[\da-f]{64}\.png$/);
      await expect(page.getByRole('button', { name: 'Reject' })).toHaveCount(0);
    }
    expect(troubles).toEqual([]);
  } finally {
    server.close();
  }
});
