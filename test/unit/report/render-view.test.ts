import { describe, expect, test } from 'vitest';
import type { RunRecord, ShotRecord } from '../../../src/model/run-record.js';
import { imageHref, pageHref } from '../../../src/report/html/html.js';
import { quoteArgument, renderView } from '../../../src/report/html/render-view.js';
import { changedOf, HOSTILE, runOf, shotOf } from './specimens.js';

/** What the page shows of one shot. */
function viewOf(shot: ShotRecord) {
  const [view] = renderView(runOf([shot]), null).shots;
  if (!view) throw new Error('the shot is not there');
  return view;
}

/** Returns the details of a shot by name. */
function detailsOf(shot: ShotRecord): Record<string, string> {
  return Object.fromEntries(viewOf(shot).details.map(({ name, text }) => [name, text]));
}

test('a shot is told with its metrics, its limit in words, its page, its baseline, its environment and its warnings', () => {
  const limits = { threshold: 0.02, maxDiffPixels: null, maxDiffPixelRatio: 0.001 };
  const environment: NonNullable<ShotRecord['environment']> = {
    ...{ os: 'linux', arch: 'x64', browser: 'chromium', browserVersion: '141.0', headless: 'shell' },
    ...{ scale: 1, fonts: 'f00', engine: 'pixelmatch 7.2.0' },
  };
  const warnings = [{ code: 'fonts', message: 'fonts pending' }];
  const attempts: ShotRecord['attempts'] = [{ status: 'changed' }, { status: 'passed' }];
  expect(detailsOf(changedOf({ limits, environment, warnings, attempts }))).toEqual({
    differs: '1,204 px of 921,600 (0.13 %)',
    'fails above': '0.1 % = 921 px of 1280x8000; a pixel counts from a color distance of 0.02',
    size: '1280x8000',
    page: 'http://127.0.0.1:4173/pricing',
    baseline: 'shots/chromium/pricing.png',
    attempts: '1 changed, 2 passed',
    captured: '2026-11-20 12:00:00 UTC. Captured.',
    'made with': 'chromium 141.0 on linux/x64, headless shell, scale 1, fonts f00, pixelmatch 7.2.0',
    warning: 'fonts pending',
    took: '812 ms',
  });
});

describe('the attempts of a shot', () => {
  const { after, diff } = changedOf();
  if (!after || !diff) throw new Error('the specimen has both');

  test('that is flaky are told with what each saw; the one that stands, with nothing of its own', () => {
    const attempts: ShotRecord['attempts'] = [
      { status: 'changed', reason: HOSTILE, after: { ...after, link: 'screenshots/a/2.png' }, diff },
      { status: 'error' },
      { status: 'passed' },
    ];
    const [first, silent, last] = viewOf(shotOf({ flaky: true, attempts })).attempts;
    expect(first).toMatchObject({
      status: 'changed',
      images: { before: null, after: { href: 'screenshots/a/2.png' }, diff: { href: diff.link } },
    });
    expect(first?.reason).not.toContain('\u001b');
    expect(silent).toEqual({ status: 'error', reason: '', images: { before: null, after: null, diff: null } });
    expect(last).toEqual({ status: 'passed', reason: '', images: null });
  });

  test('that ended alike are a line of the details, and no more', () => {
    const attempts: ShotRecord['attempts'] = [{ status: 'changed' }, { status: 'changed' }];
    const shot = changedOf({ attempts });
    expect(viewOf(shot).attempts).toEqual([]);
    expect(detailsOf(shot).attempts).toBe('1 changed, 2 changed');
  });
});

test('what moved and by how much the size changed is said', () => {
  const [after, before] = [shotOf().after, shotOf().before];
  if (!after || !before) throw new Error('the specimen has both');
  const place = { x: 0, y: 24, width: 1280, height: 48 };
  const inserted = { kind: 'inserted', axis: 'rows', by: 48, before: null, after: place } as const;
  const details = detailsOf(
    changedOf({ before, after: { ...after, height: 8048 }, events: [{ ...inserted, regions: [] }] }),
  );
  expect(details.moved).toBe('48 px inserted at y=24; 1 region also changed');
  expect(details.size).toBe('1280x8000 before, 1280x8048 after');
});

test('a shot that passed has its exact metrics', () => {
  expect(viewOf(shotOf())).toMatchObject({
    needsReview: false,
    metrics: { differs: '0', total: '10,240,000', antialiased: '0', limit: '0 px', time: '812 ms' },
  });
});

test('only what changed or is new can be decided on, where it has a baseline and this run wrote none', () => {
  const isDecidable = (changes: Partial<ShotRecord>) => viewOf(changedOf(changes)).isDecidable;
  expect([isDecidable({}), isDecidable({ status: 'new' })]).toEqual([true, true]);
  expect([
    isDecidable({ status: 'error' }),
    isDecidable({ status: 'unstable' }),
    isDecidable({ status: 'passed' }),
  ]).toEqual([false, false, false]);
  expect([isDecidable({ baseline: null }), isDecidable({ written: true, reason: null })]).toEqual([false, false]);
});

test('an image that is not there is said to be missing, and a PDF is no picture', () => {
  const { before, after, diff } = viewOf(
    changedOf({
      diff: { link: null, width: 1, height: 1 },
      before: null,
      after: { link: 'screenshots/h/u/1.pdf', width: 595, height: 842, source: '' },
    }),
  );
  expect(before).toBe(null);
  expect(diff).toMatchObject({ href: null, caption: 'the image is missing' });
  expect(after).toMatchObject({ isPicture: false });
});

test('a project is typed only where there are several', () => {
  const projectsOf = (record: RunRecord) => renderView(record, null).shots.map(({ quotedProject }) => quotedProject);
  expect(projectsOf(runOf([shotOf(), shotOf({ id: 'b' })]))).toEqual(['', '']);
  expect(projectsOf(runOf([shotOf(), shotOf({ project: 'my phone' })]))).toEqual(['chromium', "'my phone'"]);
});

test('a group is typed, and one that is no plain word is none', () => {
  expect(viewOf(changedOf({ group: '12' })).group).toBe('12');
  expect(viewOf(changedOf({ group: '1; rm -rf ~' })).group).toBe(null);
});

test('text from outside is made plain, but for what names a shot', () => {
  const { id, name, reason, details } = viewOf(changedOf({ id: HOSTILE, reason: HOSTILE, url: HOSTILE }));
  expect(id).toBe(HOSTILE);
  for (const text of [name, reason, ...details.map((detail) => detail.text)])
    expect(text).not.toMatch(/\p{Cc}|[\u202a-\u202e]/u);
});

describe('an argument', () => {
  test.each([
    ['pricing/desktop', 'pricing/desktop'],
    ['docs/intro?v=2', "'docs/intro?v=2'"],
    ["it's $(rm -rf ~) `x`", "'it'\\''s $(rm -rf ~) `x`'"],
    ['-x', "'-x'"],
    ['', "''"],
  ])('%j is typed as %s', (text, quoted) => {
    expect(quoteArgument(text)).toBe(quoted);
  });

  test('with control characters, or turned in its direction, cannot be typed', () => {
    expect([HOSTILE, 'a\nb', '\u202eabc'].map(quoteArgument)).toEqual([null, null, null]);
  });
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
    const hostile = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc', '/pricing'];
    expect(hostile.map(pageHref)).toEqual([null, null, null, null]);
  });
});
