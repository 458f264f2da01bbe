import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { finishRun } from '../unit/review/finished-run.js';
import { expect, test } from './project.js';
import { endReport, startReport } from './served-report.js';

const RED = '#ff0000';
const BLUE = '#0000ff';

const SPECIMENS = [
  { id: 'home', status: 'changed', before: RED, after: BLUE },
  { id: 'about', status: 'changed', before: RED, after: BLUE },
] as const;

test('proofsheet report prints its URL in one line, and Ctrl+C ends it with code 0', async () => {
  const { root } = await finishRun(SPECIMENS);
  const served = await startReport(root, []);
  const { said, url } = served;
  expect(said).toMatch(
    /^proofsheet: 2 changes on 2 of 2 pages; the report is at http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/\nPress Ctrl\+C to stop\.\n$/,
  );
  expect((await fetch(url)).status).toBe(200);
  expect(await endReport(served)).toBe(0);
  await expect(fetch(url)).rejects.toThrow();

  const asJson = await startReport(root, ['--json', '--no-open', '--port', '0', '--host', 'localhost']);
  expect(JSON.parse(asJson.said)).toMatchObject({ status: 'success', url: asJson.url, root });
  asJson.child.kill('SIGTERM');
  expect(await once(asJson.child, 'close')).toEqual([0, null]);
  rmSync(root, { recursive: true });
});
