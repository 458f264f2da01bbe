import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import e2e from '../e2e/playwright.config.js';
import integration from '../integration/playwright.config.js';
import soak from '../soak/playwright.config.js';

test('each test tier has its own temp folder, which is removed after the run', () => {
  expect(tmpdir()).toContain('proofsheet-tests-');
  for (const { globalSetup } of [integration, e2e, soak])
    expect([globalSetup].flat()).toContain('../own-temp-folder.ts');
});
