import { expect, test } from 'vitest';
import { imageHref, pageHref } from '../../../src/report/links.js';

test.each([
  ['screenshots/a b/#?.png', 'screenshots/a%20b/%23%3F.png'],
  ...['../x.png', 'screenshots/../../x', 'screenshots//x', '/etc/passwd'].map((link) => [link, null]),
  ...['javascript:alert(1)', 'screenshots/\ud800', 'C:\\x'].map((link) => [link, null]),
])('a link to the image %j is relative to the report, or removed: %s', (link, href) => {
  expect(imageHref(link)).toBe(href);
});

test('a link to a page is http or https', () => {
  expect(pageHref('https://example.test/a"b')).toBe('https://example.test/a%22b');
  const hostile = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc', '/pricing'];
  expect(hostile.map(pageHref)).toEqual([null, null, null, null]);
});
