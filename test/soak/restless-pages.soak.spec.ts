import { type ChildProcess, spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { expect } from '@playwright/test';
import { html } from '../e2e/project.js';
import { growing, RESTLESS } from '../integration/restless.js';
import { test } from '../integration/runs.js';

// The specimens of the integration tests, while other programs keep all cores busy.
let others: ChildProcess[] = [];
test.beforeAll(() => {
  others = cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);'], { timeout: 900_000 }));
});
test.afterAll(() => {
  for (const other of others) other.kill('SIGKILL');
});

const PAGES = { ...RESTLESS, 'elements that are appended for 13 s': growing(43) };

for (const [what, body] of Object.entries(PAGES))
  test(`${what}: a baseline is written, and each run passes, while all cores are busy`, async ({ runs, serve }) => {
    const site = await serve(() => html(`<h1>Page</h1>${body}`));
    const list = `baseURL: ${site.url}\npages:\n  - { name: page, url: / }\n`;
    expect((await runs.run(list, { mode: 'missing' })).shot('page')).toMatchObject({ status: 'new', written: true });
    for (let count = 1; count <= 5; count++) {
      const { status, reason } = (await runs.run(list)).shot('page');
      expect({ status, reason }, `run ${count}`).toEqual({ status: 'passed', reason: null });
    }
  });
