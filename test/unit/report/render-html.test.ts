import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { imageHref, pageHref } from '../../../src/report/html.js';
import { renderHtml } from '../../../src/report/render-html.js';
import { changedOf, HOSTILE, runOf, shotOf } from './specimens.js';

test('a shot that did not pass has its three images as lazy links, its figures and its limit in words', () => {
  const limits = { threshold: 0.02, maxDiffPixels: null, maxDiffPixelRatio: 0.001 };
  const warnings = [{ code: 'fonts', message: 'fonts pending' }];
  const page = renderHtml(runOf([changedOf({ limits, warnings })]));
  for (const role of ['before', '1', 'diff']) {
    const link = `screenshots/127.0.0.1/5352469d-cfa7-4252-8dac-e79dec9d6a94/${role}.png`;
    expect(page).toContain(`href="${link}"><img src="${link}"`);
  }
  expect(page.match(/loading="lazy"/g)).toHaveLength(6);
  expect(page).toContain('1,204 px of 921,600 (0.13 %)');
  expect(page).toContain('0.1 % = 921 px of 1280x8000');
  expect(page).toContain('fonts pending');
});

test('a close-up of each image shows the first change at 1:1, by a rule that the policy covers', () => {
  const page = renderHtml(runOf([changedOf({ regions: [{ x: 312, y: 1929, width: 20, height: 30, pixels: 9 }] })]));
  expect(page).toContain('.close-up-0 { object-position: -264px -1881px; }');
  expect(page.match(/<img class="close-up-0"/g)).toHaveLength(3);
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  expect(page).toContain(`sha256-${createHash('sha256').update(style).digest('base64')}`);
});

test('shots that passed are in a closed table with their exact counts', () => {
  const page = renderHtml(runOf([shotOf({ id: 'quiet' })]));
  expect(page).toContain('<details><summary>1 shot in order</summary>');
  expect(page).toContain('<td class="number">10,240,000</td>');
  expect(page).not.toContain('<article');
});

test('an image that is not there is said to be missing', () => {
  const page = renderHtml(runOf([changedOf({ diff: { link: null, width: 1, height: 1 }, before: null })]));
  expect(page).toContain('the image is missing');
  expect(page).toContain('there is no before image');
});

test('flaky and written shots are marked', () => {
  const page = renderHtml(runOf([shotOf({ flaky: true, written: true })]));
  expect(page).toContain('>flaky</span>');
  expect(page).toContain('>written</span>');
});

test('nothing but the page itself is loaded or run, and its own style is allowed', () => {
  const page = renderHtml(runOf([changedOf()]));
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(
    `default-src &#39;none&#39;; img-src &#39;self&#39; file: data:; style-src &#39;sha256-${hash}&#39;`,
  );
  expect(page).not.toMatch(/<script|\son\w+=|\sstyle="/);
});

test('a hostile title is text', () => {
  const source = HOSTILE;
  const image = { link: HOSTILE, width: 1, height: 1 };
  const shot = changedOf({
    ...{ id: HOSTILE, project: HOSTILE, url: HOSTILE, reason: HOSTILE, diff: image, before: { ...image, source } },
    warnings: [{ code: 'x', message: HOSTILE }],
    baseline: { path: HOSTILE, sha256: null, environment: null },
  });
  const problem = { code: 'x', where: HOSTILE, found: HOSTILE, advice: HOSTILE };
  const page = renderHtml(
    runOf([shot, { ...shot, status: 'passed' }], { list: HOSTILE, selected: [HOSTILE], problems: [problem] }),
  );
  expect(page).not.toMatch(/<script|<img src=x|[^\P{Cc}\n]|\u202e/u);
  // The one image of the shot that is its own, and its close-up: nothing hostile became one.
  expect(page.match(/<img /g)).toHaveLength(2);
});

describe('a link', () => {
  test('to an image leads into the report', () => {
    expect(imageHref('screenshots/a b/#?.png')).toBe('screenshots/a%20b/%23%3F.png');
  });

  test.each([
    '../x.png',
    'screenshots/../../x',
    'screenshots//x',
    '/etc/passwd',
    'javascript:alert(1)',
    'screenshots/\ud800',
    'C:\\x',
  ])('to %j is none', (link) => {
    expect(imageHref(link)).toBe(null);
  });

  test('to a page is http or https', () => {
    expect(pageHref('https://example.test/a"b')).toBe('https://example.test/a%22b');
    expect(['javascript:alert(1)', 'data:text/html,x', 'file:///etc', '/pricing'].map(pageHref)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
