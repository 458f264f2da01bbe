import { expect, test } from 'vitest';
import { toReuseOptions } from '../../../src/playwright/reuse-context.js';

const OPTIONS = {
  ...{ contextOptions: {}, credentials: [], proxies: [], channel: undefined, headless: true, launchOptions: {} },
  ...{ connectOptions: undefined, browserName: 'chromium' as const },
};

test('every option of a project is part of the key, except the address of a server and the place of a browser', () => {
  const keyOf = (use: object) => {
    const { contextOptions } = toReuseOptions({ name: 'chromium', use }, OPTIONS);
    return JSON.stringify(contextOptions);
  };
  const plain = keyOf({});
  expect(keyOf({ screen: { width: 400, height: 300 } })).not.toBe(plain);
  expect(keyOf({ optionOfALaterVersion: true })).not.toBe(plain);
  expect(keyOf({ baseURL: 'http://127.0.0.1:4001/' })).toBe(plain);
  expect(keyOf({ launchOptions: { executablePath: '/elsewhere' } })).toBe(plain);
});
