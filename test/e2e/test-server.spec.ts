import { spawn } from 'node:child_process';
import { mergeTests, type Page } from '@playwright/test';
import { commandEnv, config, expect, html, type Project, test as projectTest, SPEC } from './project.js';
import { test as reportTest } from './report-page.js';

const test = mergeTests(projectTest, reportTest);

const style = (color: string) => `p { color: ${color} }`;
const matcher = (title: string, url: string) => `import { expect, test } from 'proofsheet';
test('${title}', async ({ page }) => {
  await page.goto('${url}/home.html');
  await expect(page).toMatchBaseline('cart');
});
`;

test('in an editor or UI mode, no run takes what an earlier run of the same process wrote, read or locked', async ({
  page,
  project,
  site,
}) => {
  site.write({ 'home.html': html('<p>Home</p>', '<link rel="stylesheet" href="a.css">'), 'a.css': style('red') });
  project.write({
    'pages.yaml': `serve: ${JSON.stringify(site.folder)}\nreuse: true\npages: [{ name: home, url: /home.html }]\n`,
    'visual.spec.ts': SPEC,
    'cart.spec.ts': matcher('cart', site.url),
    'playwright.config.ts': config(),
  });
  const server = await startTestServer(project, page);
  const cart = 'cart/cart';
  const run = async () => {
    await server.runTests();
    return project.statuses();
  };
  expect(await run()).toEqual([`${cart}: new`, 'home: new']);
  expect(await run(), 'an earlier run wrote the baselines').toEqual([`${cart}: passed`, 'home: passed']);
  expect(project.shot('home').reused).toBe(true);
  project.write({ 'cart.spec.ts': matcher('cart, renamed', site.url) });
  site.write({ 'a.css': style('blue') });
  expect(await run(), 'an earlier run had a test of another title, and read the style sheet').toEqual([
    `${cart}: changed`,
    'home: changed',
  ]);
  await server.stop();
});

/** The process that runs the tests of an editor: `playwright test-server`. UI mode is the same server with a page. */
interface TestServer {
  runTests(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server, and connects to it with a WebSocket of the page: Node 20 has none. */
async function startTestServer(project: Project, page: Page): Promise<TestServer> {
  const server = spawn(
    process.execPath,
    [project.path('node_modules/@playwright/test/cli.js'), 'test-server', '--host', '127.0.0.1'],
    { cwd: project.folder, env: commandEnv(), stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const closed = new Promise((resolve) => void server.once('close', resolve));
  const url = await new Promise<string>((resolve) => {
    server.stdout.on('data', (chunk: Buffer) => {
      const [, found] = /Listening on (ws:\S+)/.exec(String(chunk)) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const send = (method: string, params: object) =>
    page.evaluate(
      ([address, text]) =>
        new Promise<void>((resolve, reject) => {
          const socket = new WebSocket(address);
          socket.onopen = () => socket.send(text);
          socket.onerror = () => reject(new Error('no connection'));
          socket.onmessage = ({ data }) => {
            const { id, error } = JSON.parse(data);
            if (id !== 1) return;
            socket.close();
            if (error) reject(new Error(String(error)));
            else resolve();
          };
        }),
      [url, JSON.stringify({ id: 1, method, params })] as const,
    );
  await send('initialize', {});
  return {
    runTests: () => send('runTests', {}),
    async stop() {
      server.kill();
      await closed;
    },
  };
}
