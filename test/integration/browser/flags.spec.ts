import { chromium, expect, test } from '@playwright/test';
import { repeatableFlags } from '../../../src/page/browser/launch.js';
import { LAUNCH_OPTIONS } from '../../e2e/project.js';

const FLAG = '--blink-settings=';

test(`our flag ${FLAG} repeats all that Playwright sets with it: only the last one counts`, async () => {
  const browser = await chromium.launch({ ...LAUNCH_OPTIONS, args: [] });
  const session = await browser.newBrowserCDPSession();
  const { commandLine } = await session.send('SystemInfo.getInfo');
  await browser.close();
  const set = valuesOf(commandLine.split(' '));
  expect(set).not.toEqual([]);
  expect(valuesOf(repeatableFlags([]))).toEqual(expect.arrayContaining(set));
});

function valuesOf(flags: readonly string[]): string[] {
  const last = flags.findLast((flag) => flag.startsWith(FLAG));
  return last?.slice(FLAG.length).split(',') ?? [];
}
