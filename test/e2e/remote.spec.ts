import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { chromium } from '@playwright/test';
import { findSystemBrowser } from '../../src/page/browser/find-browser.js';
import { expect, html, type Project, QUICK_START, SPEC, test } from './project.js';

test('a remote browser that was launched without our flags causes one notice with their names', {
  tag: '@soak',
}, async ({ project, site }) => {
  site.write({ 'a.html': html('<h1>A</h1>'), 'b.html': html('<h1>B</h1>') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages: [{ name: a, url: /a.html }, { name: b, url: /b.html }]\n`,
    'visual.spec.ts': `${SPEC}import { expect, test } from 'proofsheet';
test('own', async ({ page }) => {
  await page.goto('${site.url}/a.html');
  await expect(page).toMatchBaseline('own');
});
`,
    'playwright.config.ts': `import { defineConfig } from '@playwright/test';
export default defineConfig({
  workers: 2,
  fullyParallel: true,
  reporter: [['proofsheet/reporter'], ['list']],
  use: {
    connectOptions: { wsEndpoint: process.env.SERVER },
    launchOptions: { args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-background-networking'] },
  },
});
`,
  });
  const safe = await startServer(project, []);
  const run = await project.test(['-u'], { SERVER: safe.endpoint });
  await safe.stop();
  expect(run).toExit(0);
  const told = run.output.split('\n').filter((line) => line.includes('the remote browser was launched without'));
  expect(told).toHaveLength(1);
  for (const flag of ['--font-render-hinting=none', '--disable-lcd-text', '--blink-settings=imageAnimationPolicy=2'])
    expect(told[0]).toContain(flag);
  expect(told[0], 'flags of the project are among them, without their values').toContain('--host-resolver-rules, ');
  expect(told[0], 'Playwright sets this one by itself').not.toContain('--force-color-profile');
  expect(told[0]).toContain('`npx playwright run-server --unsafe`');

  const unsafe = await startServer(project, ['--unsafe']);
  const again = await project.test(['-u', '--workers=1'], { SERVER: unsafe.endpoint });
  await unsafe.stop();
  expect(again).toExit(0);
  expect(again.output).not.toContain('launched without');
});

/** Starts `playwright run-server` over loopback. */
async function startServer(project: Project, options: readonly string[]) {
  const server = spawn(
    process.execPath,
    [
      ...[project.path('node_modules/@playwright/test/cli.js'), 'run-server', '--host', '127.0.0.1', '--port', '0'],
      ...options,
    ],
    {
      cwd: project.folder,
      env: { ...process.env, ...QUICK_START, ...browsersFor(project) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const endpoint = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (chunk: Buffer) => {
      const found = /ws:\/\/\S+/.exec(String(chunk));
      if (found) resolve(found[0]);
    });
    server.on('exit', () => reject(new Error('playwright run-server ended')));
  });
  return { endpoint, stop: () => stop(server) };
}

/** A server without `--unsafe` launches Playwright's own browser: where there is none, one of the machine stands for it. */
function browsersFor(project: Project): Record<string, string> {
  const own = /^(.*)chromium-(\d+)[\\/]/.exec(chromium.executablePath());
  if (!own?.[1] || existsSync(`${own[1]}chromium_headless_shell-${own[2]}`)) return {};
  const system = findSystemBrowser(process, true);
  if (!system) throw new Error('there is no Chromium on this machine');
  const folder = project.path('browsers');
  const name =
    process.arch === 'x64' ? 'chrome-headless-shell-linux64/chrome-headless-shell' : 'chrome-linux/headless_shell';
  const path = `${folder}/chromium_headless_shell-${own[2]}/${name}`;
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(system.executablePath, path);
  }
  return { PLAYWRIGHT_BROWSERS_PATH: folder };
}

/** It does not always end by SIGTERM. */
async function stop(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
}
