import type { Browser } from '@playwright/test';
import { expect, test } from 'vitest';
import { type Machine, readBrowserEnvironment, shareMachine } from '../../../src/capture/environment.js';

/** A browser that counts the contexts in which its fonts are measured. */
function createCountingBrowser() {
  let contexts = 0;
  const session = {
    send: async () => ({ product: 'HeadlessChrome/1', userAgent: '' }),
    detach: async () => {},
  };
  const context = { newCDPSession: async () => session, close: async () => {}, newPage: async () => page };
  const page = { evaluate: async () => ({ widths: [1, 2], platform: '' }), context: () => context };
  const browser: Browser = Object.assign(Object.create(null), {
    ...{ browserType: () => ({ name: () => 'chromium' }), version: () => '1' },
    async newContext() {
      contexts++;
      return context;
    },
  });
  return { browser, contexts: () => contexts };
}

test('the fonts of a browser are measured once per run, not once per worker', async () => {
  const noted: Machine[] = [];
  const note = { read: () => noted[0], write: (machine: Machine) => void noted.push(machine) };
  const [first, second] = [createCountingBrowser(), createCountingBrowser()];
  shareMachine(first.browser, note);
  const environment = await readBrowserEnvironment(first.browser, 1);
  expect(environment).toMatchObject({ headless: 'shell', fonts: expect.stringMatching(/^[0-9a-f]{12}$/) });
  shareMachine(second.browser, note);
  expect(await readBrowserEnvironment(second.browser, 1)).toEqual(environment);
  expect([first.contexts(), second.contexts()]).toEqual([1, 0]);
});
