import { expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { png, sheet } from '../image/paint.js';
import { settings } from './settings.js';

// In a file of its own: once found, the binary is not looked for again.
test('without odiff, the error gives advice, and pixelmatch works', async () => {
  const [white, grey] = [png(sheet(9, 9)), png(sheet(9, 9, '#808080'))];
  const arch = Object.getOwnPropertyDescriptor(process, 'arch');
  Object.defineProperty(process, 'arch', { ...arch, value: 'mips' });
  try {
    await expect(compareImages(white, grey, settings({ engine: 'odiff' }), [])).rejects.toMatchObject({
      code: 'engine-missing',
      message: expect.stringMatching(
        /^odiff: no binary for \w+-mips \(.*\)\. Set `engine: pixelmatch`, or install the optional dependencies/,
      ),
    });
    const comparison = await compareImages(white, grey, settings({ engine: 'pixelmatch' }), []);
    expect(comparison).toMatchObject({ kind: 'different', counts: { mismatchPixels: 81 } });
  } finally {
    Object.defineProperty(process, 'arch', { ...arch });
  }
  expect(await compareImages(white, grey, settings({ engine: 'odiff' }), [])).toMatchObject({
    counts: { mismatchPixels: 81 },
  });
});
