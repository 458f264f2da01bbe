import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { root, withSite } from '../../e2e/project.js';
import { test } from '../runs.js';

/** Pages that nobody here wrote, out of MIT-licensed packages. The soak tests have more of them. */
const PACKAGES = ['startbootstrap-clean-blog', 'startbootstrap-landing-page', 'spectre.css'];

const LIST = `defaults: { fullSize: true, width: 800, height: 600 }
pages:
  - { name: blog, url: /startbootstrap-clean-blog/dist/about.html }
  - { name: landing, url: /startbootstrap-landing-page/dist/index.html }
  - { name: cards, url: /spectre.css/docs/components/cards.html }
`;

test('three real pages pass twice; only the changed one fails, and passes after its update', { tag: '@soak' }, async ({
  runs,
}) => {
  await withSite(async (site) => {
    for (const name of PACKAGES) cpSync(join(root, 'node_modules', name), join(site.folder, name), { recursive: true });
    const list = `baseURL: ${site.url}\n${LIST}`;
    expect((await runs.run(list, { mode: 'changed' })).statuses).toEqual(['blog: new', 'cards: new', 'landing: new']);
    expect((await runs.run(list)).statuses).toEqual(['blog: passed', 'cards: passed', 'landing: passed']);

    const file = join(site.folder, 'spectre.css/docs/components/cards.html');
    const before = readFileSync(file, 'utf8');
    const after = before.replace('</head>', '<style>.card-title { color: #7a1f1f; }</style></head>');
    expect(after).not.toBe(before);
    writeFileSync(file, after);
    const changed = await runs.run(list);
    expect(changed.statuses).toEqual(['blog: passed', 'cards: changed', 'landing: passed']);
    for (const role of ['before', 'after', 'diff'] as const)
      expect(changed.of('cards').image(role).length).toBeGreaterThan(0);

    const updated = await runs.run(list, { mode: 'changed' });
    expect(updated.passed).toBe(true);
    expect(updated.shot('cards')).toMatchObject({ status: 'changed', written: true });
    expect((await runs.run(list)).statuses).toEqual(['blog: passed', 'cards: passed', 'landing: passed']);
  });
});
