import type { Browser } from '@playwright/test';
import { expect, test } from 'vitest';
import { type Machine, readBrowserEnvironment, shareMachine } from '../../../src/page/environment.js';

/** A browser that counts the contexts in which its fonts are measured. */
function createCountingBrowser() {
  let contexts = 0;
  const session = {
    send: async () => ({ product: 'HeadlessChrome/1', userAgent: '' }),
    detach: async () => {},
  };
  const context = { newCDPSession: async () => session, close: async () => {}, newPage: async () => page };
  const page = { evaluate: async () => ({ widths: [1, 2], sample: 1, platform: '' }), context: () => context };
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
  const noted = {};
  const note = { flags: [], read: () => noted, write: (machine: Machine) => void Object.assign(noted, machine) };
  const [first, second] = [createCountingBrowser(), createCountingBrowser()];
  shareMachine(first.browser, note);
  const environment = await readBrowserEnvironment(first.browser, 1);
  expect(environment).toMatchObject({ headless: 'shell', fonts: expect.stringMatching(/^[0-9a-f]{12}$/) });
  shareMachine(second.browser, note);
  expect(await readBrowserEnvironment(second.browser, 1)).toEqual(environment);
  expect([first.contexts(), second.contexts()]).toEqual([1, 0]);
});

test('a note that is no machine is ignored', async () => {
  const { browser, contexts } = createCountingBrowser();
  shareMachine(browser, { flags: [], read: () => ({ fonts: 1 }), write: () => {} });
  await readBrowserEnvironment(browser, 1);
  expect(contexts()).toBe(1);
});

test('flags that change how glyphs are drawn are part of the environment, and others are not', async () => {
  const drawingWith = async (...flags: string[]) => {
    const { browser } = createCountingBrowser();
    shareMachine(browser, { flags, read: () => undefined, write: () => {} });
    return (await readBrowserEnvironment(browser, 1)).drawing;
  };
  expect(await drawingWith('--no-sandbox')).toBe(await drawingWith());
  expect(await drawingWith('--font-render-hinting=full')).not.toBe(await drawingWith());
});
