import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { redactorFor, redactorOf, redactRecord } from '../../../src/shot/redact.js';
import { shotOf as recordOf } from '../report/specimens.js';
import { makeTempFolder } from '../temp-folder.js';
import { shotOf, targetOf } from './specimens.js';

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

test('the record of a story has the folder of its Storybook in place of the random port of its server', () => {
  const after = { ...targetOf('http://127.0.0.1:4123/iframe.html?id=a--b'), servedFolder: 'storybook-static' };
  const reason = 'http://127.0.0.1:4123/iframe.html?id=a--b: no response for http://127.0.0.1:4123/a.css.';
  const hidden = [{ element: 'banner (div)', text: 'See http://127.0.0.1:4123/privacy' }];
  const redacted = redactRecord(
    { ...recordOf({ id: 'a', url: after.url }), reason, hidden },
    redactorOf([after, null], []),
  );
  expect(redacted.hidden).toEqual([{ element: 'banner (div)', text: 'See storybook-static/privacy' }]);
  expect([redacted.url, redacted.reason]).toEqual([
    'storybook-static/iframe.html?id=a--b',
    'storybook-static/iframe.html?id=a--b: no response for storybook-static/a.css.',
  ]);
});

describe('the record of a shot', () => {
  const folder = makeTempFolder();
  const storageState = join(folder, 'state.json');
  const localStorage = [{ name: 'auth', value: '{"access":"planted-stored-1"}' }];
  writeFileSync(
    storageState,
    JSON.stringify({ cookies: [{ value: 'planted-stored-2' }], origins: [{ localStorage }] }),
  );
  const after = targetOf('https://joe:planted-url@a.test/', {
    headers: { Authorization: 'Bearer planted-header' },
    cookies: [{ name: 's', value: 'planted-cookie', path: '/', httpOnly: false, secure: false, sameSite: 'Lax' }],
    storageState,
    httpCredentials: { username: 'joe', password: 'planted-password' },
  });
  const before = targetOf('https://b.test/', { headers: { X: 'planted-before' } });
  const { capture } = shotOf({ actions: [{ fill: { selector: '#a', value: 'planted-filled' } }] });
  const secrets = [
    ...['planted-url', 'planted-header', 'planted-cookie', 'planted-password', 'planted-filled', 'planted-before'],
    ...['planted-stored-1', 'planted-stored-2', Buffer.from('joe:planted-password').toString('base64')],
  ];
  const leak = secrets.join(' ');
  const image = { link: 'planted-cookie.png', width: 1, height: 1, source: `https://a.test/?${leak}` };
  const record: ShotRecord = {
    ...recordOf({ id: 'planted-cookie', page: 'planted-cookie', status: 'error' }),
    ...{ url: `https://a.test/?${leak}`, reason: leak, before: image, after: image },
    attempts: [{ status: 'error', reason: leak }, { status: 'passed' }],
    warnings: [{ code: 'x', message: leak }],
    capture: {
      ...{ status: 'error', fetchTime: new Date(0).toISOString(), message: leak, url: leak },
      ...{ width: null, height: null, link: null },
    },
  };
  const redacted = redactRecord(record, redactorOf([after, before], capture.actions));

  test('contains no value of headers, cookies, storage state, passwords and fields', () => {
    const { id: _, page: __, before, after, ...rest } = redacted;
    const text = JSON.stringify([rest, before?.source, after?.source]);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('keeps the status of each attempt, and has no secret in its reason', () => {
    const [first, second] = redacted.attempts;
    expect(first).toMatchObject({ status: 'error', reason: expect.stringMatching(/^[* ]+$/) });
    expect(second).toEqual({ status: 'passed' });
  });

  test('keeps its names and links', () => {
    expect([redacted.id, redacted.page, redacted.before?.link]).toEqual([record.id, record.page, image.link]);
  });
});
