// @module-tag slow
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readRun } from '../../../src/baselines/read-run.js';
import { writeRun } from '../../../src/baselines/write-run.js';
import type { ProjectFolders } from '../../../src/run/project.js';
import { dangersIn, HOSTILE_TEXT } from '../../hostile-texts.js';
import { finishRun, writeAt } from '../review/finished-run.js';
import { runCommand } from './run-command.js';

/** Playwright prints the error of a config. */
const CONFIG = `throw new Error(${JSON.stringify(HOSTILE_TEXT)});`;

let places: ProjectFolders;
beforeEach(async () => {
  const texts = { id: HOSTILE_TEXT, page: 'shop', url: HOSTILE_TEXT, project: HOSTILE_TEXT, reason: HOSTILE_TEXT };
  const warnings = [{ code: 'x', message: HOSTILE_TEXT }];
  places = await finishRun([
    { id: 'a', status: 'changed', before: '#ff0000', after: '#0000ff', changes: { ...texts, flaky: true, warnings } },
    { id: 'b', status: 'error', before: '#ff0000', changes: { ...texts, id: `b${HOSTILE_TEXT}` } },
  ]);
  const run = await readRun(places.folder);
  await writeRun(places.folder, { ...run, run: { ...run.run, commit: HOSTILE_TEXT } }, []);
  await writeAt(join(places.root, 'playwright.config.mjs'), CONFIG);
});

/** Node refuses a path with this character before a command sees it. */
const ARGUMENT = HOSTILE_TEXT.replaceAll('\u0000', '');

test.each([
  ['approve', ['shop']],
  ['approve', [`other ${HOSTILE_TEXT}`]],
  ['prune', ['--yes']],
  ['doctor', []],
  ['compare', [`before ${ARGUMENT}`, `after ${ARGUMENT}`]],
  [HOSTILE_TEXT, []],
])(
  'proofsheet %.12s %.40j prints nothing that a terminal or a CI runner obeys',
  { timeout: 60_000 },
  async (name, args) => {
    for (const flags of [[], ['--json']]) {
      const ended = await runCommand(places.root, [name, ...args, ...flags]);
      expect(ended.output).toContain('evil.test');
      expect(dangersIn(ended.output)).toEqual([]);
      if (flags.length > 0) expect(JSON.stringify(JSON.parse(ended.stdout))).toContain('evil.test');
    }
  },
);
