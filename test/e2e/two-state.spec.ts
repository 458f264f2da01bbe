import { join } from 'node:path';
import { serve } from '../../fixtures/serve.mjs';
import { config, expect, html, root, SPEC, test } from './project.js';

test('with `before:` the other site is captured live; no baseline is read, written or claimed', async ({
  project,
  site,
}) => {
  const before = await serve([join(root, 'fixtures/site')]);
  const after = await serve([join(root, 'fixtures/site-b'), join(root, 'fixtures/site')]);
  project.write({
    'pages.yaml': `baseURL: ${after.url}\nbefore: ${before.url}\ndefaults: { fullSize: true }\npages: [/, /pricing/, /contact/]\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const run = await project.test(['--update-snapshots=all']);
  await before.close();
  await after.close();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['contact: passed', 'index: changed', 'pricing: changed']);
  const shot = project.shot('pricing');
  expect(shot).toMatchObject({ written: false, baseline: null });
  expect(shot.before?.source).toBe(`${before.url}/pricing/`);
  expect(shot.after?.source).toBe(`${after.url}/pricing/`);
  for (const image of [shot.before, shot.after, shot.diff]) {
    expect(project.exists(join('proofsheet-report', image?.link ?? 'none'))).toBe(true);
  }
  expect(project.files('visual.spec.ts-snapshots')).toEqual([]);
  expect(run.output).toContain('two-state shot');
  expect(site.url).toBeTruthy();
  const approval = await project.proofsheet(['approve', 'index']);
  expect(approval, 'nothing to approve').toExit(0);
  expect(approval.stdout).toBe('unchanged: index: a two-state shot has no baseline\n');
  expect(project.files('visual.spec.ts-snapshots')).toEqual([]);
});

test('one page can have a before of its own, and a side that fails is an error', { tag: '@pain-15' }, async ({
  project,
  site,
}) => {
  site.write({
    'old.html': html('<h1>Page</h1>'),
    'new.html': html('<h1>Page</h1>'),
    'other.html': html('<h1>Other</h1>'),
  });
  project.write({
    'pages.yaml': `baseURL: ${site.url}
pages:
  - { name: same, url: /new.html, before: /old.html }
  - { name: different, url: /other.html, before: /old.html }
  - { name: lost, url: /new.html, before: /nowhere.html }
  - { name: plain, url: /new.html }
`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const run = await project.test();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['different: changed', 'lost: error', 'plain: new', 'same: passed']);
  expect(project.shot('lost').reason).toContain('/nowhere.html: HTTP status 404');
});
