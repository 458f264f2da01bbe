import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runCommand } from './run-command.js';

const COMMANDS = [
  'init',
  'approve',
  'report',
  'prune',
  'compare',
  'capture',
  'affected',
  'doctor',
  'serve',
  'mcp',
  'github-comment',
];

const run = (...args: string[]) => runCommand(tmpdir(), args);

test('the commands are listed in their order', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  expect(stdout).toContain('npx playwright test');
  const [, list = ''] = /Commands:\n([\s\S]*)/.exec(stdout) ?? [];
  expect([...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name)).toEqual([...COMMANDS, 'help']);
});

test.each(COMMANDS)('%s explains itself: examples, JSON, exit codes; and it is in the README', async (name) => {
  const help = await run(name, '--help');
  expect(help.code).toBe(0);
  expect(help.stdout).toMatch(new RegExp(`^Usage: proofsheet ${name} [^]*^Examples:\\n {2}.*proofsheet ${name}`, 'm'));
  expect(help.stdout).toMatch(/\nExamples:\n {2}proofsheet /);
  expect(help.stdout).toMatch(/^.*Exit code: 0 .+, 2 .+\.$/m);
  // Standard output of `mcp` belongs to a protocol.
  if (name !== 'mcp') expect(help.stdout).toMatch(/^ {2}--json /m);
  expect(readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')).toContain(`\`proofsheet ${name}`);
});

test.each(COMMANDS)('%s knows the flag that was meant', async (name) => {
  const flag = name === 'mcp' ? '--storage' : '--json';
  const needed = name === 'capture' ? ['-o', 'x.png'] : [];
  const slip = await run(name, ...needed, `${flag}e`);
  expect(slip.code).toBe(2);
  expect(slip.output).toContain(`proofsheet ${name}: unknown option '${flag}e'. Did you mean ${flag}?`);
});

test('an unknown command is an error', async () => {
  const unknown = await run('help', 'aprove');
  expect(unknown.code).toBe(2);
  expect(unknown.output).toContain("proofsheet: unknown command 'aprove'. Run: proofsheet --help\n");
});
