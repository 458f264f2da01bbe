import { linkSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { examineConfig, isSameFile } from '../../../src/commands/doctor.js';
import { findProject } from '../../../src/run/folders.js';

const WITH_REPORTER = "export default { reporter: [['proofsheet/reporter']] };\n";

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofsheet-doctor-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const examine = (...path: [string, ...string[]]) => examineConfig(findProject({ config: join(...path) }));

describe('doctor checks', () => {
  test('the config that the user named, also if it has another name', () => {
    const folder = folderWith({ 'visual.config.ts': WITH_REPORTER });
    expect(examine(folder, 'visual.config.ts')).toMatchObject({ state: 'ok', found: 'visual.config.ts' });
  });

  test('the config that the user named, not another one in its folder', () => {
    const folder = folderWith({ 'playwright.config.ts': WITH_REPORTER, 'visual.config.ts': 'export default {};\n' });
    expect(examine(folder, 'visual.config.ts')).toMatchObject({
      ...{ state: 'warning', found: 'visual.config.ts does not contain proofsheet/reporter, so no report is written' },
    });
  });

  test.each(['ts', 'mjs'])('the config of a folder that the user named: playwright.config.%s', (end) => {
    const folder = folderWith({ [`playwright.config.${end}`]: WITH_REPORTER });
    expect(examine(folder)).toMatchObject({ state: 'ok', found: `playwright.config.${end}` });
  });

  test('that a folder has a config', () => {
    const folder = folderWith({ 'visual.config.ts': WITH_REPORTER });
    expect(examine(folder)).toMatchObject({ state: 'problem', found: `no playwright.config in ${folder}` });
  });
});

test('two paths of one file, as in another case on macOS and Windows, are the same file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proofsheet-doctor-'));
  const at = (name: string) => join(folder, name);
  for (const name of ['one.json', 'copy.json']) writeFileSync(at(name), '{}');
  // A hard link is a second path on every system.
  linkSync(at('one.json'), at('link.json'));
  expect(isSameFile(at('one.json'), at('link.json'))).toBe(true);
  expect(isSameFile(at('one.json'), at('copy.json'))).toBe(false);
});
