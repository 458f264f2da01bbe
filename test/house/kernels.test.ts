import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderKernels } from '../../scripts/build-kernels.mjs';

test('the compiled loops are those of the sources', async () => {
  const code = readFileSync(new URL('../../src/image/kernels-code.ts', import.meta.url), 'utf8');
  expect(code).toBe(await renderKernels());
});
