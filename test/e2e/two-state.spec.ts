import { join } from 'node:path';
import { config, expect, html, type Project, SPEC, test, withSite } from './project.js';

// A `before` of one page, and a side that fails: reporters.spec.ts.
test('with `before:` both sites are captured; no baseline is read, written or used', async ({
  project,
  site: after,
}) => {
  await withSite(async (before) => {
    for (const site of [before, after]) site.write({ 'contact/index.html': html('<h1>Contact</h1>') });
    before.write({ 'pricing/index.html': html('<h1>Plans</h1><p>49</p>') });
    after.write({ 'pricing/index.html': html('<h1>Plans</h1><p>54</p>') });
    project.write({
      'pages.yaml': `baseURL: ${after.url}\nbefore: ${before.url}\npages: [/contact/, /pricing/]\n`,
      'visual.spec.mjs': SPEC,
      'playwright.config.mjs': config(),
    });
    await expectTwoSides(project, before.url, after.url);
  });
});

async function expectTwoSides(project: Project, before: string, after: string): Promise<void> {
  const run = await project.test(['--update-snapshots=all']);
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['contact: passed', 'pricing: changed']);
  const shot = project.shot('pricing');
  expect(shot).toMatchObject({ written: false, baseline: null });
  expect(shot.before?.source).toBe(`${before}/pricing/`);
  expect(shot.after?.source).toBe(`${after}/pricing/`);
  for (const image of [shot.before, shot.after, shot.diff]) {
    expect(project.exists(join('proofsheet-report', image?.link ?? 'none'))).toBe(true);
  }
  expect(project.files('visual.spec.mjs-snapshots')).toEqual([]);
  expect(run.output).toContain('two-state shot');
  const approval = await project.proofsheet(['approve', 'pricing']);
  expect(approval, 'nothing to approve').toExit(0);
  expect(approval.stdout).toBe('unchanged: pricing: a two-state shot has no baseline\n');
  expect(project.files('visual.spec.mjs-snapshots')).toEqual([]);
}
