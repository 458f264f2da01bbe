import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../../src/page-list/read-list.js';
import { DEVICES, refusalOf } from './list-file.js';

const LISTS = join(import.meta.dirname, '../../../fixtures/lists');
const list = (name: string) => join(LISTS, name);

describe('the lists under fixtures', () => {
  test('that are right give their shots, in order', () => {
    const { shots } = readPlan(list('full.yaml'), { env: {}, devices: DEVICES });
    expect(shots.map(({ id, url, before, tags, skip }) => ({ id, url, before, tags, skip }))).toEqual([
      { id: 'index/desktop', url: '/', before: '/', tags: ['@smoke'], skip: null },
      { id: 'index/phone', url: '/', before: '/', tags: ['@smoke'], skip: null },
      { id: 'pricing/phone', url: '/pricing', before: '/pricing', tags: ['@money', '@shop'], skip: null },
      ...['desktop', 'phone'].map((viewport) => ({
        id: `Über uns/${viewport}`,
        url: 'https://docs.example.com/about?tab=team#top',
        before: '/about?tab=team#top',
        tags: ['@smoke'],
        skip: null,
      })),
      ...['desktop', 'phone'].map((viewport) => ({
        id: `blog/${viewport}`,
        url: '/blog',
        before: '/news',
        tags: ['@smoke'],
        skip: 'redesign is not released',
      })),
      ...[
        'account/desktop',
        'account/desktop/menu-open',
        'account/desktop/dark',
        'account/phone/dark',
        'account/tall/chart',
      ].map((id) => ({ id, url: '/account', before: '/konto', tags: ['@smoke'], skip: null })),
      { id: 'terms/desktop/print', url: '/terms', before: '/terms', tags: ['@smoke'], skip: null },
    ]);
  });

  test('that are invalid report all problems at once, in file order', () => {
    const { message } = refusalOf(list('broken.yaml'));
    expect(`${message}\n`).toBe(readFileSync(list('broken.messages.txt'), 'utf8'));
  });
});
