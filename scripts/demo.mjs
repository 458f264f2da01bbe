import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root, run } from './run.mjs';
import { setUp } from './set-up.mjs';

const DEMO_PORT = String(await freePort());

await setUp();
rmSync(join(root, 'test/visual/site.spec.ts-snapshots'), { recursive: true, force: true });

say('1. Baselines: every page of fixtures/site (version A) is captured and kept. The list is test/visual/pages.yaml.');
expectCode(0, await playwright(['--update-snapshots']));

say('2. The same site again: only the time on the dashboard differs, and the list allows that. Everything passes.');
expectCode(0, await playwright());

say('3. Version B of the site (fixtures/site-b over it): five real changes.');
expectCode(1, await playwright([], { DEMO_VERSION: 'b' }));

const { shots } = JSON.parse(readFileSync(join(root, 'proofsheet-report/results.json'), 'utf8'));
const changed = new Set(shots.filter(({ status }) => status === 'changed').map(({ page }) => page));
if (changed.size !== 5) throw new Error(`expected 5 changed pages, found ${changed.size}: ${[...changed].join(', ')}`);

say('What was changed there:');
process.stdout.write(readFileSync(join(root, 'fixtures/site-b/CHANGES.txt'), 'utf8'));
say(`The report, before | after | diff of each:\n  ${join(root, 'proofsheet-report/index.html')}`);
say('Now break a line of fixtures/site/css/site.css yourself, and run:\n  npx playwright test');

function playwright(args = [], env = {}) {
  return run('npx', ['--no-install', 'playwright', 'test', ...args], { env: { DEMO_PORT, ...env } });
}

function expectCode(expected, code) {
  if (code !== expected) throw new Error(`expected exit code ${expected}, got ${code}`);
}

function say(text) {
  process.stdout.write(`\n${text}\n`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
