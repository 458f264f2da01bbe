import { readFileSync, writeFileSync } from 'node:fs';
import { embedText, extractText } from '../../src/image/metadata.js';
import { decodeBaselineRecord, encodeBaselineRecord } from '../../src/model/environment.js';
import { prepareTwoPages, SNAPSHOTS } from './baselines.js';
import { expect, html, type Project, test } from './project.js';

/** Makes a baseline say that another browser made it; its picture stays as it is. */
function makeOld(project: Project, name: string): void {
  const path = project.path(`${SNAPSHOTS}/${name}`);
  const { text, bare } = extractText(readFileSync(path), 'png');
  const record = decodeBaselineRecord(text ?? '');
  if (!record) throw new Error(`${name} carries no record`);
  const edited = { ...record, environment: { ...record.environment, browserVersion: '99.0.1' } };
  writeFileSync(path, embedText(bare, 'png', encodeBaselineRecord(edited), name));
}

// The text of a notice: test/unit/report/environment.test.ts.
test('a run prints one notice if its baselines come from another environment and pages differ, with any reporter', async ({
  project,
  site,
}) => {
  await prepareTwoPages(project, site);
  const pages = ['about', 'home'];
  for (const page of pages) makeOld(project, `${page}-linux.png`);
  const dot = '<div style="width: 4px; height: 4px; background: #f00"></div>';
  site.write({ 'index.html': html(`<h1>Home</h1>${dot}`), 'about.html': html(`<h1>About</h1>${dot}`) });
  const notices = (text: string) => text.match(/environment mismatch: baselines from chromium 99\.0\.1 on/g);
  const run = await project.test();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(pages.map((page) => `${page}: changed`));
  expect(project.shot('home').baseline?.environment?.browserVersion).toBe('99.0.1');
  for (const text of [run.output, readFileSync(project.path('proofsheet-report/summary.md'), 'utf8')])
    expect(notices(text)).toHaveLength(1);

  const bare = await project.test(['--reporter=line']);
  expect(bare).toExit(1);
  expect(bare.output).toContain('proofsheet: environment mismatch: ');
  expect(notices(bare.output)).toHaveLength(1);
});
