import { expect, test } from 'vitest';
import { claimBaseline } from '../../../src/shot/claim-baseline.js';
import { makeTempFolder } from '../temp-folder.js';

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
