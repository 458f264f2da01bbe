import { join } from 'node:path';
import { serve } from '../../fixtures/serve.mjs';
import { config, expect, root, SPEC, test } from './project.js';

// A `before` of one page, and a side that fails: reporters.spec.ts.
test('with `before:` both sites are captured; no baseline is read, written or used', async ({ project }) => {
  const before = await serve([join(root, 'fixtures/site')]);
  const after = await serve([join(root, 'fixtures/site-b'), join(root, 'fixtures/site')]);
  project.write({
    'pages.yaml': `baseURL: ${after.url}\nbefore: ${before.url}\ndefaults: { fullSize: true }\npages: [/pricing/, /contact/]\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const run = await project.test(['--update-snapshots=all']);
  await before.close();
  await after.close();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['contact: passed', 'pricing: changed']);
  const shot = project.shot('pricing');
  expect(shot).toMatchObject({ written: false, baseline: null });
  expect(shot.before?.source).toBe(`${before.url}/pricing/`);
  expect(shot.after?.source).toBe(`${after.url}/pricing/`);
  for (const image of [shot.before, shot.after, shot.diff]) {
    expect(project.exists(join('proofsheet-report', image?.link ?? 'none'))).toBe(true);
  }
  expect(project.files('visual.spec.ts-snapshots')).toEqual([]);
  expect(run.output).toContain('two-state shot');
  const approval = await project.proofsheet(['approve', 'pricing']);
  expect(approval, 'nothing to approve').toExit(0);
  expect(approval.stdout).toBe('unchanged: pricing: a two-state shot has no baseline\n');
  expect(project.files('visual.spec.ts-snapshots')).toEqual([]);
});
