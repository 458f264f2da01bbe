import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkPlaywright, LOWEST_PLAYWRIGHT } from '../../../src/run/run-identity.js';

test.each(['1.52.0', '1.49.1', '0.9.0'])('Playwright %s is refused in one line without a stack', (version) => {
  const message = `proofsheet needs @playwright/test 1.53 or later; this project has ${version}. Run: npm install --save-dev @playwright/test@latest`;
  expect(() => checkPlaywright({ version })).toThrow(expect.objectContaining({ message, stack: `Error: ${message}` }));
});

test.each(['1.53.0', '1.100.0', '2.0.0'])('Playwright %s is accepted', (version) => {
  expect(() => checkPlaywright({ version })).not.toThrow();
});

test('the version of this project is accepted', () => {
  expect(() => checkPlaywright()).not.toThrow();
});

test('package.json and the tests have the same lowest version', () => {
  const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(peerDependencies['@playwright/test']).toBe(`>=${LOWEST_PLAYWRIGHT}`);
  for (const file of ['scripts/install-package.mjs', '.github/workflows/ci.yml'])
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`['"]${LOWEST_PLAYWRIGHT}\\.0['"]`));
});
