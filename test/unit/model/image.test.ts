import { describe, expect, test } from 'vitest';
import { beforeLink, captureLink, diffLink, resolveLink } from '../../../src/model/image.js';

const UUID = '5352469d-cfa7-4252-8dac-e79dec9d6a94';

describe('the link of a capture', () => {
  test('is screenshots/<host without port>/<uuid>/<epoch_millis>.<extension>', () => {
    const link = captureLink('https://www.example.test:8443/pricing?a=b', UUID, 1_795_193_105_514, 'webp');
    expect(link).toBe(`screenshots/www.example.test/${UUID}/1795193105514.webp`);
  });

  test.each([
    ['http://[::1]:4173/', '__1'],
    ['http://[2001:db8::7]/', '2001_db8__7'],
    ['http://münchen.test/', 'xn--mnchen-3ya.test'],
    ['http://example.test./', 'example.test'],
    // Windows has devices of these names.
    ['http://aux/', 'aux_'],
    ['http://con.localhost:3000/', 'con_.localhost'],
    ['http://console.test/', 'console.test'],
    ['file:///etc/passwd', 'local'],
    ['not a url', 'unknown'],
  ])('of %s has the folder %s', (url, folder) => {
    const link = captureLink(url, UUID, 1, 'png');
    expect(link).toBe(`screenshots/${folder}/${UUID}/1.png`);
    expect(resolveLink('/report', link)).not.toBe(null);
  });

  test('has the other two images in the same folder', () => {
    const link = captureLink('http://127.0.0.1/', UUID, 1, 'jpg');
    expect(beforeLink(link, 'jpg')).toBe(`screenshots/127.0.0.1/${UUID}/before.jpg`);
    expect(diffLink(link)).toBe(`screenshots/127.0.0.1/${UUID}/diff.png`);
  });
});

describe('a link out of a report', () => {
  test.each([
    ...['../x', 'screenshots/../../x', 'screenshots/./x', 'screenshots//x', '/etc/passwd', 'screenshots', 'index.html'],
    ...['https://evil.test/x.png', 'screenshots\\..\\x', 'screenshots/C:x', 'screenshots/a\0b', 'screenshots/\ud800'],
  ])('that is %j leads nowhere', (link) => {
    expect(resolveLink('/report', link)).toBe(null);
  });
});
