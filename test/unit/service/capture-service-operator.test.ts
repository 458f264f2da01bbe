// @module-tag slow
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TestService } from './capture-service.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder: string;
const open: TestService[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofsheet-operator-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((service) => service.close()));
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')('without a browser', () => {
  test('a service does not start, and gives advice', async () => {
    const command = join(folder, 'chromium-headless-shell');
    writeFileSync(command, '#!/bin/sh\nexit 1\n');
    chmodSync(command, 0o755);
    // Read once, when Playwright is loaded.
    vi.stubEnv('PLAYWRIGHT_BROWSERS_PATH', folder);
    vi.resetModules();
    const { startService } = await import('./capture-service.js');
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
    await expect(startService()).rejects.toMatchObject({
      code: 'browser-missing',
      message: expect.stringMatching(/the browser did not start .*Run: npx playwright install --with-deps chromium$/),
    });
    vi.resetModules();
  });
});

describe('a problem of the service itself', () => {
  /** Starts a service that cannot write its storage. */
  async function startFull(): Promise<{ service: TestService; told: string[] }> {
    const { startService } = await import('./capture-service.js');
    const file = join(folder, 'a-file');
    const told: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
      told.push(String(line));
      return true;
    });
    const service = await startService({ storage: join(file, 'kept') });
    open.push(service);
    rmSync(file, { recursive: true });
    writeFileSync(file, '');
    return { service, told };
  }

  test('is reported to callers without a path, and in full to the operator', async () => {
    const { service, told } = await startFull();
    const answers = [
      await service.post('/api/v2/screenshot', { url: `${service.url}/` }),
      await service.post(
        '/mcp',
        {
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'screenshot', arguments: { url: `${service.url}/` } },
        },
        { headers: { accept: 'application/json, text/event-stream' } },
      ),
    ];
    expect(answers.map(({ status }) => status)).toEqual([500, 200]);
    for (const answer of answers) {
      const text = await answer.text();
      expect(text).toContain(
        'the service: the storage is not available. Contact the operator of the service: its standard error has details.',
      );
      expect(text).not.toContain(folder);
      expect(text).not.toContain('ENOTDIR');
    }
    expect(told).toHaveLength(2);
    for (const line of told) expect(line).toMatch(/^proofsheet: .*a-file.*ENOTDIR.*\n$/);
  });
});

describe('a missing package', () => {
  test('is named without the place where it was looked for', async () => {
    const { load } = await import('../../../src/service/mcp/server.js');
    const missing = pathToFileURL(join(folder, 'sdk.js')).href;
    const loading = load(() => import(/* @vite-ignore */ missing));
    await expect(loading).rejects.toMatchObject({ code: 'package-missing' });
    await expect(loading).rejects.toThrow(
      /^@modelcontextprotocol\/sdk: the MCP SDK is not installed\. Run: npm install/,
    );
    const { answerError } = await import('../../../src/service/http/answers.js');
    const { status, body } = answerError(await loading.catch((error: unknown) => error));
    expect([status, body.message]).toEqual([
      501,
      'the service: a required package is not installed. Contact the operator of the service: its standard error has details.',
    ]);
  });
});

describe('a link of the service as an image', () => {
  const ID = '6b1f2f0e-7d0b-4d52-9f4c-0a4e1a6d7c11';
  const [FIRST, OTHER] = [1, 2].map((number) => `screenshots/example.test/${ID}/170000000000${number}.png`);

  /** Starts a service that refuses private addresses, its own among them, and has two captures. */
  async function startWithCaptures(baseUrl: string | null = null): Promise<TestService> {
    const { startService } = await import('./capture-service.js');
    const { fill, png, sheet } = await import('../image/paint.js');
    const red = fill(sheet(40, 30), { x: 5, y: 5, width: 10, height: 1 }, '#ff0000');
    const images = {
      [`kept/${FIRST}`]: sheet(40, 30),
      [`kept/${OTHER}`]: red,
      'kept/secret.png': red,
      'secret.png': red,
    };
    for (const [path, pixels] of Object.entries(images)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), png(pixels).bytes);
    }
    const service = await startService({ storage: join(folder, 'kept'), allowPrivate: false, baseUrl });
    open.push(service);
    return service;
  }
  const compare = async (service: TestService, before: string, after: string) =>
    (await service.post('/api/v3/compare', { before: { imageUrl: before }, after: { imageUrl: after } })).json();

  test('is read from its storage, though its address is private', async () => {
    const service = await startWithCaptures();
    const answer = await compare(service, `${service.url}/${FIRST}`, `${service.url}/${OTHER}?from=mail#top`);
    expect(answer).toMatchObject({ status: 'success', summary: { mismatchPixels: 10 } });
    const behind = await startWithCaptures('https://shots.example.test/x');
    const [first, other] = [FIRST, OTHER].map((link) => `https://shots.example.test/x/${link}`);
    expect(await compare(behind, first ?? '', other ?? '')).toMatchObject({ summary: { mismatchPixels: 10 } });
  });

  test('does not lead outside the captures, to another service, or to a removed file', async () => {
    const service = await startWithCaptures();
    const own = `${service.url}/${FIRST}`;
    for (const path of [
      ...['secret.png', '../secret.png', 'screenshots/../secret.png', 'screenshots/%2e%2e/secret.png'],
      ...['screenshots/..%2fsecret.png', 'screenshots/..%5csecret.png', 'screenshots//../../secret.png', 'healthz'],
      FIRST?.replace('screenshots', 'Screenshots'),
    ]) {
      const answer = await compare(service, own, `${service.url}/${path}`);
      expect([path, answer.status]).toEqual([path, 'error']);
      expect(['target-refused', 'image-unreachable']).toContain(answer.code);
    }
    const [, port] = /:(\d+)$/.exec(service.url) ?? [];
    for (const elsewhere of [`http://127.0.0.1:1/${FIRST}`, `http://u:p@127.0.0.1:${port}/${FIRST}`]) {
      expect(await compare(service, own, elsewhere)).toMatchObject({ code: 'target-refused' });
    }
    expect(await compare(service, own, own.replace('0000001.png', '0000009.png'))).toMatchObject({
      code: 'image-unreachable',
      message: expect.stringContaining('the capture does not exist, or it expired'),
    });
  });
});
