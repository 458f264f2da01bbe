import { defineConfig } from '@playwright/test';

// The visual tests of the specimen site. `DEMO_VERSION=b` serves the version with five changes.
const port = Number(process.env.DEMO_PORT ?? 4173);
const roots = process.env.DEMO_VERSION === 'b' ? ['fixtures/site-b', 'fixtures/site'] : ['fixtures/site'];

export default defineConfig({
  testDir: 'test/visual',
  reporter: [
    // Your project says 'proofsheet/reporter'. A package cannot name itself here.
    ['./dist/reporter.js', { compact: true }],
    ['html', { open: 'never' }],
  ],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    // The specimen site needs no other host, and a browser that looks for one only waits.
    launchOptions: {
      args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-background-networking'],
    },
  },
  webServer: {
    command: `node fixtures/serve.mjs --port ${port} ${roots.map((root) => `--root ${root}`).join(' ')}`,
    url: `http://127.0.0.1:${port}/`,
  },
});
