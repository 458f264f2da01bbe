import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { baselineOf, finishRun, pathOf } from '../unit/review/finished-run.js';
import { test as browserTest } from './direct.js';
import { expect, html, test } from './project.js';
import { endReport, startReport } from './served-report.js';

const RED = '#ff0000';
const BLUE = '#0000ff';

const SPECIMENS = [
  { id: 'home', status: 'changed', before: RED, after: BLUE },
  { id: 'about', status: 'changed', before: RED, after: BLUE },
] as const;

test('proofsheet report prints its URL in one line, and Ctrl+C ends it with code 0', async () => {
  const { root } = await finishRun(SPECIMENS);
  const { child, said, url } = await startReport(root, []);
  expect(said).toMatch(
    /^proofsheet: 2 changes on 2 of 2 pages; the report is at http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/\nPress Ctrl\+C to stop\.\n$/,
  );
  expect((await fetch(url)).status).toBe(200);
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
  await expect(fetch(url)).rejects.toThrow();

  const asJson = await startReport(root, ['--json', '--no-open', '--port', '0', '--host', 'localhost']);
  expect(JSON.parse(asJson.said)).toMatchObject({ status: 'success', url: asJson.url, root });
  asJson.child.kill('SIGTERM');
  expect(await once(asJson.child, 'close')).toEqual([0, null]);
  rmSync(root, { recursive: true });
});

browserTest(
  'another web page, even one that knows the address, can neither approve nor read the report',
  async ({ page }) => {
    const { root } = await finishRun(SPECIMENS);
    const served = await startReport(root, ['--no-open']);
    const { url } = served;
    const isApproved = (id: string) => readFileSync(join(root, pathOf(id))).equals(baselineOf(id, BLUE));
    await page.goto(url);
    const token = await page.locator('#proofsheet-session').textContent();
    const send = (address: string, id: string, headers: Record<string, string>) =>
      page.evaluate(
        async ({ address, id, headers }) => {
          const body = JSON.stringify({ decision: 'approved', shots: [{ project: 'chromium', id }] });
          const answer = await fetch(`${address}api/decisions`, { method: 'POST', body, headers }).catch(() => null);
          return answer?.status ?? 'blocked';
        },
        { address, id, headers },
      );
    const known = { 'x-proofsheet-token': JSON.parse(token ?? '{}').token };

    const evil = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(html('<h1>Evil</h1>')),
    );
    evil.listen(0, '127.0.0.1');
    await once(evil, 'listening');
    const { port } = evil.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
    expect(await send(url, 'home', known)).toBe('blocked');
    expect(await send(url, 'home', {})).toBe('blocked');
    const isRead = await page.evaluate(async (address) => {
      const answer = await fetch(`${address}results.json`).catch(() => null);
      return answer !== null;
    }, url);
    expect(isRead).toBe(false);
    expect(isApproved('home')).toBe(false);
    evil.close();

    // The report's page of today may not fetch: a page of the same origin that may.
    await page.goto(`${url}summary.md`);
    expect(await send(url, 'home', known), 'not even what a report holds besides its page').toBe('blocked');
    await endReport(served);
    rmSync(root, { recursive: true });
  },
);
