import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from './run-command.js';

// Commands that start Playwright are in test/e2e/exit-codes.spec.ts.

/** A command that cannot do what it is asked, in a folder with this file. `says` is a part of its message. */
interface Impossible {
  readonly args: readonly string[];
  readonly file?: readonly [name: string, content: string];
  readonly says: string;
}

const GITHUB = ['github-comment', '--repo', 'octo/site', '--pr', '1'];
/** Each command, with the arguments that it requires. */
const COMMANDS = [
  ...['init', 'approve', 'report', 'prune', 'affected', 'doctor', 'serve', 'mcp'].map((name) => [name]),
  ...[['compare', 'a.png', 'b.png'], ['capture', 'http://127.0.0.1:9', '-o', 'a.png'], GITHUB],
];
const OF_PROJECT = ['approve', 'report', 'prune', 'affected', 'doctor', 'mcp'].map((name) => [name]);
const OF_REPORT = [...['approve', 'report', 'prune'].map((name) => [name]), GITHUB];
const FILE = ['file', ''] as const;

const IMPOSSIBLE: Record<string, Impossible> = {
  'no command': { args: [], says: 'the command is missing' },
  'an unknown command': { args: ['shoot'], says: "unknown command 'shoot'" },
  ...forEach(COMMANDS, 'an unknown flag', { args: ['--gone'], says: "unknown option '--gone'" }),
  ...forEach(OF_PROJECT, 'a config that is missing', {
    args: ['--config', 'gone.ts'],
    says: 'gone.ts: the config does not exist',
  }),
  ...forEach(OF_REPORT, 'no report', { args: [], says: 'no report of a finished run' }),
  ...forEach(OF_REPORT, 'a damaged report', {
    args: [],
    file: ['proofsheet-report/results.json', '{'],
    says: 'cannot read the run record',
  }),
  ...forEach([['serve'], ['mcp']], 'a storage that cannot be written to', {
    args: ['--storage', 'file/folder'],
    file: FILE,
    says: 'file/folder: the folder cannot be written to (E',
  }),
  'compare: a folder that cannot be written to': {
    args: ['compare', 'a.png', 'b.png', '-o', 'file'],
    file: FILE,
    says: 'file',
  },
  'compare: one image': { args: ['compare', 'a.png'], says: "missing required argument 'after'" },
  'compare: images that are missing': { args: ['compare', 'a.png', 'b.png'], says: 'a.png: the file does not exist' },
  'capture: no URL': { args: ['capture', '-o', 'a.png'], says: "missing required argument 'url'" },
  'capture: no output': { args: ['capture', 'http://127.0.0.1:9'], says: "required option '-o, --output <file>'" },
  'init: a list that is missing': { args: ['init', '--from', 'gone.json'], says: 'gone.json: the file does not exist' },
  'init: a list that cannot be written': { args: ['init'], file: ['pages.yaml/x', ''], says: 'EISDIR' },
  'serve: a key file that is missing': { args: ['serve', '--keys', 'gone'], says: 'the key file cannot be read' },
  'github-comment: no repository': { args: ['github-comment'], says: 'the repository is missing' },
};

function forEach(commands: readonly (readonly string[])[], title: string, { args, ...row }: Impossible) {
  return Object.fromEntries(commands.map((words) => [`${words[0]}: ${title}`, { ...row, args: [...words, ...args] }]));
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofsheet-exit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.entries(IMPOSSIBLE))('%s exits with 2 and says why', async (_, { args, file, says }) => {
  if (file) {
    mkdirSync(dirname(join(folder, file[0])), { recursive: true });
    writeFileSync(join(folder, file[0]), file[1]);
  }
  const { code, output } = await runCommand(folder, args, { GITHUB_REPOSITORY: '' });
  expect(output).toContain(says);
  expect(code).toBe(2);
});
