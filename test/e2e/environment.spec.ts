import { readFileSync, writeFileSync } from 'node:fs';
import { embedText, extractText } from '../../src/image/metadata.js';
import type { Environment } from '../../src/model/environment.js';
import { decodeBaselineRecord, encodeBaselineRecord } from '../../src/model/environment.js';
import { prepareTwoPages } from './baselines.js';
import { config, expect, html, type Project, test } from './project.js';

const PAGES = ['about', 'home'];
const OLD = { browserVersion: '99.0.1', fonts: '0123456789ab' };

/** Makes a baseline say that it was made in another environment; its picture stays as it is. */
function edit(project: Project, name: string, changes: Partial<Environment>): void {
  const path = project.path(`visual.spec.mjs-snapshots/${name}`);
  const { text, bare } = extractText(readFileSync(path), 'png');
  const record = decodeBaselineRecord(text ?? '');
  if (!record) throw new Error(`${name} carries no record`);
  const edited = { ...record, environment: { ...record.environment, ...changes } };
  writeFileSync(path, embedText(bare, 'png', encodeBaselineRecord(edited), name));
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

test('a run prints one notice if its baselines come from another environment and a page differs', async ({
  project,
  site,
}) => {
  await prepareTwoPages(project, site);
  project.write({ 'playwright.config.mjs': config('workers: 2,') });
  for (const page of PAGES) edit(project, `${page}-linux.png`, OLD);
  const dot = '<div style="width: 4px; height: 4px; background: #f00"></div>';
  site.write({ 'index.html': html(`<h1>Home</h1>${dot}`), 'about.html': html(`<h1>About</h1>${dot}`) });
  const run = await project.test();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(PAGES.map((page) => `${page}: changed`));
  const { environment } = project.shot('home');
  if (!environment) throw new Error('nothing was captured');
  expect(project.shot('home').baseline?.environment).toEqual({ ...environment, ...OLD });
  const { browserVersion, fonts, os, arch } = environment;
  const notice = `environment mismatch: baselines from chromium 99.0.1 on ${os}/${arch}, fonts 0123456789ab; this run used chromium ${browserVersion} on ${os}/${arch}, fonts ${fonts}; rendering may differ`;
  const [, shots = ''] = run.output.split(`warning   ${notice} `);
  expect(shots).toMatch(/^\(2 shots: (about, home|home, about)\)/);
  for (const text of [run.output, read(project, 'summary.md')])
    expect(countOf(text, 'environment mismatch: baselines from')).toBe(1);
  // The page has it for the run; the script adds it to each shot.
  expect(countOf(read(project, 'index.html'), '(2 shots: ')).toBe(1);

  const bare = await project.test(['--reporter=line']);
  expect(bare).toExit(1);
  expect(bare.output, 'without our reporter as well').toContain(`proofsheet: ${notice}`);
  expect(countOf(bare.output, 'environment mismatch: baselines from')).toBe(1);
});

function read(project: Project, name: string): string {
  return readFileSync(project.path(`proofsheet-report/${name}`), 'utf8');
}
