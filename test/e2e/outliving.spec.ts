import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type TestInfo } from '@playwright/test';
import { chooseBrowser, repeatableFlags } from '../../src/browser/launch.js';
import { connectOutliving } from '../../src/browser/outliving.js';
import { config, expect, html, OFFLINE_FLAGS, test as projectTest, SPEC } from './project.js';

const { executablePath } = chooseBrowser(
  { browserName: 'chromium', channel: undefined, headless: true, executablePath: undefined, remote: false },
  process,
);
const launchOptions = { ...(executablePath && { executablePath }), args: repeatableFlags(OFFLINE_FLAGS) };

const test = projectTest.extend<{ owner: ChildProcess & { pid: number } }>({
  owner: async ({}, use) => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    if (child.pid === undefined) throw new Error('no process could be started');
    await use(Object.assign(child, { pid: child.pid }));
    child.kill('SIGKILL');
  },
});

async function pidOf(browser: Browser | null): Promise<number | undefined> {
  const session = await browser?.newBrowserCDPSession();
  const answer = await session?.send('SystemInfo.getProcessInfo');
  return answer?.processInfo.find(({ type }) => type === 'browser')?.id;
}

async function isServed(endpoint: string): Promise<boolean> {
  const { host } = new URL(endpoint);
  return fetch(`http://${host}/json/version`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** A wish by which every process that comes of it is known. */
function marked(info: TestInfo, ownerPid: number) {
  const mark = `--mark=${randomUUID()}`;
  const options = { ...launchOptions, args: [...launchOptions.args, mark] };
  return { mark, wish: { file: info.outputPath('browser'), launchOptions: options, ownerPid } };
}

/** The processes that have a mark among their arguments. */
function bearing(mark: string): { pid: number; args: string }[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8', maxBuffer: 1e8 }).split('\n');
  return lines
    .filter((line) => line.includes(mark))
    .map((line) => ({ pid: Number.parseInt(line, 10), args: line.trim().replace(/^\d+ /, '') }));
}

test('who comes after finds the same browser, and nothing that was left in it', async ({ owner }, info) => {
  const wish = { file: info.outputPath('browser'), launchOptions, ownerPid: owner.pid };
  const first = await connectOutliving(chromium, wish);
  const context = await first?.newContext();
  await context?.addCookies([{ name: 'left', value: '1', url: 'http://127.0.0.1' }]);
  await context?.newPage();
  const pid = await pidOf(first);
  expect(pid).toBeGreaterThan(0);
  await first?.close();

  const second = await connectOutliving(chromium, wish);
  expect(await pidOf(second)).toBe(pid);
  expect(await second?.newContext().then((other) => other.cookies())).toEqual([]);
  const session = await second?.newBrowserCDPSession();
  const { browserContextIds } = (await session?.send('Target.getBrowserContexts')) ?? {};
  expect(browserContextIds, 'its own alone').toHaveLength(1);
  await second?.close();
});

test('it ends with its owner, however that ends', async ({ owner }, info) => {
  const file = info.outputPath('browser');
  const browser = await connectOutliving(chromium, { file, launchOptions, ownerPid: owner.pid });
  const endpoint = readFileSync(file, 'utf8');
  expect(await isServed(endpoint)).toBe(true);
  owner.kill('SIGKILL');
  await expect.poll(() => isServed(endpoint)).toBe(false);
  await expect.poll(() => browser?.isConnected()).toBe(false);
});

for (const [when, count] of [
  ['before anything is launched', 1],
  ['while the first browser starts', 2],
] as const) {
  test(`nothing is left of one whose owner ends ${when}`, async ({ owner }, info) => {
    const { wish, mark } = marked(info, owner.pid);
    const asked = connectOutliving(chromium, wish);
    await expect.poll(() => bearing(mark).length, { intervals: [20], timeout: 20_000 }).toBeGreaterThanOrEqual(count);
    owner.kill('SIGKILL');
    const browser = await asked;
    await expect.poll(() => bearing(mark), { timeout: 20_000 }).toEqual([]);
    expect(browser?.isConnected() ?? false).toBe(false);
  });
}

test('its keeper takes it along when it is told to end', async ({ owner }, info) => {
  const { wish, mark } = marked(info, owner.pid);
  const browser = await connectOutliving(chromium, wish);
  const keeper = bearing(mark).find(({ args }) => args.includes('launchServer'));
  expect(keeper).toBeDefined();
  process.kill(keeper?.pid ?? 0, 'SIGTERM');
  await expect.poll(() => bearing(mark), { timeout: 20_000 }).toEqual([]);
  await expect.poll(() => browser?.isConnected(), { timeout: 20_000 }).toBe(false);
});

test('nobody waits for the end of the first process, which takes over the workers of a killed run', async ({}, info) => {
  const { wish, mark } = marked(info, 1);
  expect(await connectOutliving(chromium, wish)).toBeNull();
  expect(bearing(mark)).toEqual([]);
  expect(existsSync(wish.file)).toBe(false);
});

test('one that has gone is replaced', async ({ owner }, info) => {
  const file = info.outputPath('browser');
  writeFileSync(file, 'ws://127.0.0.1:9/devtools/browser/none');
  const browser = await connectOutliving(chromium, { file, launchOptions, ownerPid: owner.pid });
  expect(await pidOf(browser)).toBeGreaterThan(0);
  await browser?.close();
});

test('where there can be none, there is none', async ({ owner }, info) => {
  const wish = { file: info.outputPath('browser'), launchOptions: { executablePath: '/none' }, ownerPid: owner.pid };
  expect(await connectOutliving(chromium, wish)).toBeNull();
});

test('workers that follow one whose test failed share a browser, which is gone after the run', async ({
  project,
  site,
}) => {
  const names = ['a', 'b', 'c', 'd'];
  site.write(Object.fromEntries(names.map((name) => [`${name}.html`, html(`<h1>${name}</h1>`)])));
  project.write({
    // With this Playwright begins a new worker even where a page only differs.
    'playwright.config.ts': config("workers: 1, preserveOutput: 'failures-only',"),
    'visual.spec.ts': SPEC,
    'pages.yaml': `baseURL: ${site.url}\npages: [${names.map((name) => `/${name}.html`).join(', ')}]\n`,
  });
  expect(await project.test(['--update-snapshots=none'])).toExit(1);
  expect(project.statuses()).toEqual(names.map((name) => `${name}.html: new`));
  const claims = project.path('test-results/.proofsheet/claims');
  const [run = ''] = readdirSync(claims);
  const kept = readdirSync(join(claims, run)).filter((name) => name.startsWith('browser-'));
  expect(kept).toHaveLength(1);
  const endpoint = readFileSync(join(claims, run, kept[0] ?? ''), 'utf8');
  await expect.poll(() => isServed(endpoint)).toBe(false);
});
