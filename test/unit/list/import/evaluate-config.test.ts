import { describe, expect, test } from 'vitest';
import { readImport } from '../../../../src/list/import/read-import.js';
import { written } from './imported-file.js';

describe('a config that is code', { tags: ['slow'], timeout: 60_000 }, () => {
  const run = (name: string, text: string) => readImport(written(name, text), { allowCode: true });

  test('is refused unless it is allowed to run', async () => {
    const refused = readImport(written('backstop.cjs', 'module.exports = {};'), { allowCode: false });
    await expect(refused).rejects.toThrow(
      /backstop\.cjs: the file is code, and --allow-code is not set\. Add --allow-code/,
    );
  });

  test.each([
    [
      'lostpixel.config.ts',
      `import { CustomProjectConfig } from 'lost-pixel';
import { PAGES } from './lost-pages';
export const config: CustomProjectConfig = { pageShots: { baseUrl: 'https://a.test', pages: PAGES }, beforeScreenshot: async () => {} };`,
      'Lost Pixel',
    ],
    [
      'lostpixel.config.mjs',
      `export default { pageShots: { baseUrl: 'x', pages: [{ path: '/', name: 'a' }] } };`,
      'Lost Pixel',
    ],
    ['snapshots.js', `export default async () => [{ url: 'https://a.test/', execute() {} }];`, 'Percy'],
    ['snapshots.cjs', `module.exports = () => ['https://a.test/'];`, 'Percy'],
  ])('may be %s', async (name, text, tool) => {
    written('lost-pages.ts', `export const PAGES: { path: string; name: string }[] = [{ path: '/', name: 'a' }];`);
    const made = await run(name, text);
    expect([made.tool, made.list.pages.length]).toEqual([tool, 1]);
    const notes = [...made.list.notes, ...made.list.pages.flatMap((page) => page.notes)].join('\n');
    if (text.includes('beforeScreenshot')) expect(notes).toContain('beforeScreenshot: no equivalent in proofsheet');
    if (text.includes('execute')) expect(notes).toContain('execute: copy the body of its function');
  });

  test.each([
    ['throws', `throw new Error('no token');`, 'the config cannot be run (no token)'],
    ['ends its process', 'process.exit(3);', 'the config cannot be run (the process ended early)'],
    ['exports a circle', 'const a = []; a.push(a); module.exports = a;', 'cannot be converted to JSON'],
    ['exports too much', `module.exports = 'x'.repeat(6e6);`, '6,000,002 bytes, expected at most 5,000,000'],
  ])('that %s is refused with the reason', async (_, text, found) => {
    await expect(run('bad.cjs', text)).rejects.toThrow(found);
  });
});
