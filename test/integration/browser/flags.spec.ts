import { type Browser, chromium, expect } from '@playwright/test';
import { chooseBrowser, repeatableFlags } from '../../../src/page/browser/launch.js';
import { test } from '../../e2e/direct.js';

const { executablePath } = chooseBrowser(
  { browserName: 'chromium', channel: undefined, headless: true, executablePath: undefined, remote: false },
  process,
);

let browser: Browser;
test.beforeEach(async () => {
  browser = await chromium.launch(executablePath ? { executablePath, args: [] } : { args: [] });
});
test.afterEach(async () => {
  await browser.close();
});

for (const flag of ['--blink-settings=']) {
  test(`our flag ${flag} repeats all that Playwright sets with it: only the last one counts`, async () => {
    const session = await browser.newBrowserCDPSession();
    const { commandLine } = await session.send('SystemInfo.getInfo');
    const set = valuesOf(commandLine.split(' '), flag);
    expect(set).not.toEqual([]);
    expect(valuesOf(repeatableFlags([]), flag)).toEqual(expect.arrayContaining(set));
  });
}

function valuesOf(flags: readonly string[], name: string): string[] {
  const last = flags.findLast((flag) => flag.startsWith(name));
  return last?.slice(name.length).split(',') ?? [];
}
