import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startServer } from './direct.js';
import { expect, html, test } from './project.js';

const PAGE = html('<h1>Shop</h1>');

test('proofsheet serve prints its URL, captures, and finishes running requests after SIGTERM', async ({ project }) => {
  const { server, close } = await startServer(({ url }) => (url.pathname === '/slow' ? null : PAGE));
  const args = ['serve', '--port', '0', '--allow-private', '--storage', 'kept', '--retention', '2', '--queue', '4'];
  const env = { ...process.env, PROOFSHEET_KEYS: 'old, new' };
  const service = spawn(project.path('node_modules/.bin/proofsheet'), args, { cwd: project.folder, env });
  const ended = once(service, 'exit');
  let output = '';
  for (const stream of [service.stdout, service.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [line]: string[] = await once(createInterface(service.stdout), 'line');
  expect(line).toMatch(/^proofsheet: capture service listening on http:\/\/127\.0\.0\.1:\d+ \(2 keys\)$/);
  const base = /http:\S+/.exec(line ?? '')?.[0] ?? '';
  const ask = (path: string, key: string) =>
    fetch(`${base}/api/v1/screenshot`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-serviceapi-key': key },
      body: JSON.stringify({ url: server.url + path }),
    });

  const { link } = await (await ask('/', 'new')).json();
  expect((await fetch(link)).headers.get('content-type')).toBe('image/png');
  expect(project.files('kept').length).toBe(1);
  expect((await ask('/', 'none of them')).status).toBe(401);

  const running = ask('/slow', 'old');
  await expect.poll(() => server.received.some(({ url }) => url.pathname === '/slow')).toBe(true);
  service.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${base}/healthz`)).status).toBe(503);
  expect((await ask('/', 'new')).status).toBe(503);
  // The page that it waits for goes away: that is an answer, too.
  close();
  expect((await running).status).toBe(422);
  expect(await ended).toEqual([0, null]);
  expect(output.trim()).toBe(line);
});

test('proofsheet serve prints its URL as JSON', async ({ project }) => {
  const command = project.path('node_modules/.bin/proofsheet');
  const service = spawn(command, ['serve', '--port', '0', '--json'], { cwd: project.folder });
  const ended = once(service, 'exit');
  const [line]: string[] = await once(createInterface(service.stdout), 'line');
  const { url, keys } = JSON.parse(line ?? '');
  expect([keys, (await fetch(`${url}/healthz`)).status]).toEqual([0, 200]);
  service.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
