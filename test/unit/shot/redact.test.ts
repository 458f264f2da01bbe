import { describe, expect, test } from 'vitest';
import { redactorFor, redactorOf } from '../../../src/shot/redact.js';
import { targetOf } from './specimens.js';

describe('a redactor', () => {
  test.each([
    ['planted-5Qx8', 'Error: planted-5Qx8 is wrong', 'Error: *** is wrong'],
    ['planted-5Qx8', 'a=planted-5Qx8b', 'a=***b'],
    ['Bearer planted-token-5Qx8', 'token planted-token-5Qx8', 'token ***'],
    ['pass word/5Qx8', '/x?p=pass%20word%2F5Qx8 /pass%20word/5Qx8', '/x?p=*** /***'],
    ['say "5Qx8" now', 'not "say \\"5Qx8\\" now"', 'not "***"'],
    ['(5Qx8.+*)', '(5Qx8.+*)', '***'],
    ['dark', 'darkness in the dark', 'darkness in the ***'],
    ['https', 'https://x.test: https', 'https://x.test: ***'],
    ['1', '1 px differs', '1 px differs'],
    ['', 'nothing', 'nothing'],
    ['\ud800-lone-half', 'fine', 'fine'],
  ])('of %j makes %j: %j', (secret, text, redacted) => {
    expect(redactorFor([secret])(text)).toBe(redacted);
  });

  test('of a value inside another one removes both', () => {
    expect(redactorFor(['planted-5', 'planted-5Qx8'])('planted-5Qx8 planted-5')).toBe('*** ***');
  });
});

test('the folder of a Storybook stands in place of the random port of its server', () => {
  const after = { ...targetOf('http://127.0.0.1:4123/iframe.html?id=a--b'), servedFolder: 'storybook-static' };
  const redact = redactorOf([after, null], []);
  expect(redact('http://127.0.0.1:4123/iframe.html?id=a--b: no response for http://127.0.0.1:4123/a.css.')).toBe(
    'storybook-static/iframe.html?id=a--b: no response for storybook-static/a.css.',
  );
});
