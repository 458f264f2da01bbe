import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examineConfig } from '../../../src/commands/doctor.js';
import { findProject } from '../../../src/run/project.js';
import { makeTempFolder } from '../temp-folder.js';

const WITH_REPORTER = "export default { reporter: [['proofsheet/reporter']] };\n";

const WITHOUT = 'export default {};\n';

test.each<[string, Record<string, string>, string, string, string]>([
  ['that the user named', { 'visual.config.ts': WITH_REPORTER }, 'visual.config.ts', 'ok', 'visual.config.ts'],
  [
    'that the user named, not another one in its folder',
    { 'playwright.config.ts': WITH_REPORTER, 'visual.config.ts': WITHOUT },
    'visual.config.ts',
    'warning',
    'visual.config.ts does not contain proofsheet/reporter, so no report is written',
  ],
  ['of a folder', { 'playwright.config.ts': WITH_REPORTER }, '.', 'ok', 'playwright.config.ts'],
  ['of a folder, a module', { 'playwright.config.mjs': WITH_REPORTER }, '.', 'ok', 'playwright.config.mjs'],
  ['that a folder lacks', { 'visual.config.ts': WITH_REPORTER }, '.', 'problem', 'no playwright.config in '],
])('doctor checks the config %s', (_, files, named, state, found) => {
  const folder = makeTempFolder(files);
  const check = examineConfig(findProject({ config: join(folder, named) }));
  expect(check).toMatchObject({ state, found: expect.stringMatching(`^${found}`) });
});
