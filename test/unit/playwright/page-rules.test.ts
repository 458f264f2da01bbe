import { describe, expect, test } from 'vitest';
import { type PageOptions, pageRulesOf } from '../../../src/core/shot/page-rules.js';
import type { Shot } from '../../../src/model/shot.js';
import { resolveShot } from '../../../src/page-list/resolve/resolve-shot.js';
import { isRecorded, type RecordingOptions } from '../../../src/playwright/runner-context.js';
import { shotOf } from '../page-list/list-file.js';

const USE = { baseURL: 'http://127.0.0.1', viewport: null };
const shot = (line = 'fullSize: true'): Shot => resolveShot(shotOf(`pages:\n  - url: /\n    ${line}\n`), USE);
const OPTIONS: PageOptions = { contextOptions: {}, credentials: [undefined], isRecorded: false };
const kindOf = (options: Partial<PageOptions> = {}, line?: string) =>
  pageRulesOf({ ...OPTIONS, ...options }, shot(line)).kind;

describe('a page', () => {
  test('is of one kind with those that are alike but for their address, their size and what is done before an image', () => {
    expect(kindOf()).not.toBeNull();
    expect(kindOf({}, 'hide: .ad')).toBe(kindOf());
    expect(kindOf({}, 'mask: .ad')).toBe(kindOf());
  });

  test.each([
    'hideCookie: true',
    'settle: { motion: false }',
    'settle: { late: 30 }',
    'waitFor: .a',
    'javascriptCode: "1"',
    'actions: [{ click: .a }]',
  ])('is of another kind where scripts run before its own, or its timers are not held: %s', (line) => {
    expect(kindOf({}, line)).not.toBe(kindOf());
    expect(kindOf({}, line)).not.toBeNull();
  });

  test('is of another kind where the project makes it another', () => {
    expect(kindOf({ contextOptions: { locale: 'de-DE' } })).not.toBe(kindOf());
  });

  test.each(['clock: 2030-01-01', 'delay: 1', 'height: null', 'format: pdf'])(
    'has a page of its own where that cannot be undone: %s',
    (line) => {
      expect(kindOf({}, line)).toBeNull();
    },
  );

  test.each<Partial<PageOptions>>([
    { credentials: ['state.json'] },
    { credentials: [{ username: 'joe', password: 'word' }] },
    { credentials: [[{ origin: 'https://a.test' }]] },
  ])('has a page of its own where the project lets it in: %j', (options) => {
    expect(kindOf(options)).toBeNull();
  });
});

describe('a page is recorded, has a page of its own, and its steps are told', () => {
  test.each<[boolean, Partial<RecordingOptions>]>([
    [false, {}],
    [false, { trace: 'on-first-retry' }],
    [true, { trace: 'on-first-retry', retry: 1 }],
    [false, { trace: 'on-all-retries' }],
    [true, { trace: 'on' }],
    [true, { trace: 'retain-on-failure' }],
    [true, { trace: { mode: 'retain-on-first-failure' } }],
    [false, { screenshot: 'only-on-failure' }],
    [true, { screenshot: 'on' }],
    [true, { screenshot: { mode: 'on', fullPage: true } }],
  ])('%s: %j', (expected, options) => {
    const recorded = isRecorded({ screenshot: 'off', trace: 'off', retry: 0, ...options });
    expect(recorded).toBe(expected);
    const rules = pageRulesOf({ ...OPTIONS, isRecorded: recorded }, shot());
    expect(rules.isRecorded).toBe(expected);
    expect(rules.kind === null).toBe(expected);
  });
});
