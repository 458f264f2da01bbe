import { repeatableFlags } from '../../src/page/browser/launch.js';
import { config, expect, html, LAUNCH_OPTIONS, OFFLINE_FLAGS, SPEC, test } from './project.js';

test('a remote browser that was launched without our flags causes one notice with their names', {
  tag: '@soak',
}, async ({ playwright, project, site }) => {
  const runWith = async (args: string[], options: string[]) => {
    const server = await playwright.chromium.launchServer({ ...LAUNCH_OPTIONS, args });
    const run = await project.test(['-u', ...options], { SERVER: server.wsEndpoint() });
    await server.close();
    return run;
  };
  site.write({ 'a.html': html('<h1>A</h1>'), 'b.html': html('<h1>B</h1>') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages: [{ name: a, url: /a.html }, { name: b, url: /b.html }]\n`,
    'visual.spec.mjs': `${SPEC}import { expect, test } from 'proofsheet';
test('own', async ({ page }) => {
  await page.goto('${site.url}/a.html');
  await expect(page).toMatchBaseline('own');
});
`,
    'playwright.config.mjs': config('workers: 2, fullyParallel: true,').replace(
      'use: {',
      'use: { connectOptions: { wsEndpoint: process.env.SERVER },',
    ),
  });
  const run = await runWith([], []);
  expect(run).toExit(0);
  const told = run.output.split('\n').filter((line) => line.includes('the remote browser was launched without'));
  expect(told).toHaveLength(1);
  for (const flag of ['--font-render-hinting=none', '--disable-lcd-text', '--blink-settings='])
    expect(told[0]).toContain(flag);
  expect(told[0], 'flags of the project are among them, without their values').toContain('--host-resolver-rules, ');
  expect(told[0], 'Playwright sets this one by itself').not.toContain('--force-color-profile');
  expect(told[0]).toContain('`npx playwright run-server --unsafe`');

  const again = await runWith(repeatableFlags(OFFLINE_FLAGS), ['--workers=1']);
  expect(again).toExit(0);
  expect(again.output).not.toContain('launched without');
});
