import { expect, test } from 'vitest';
import { baselineSegments, claimBaseline } from '../../../src/shot/baseline-path.js';
import { createOpenedShot } from '../../../src/shot/opened-shot.js';
import { png, sheet } from '../image/paint.js';
import { makeTempFolder } from '../temp-folder.js';
import { captureOf } from './specimens.js';

const environment = captureOf(png(sheet(1, 1)), 'http://a/').environment;

async function segmentsOf(name: string | string[], options: Parameters<typeof createOpenedShot>[1] = {}) {
  const { shot, file } = createOpenedShot({ spec: 'own', name, url: 'http://a/' }, options);
  return baselineSegments(shot, async () => environment, file);
}

test('the name of a file stays as it is: Playwright makes it safe, as it does for toHaveScreenshot', async () => {
  expect(await segmentsOf('home (mobile).png')).toEqual(['home (mobile).png']);
  expect(await segmentsOf('home (mobile)')).toEqual(['home--mobile-.png']);
  expect(await segmentsOf(['a b', 'c.png'])).toEqual(['a b', 'c.png']);
});

test('no baseline is in a folder whose files git does not add', async () => {
  expect(await segmentsOf(['.git', 'node_modules', 'c.png'])).toEqual(['.git_', 'node_modules_', 'c.png']);
  expect(await segmentsOf('.git/c')).toEqual(['.git_', 'c.png']);
});

test('a file has a safe name below the folder of an environment', async () => {
  const segments = await segmentsOf('a: b.png', { environment: 'separate' });
  expect(segments.slice(1)).toEqual(['a--b.png']);
});

test('a path that differs only in case or Unicode form belongs to one shot of a run', () => {
  const locks = makeTempFolder();
  const claim = (file: string, name: string) =>
    claimBaseline({ path: `/p/${file}`, shownPath: file }, { name, isTwoState: false }, locks);
  claim('x.png', 'test › own/x');
  expect(claim('x.png', 'test › own/x').path).toBe('/p/x.png');
  expect(() => claim('x.png', 'test › own/x.png')).toThrow(
    'x.png: two shots have this baseline path: test › own/x and test › own/x.png.',
  );
  expect(() => claim('X.png', 'test › own/X')).toThrow(
    'X.png: two shots have this baseline path on macOS and Windows: test › own/x and test › own/X.',
  );
  claim('\u00fcber.png', 'test › own/über');
  expect(() => claim('u\u0308ber.png', 'test › own/uber')).toThrow('on macOS and Windows');
});
