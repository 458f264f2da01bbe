import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { expect, test } from './project.js';

const COMMANDS = [
  'init',
  'approve',
  'report',
  'prune',
  'compare',
  'capture',
  'doctor',
  'serve',
  'mcp',
  'github-comment',
];

test('every command explains itself: examples, JSON, exit codes; and knows the flag that was meant', async ({
  project,
}) => {
  const all = await project.proofsheet(['--help']);
  expect(all).toExit(0);
  expect(all.stdout).toContain('npx playwright test');
  const listed = [...all.stdout.matchAll(/^ {2}([a-z-]+) (?=.* {2}|\[|<)/gm)].map(([, name]) => name);
  expect(listed).toEqual([...COMMANDS, 'help']);
  await Promise.all(
    COMMANDS.map(async (name) => {
      const help = await project.proofsheet([name, '--help']);
      expect(help).toExit(0);
      expect(help.stdout).toMatch(
        new RegExp(`^Usage: proofsheet ${name} [^]*^Examples:\\n {2}.*proofsheet ${name}`, 'm'),
      );
      expect(help.stdout).toMatch(/^.*Exit code: 0 .+, 2 .+\.$/m);
      // Standard output of that one belongs to a protocol.
      if (name !== 'mcp') expect(help.stdout).toMatch(/^ {2}--json /m);
      const flag = name === 'mcp' ? '--storage' : '--json';
      const needed = name === 'capture' ? ['-o', 'x.png'] : [];
      const slip = await project.proofsheet([name, ...needed, `${flag}e`]);
      expect(slip).toExit(2);
      expect(slip.output).toContain(`proofsheet ${name}: unknown option '${flag}e'. Did you mean ${flag}?`);
    }),
  );
});

test('what is no command, and the version, are told', async ({ project }) => {
  const { version } = JSON.parse(readFileSync(project.path('node_modules/proofsheet/package.json'), 'utf8'));
  expect((await project.proofsheet(['--version'])).stdout).toBe(`${version}\n`);
  const unknown = await project.proofsheet(['help', 'aprove']);
  expect(unknown).toExit(2);
  expect(unknown.output).toContain("proofsheet: unknown command 'aprove'. Run: proofsheet --help\n");
});

test('a reader who has seen enough is no trouble, a full disk is', async ({ project }) => {
  const cli = project.path('node_modules/proofsheet/dist/cli.js');
  const endOf = async (stdout: 'pipe' | number) => {
    const child = spawn(process.execPath, [cli, 'compare', '--help'], { stdio: ['ignore', stdout, 'pipe'] });
    child.stdout?.destroy();
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, said };
  };
  expect(await endOf('pipe')).toEqual({ code: 0, said: '' });
  test.skip(!existsSync('/dev/full'), 'there is no disk that is full');
  const full = openSync('/dev/full', 'w');
  expect(await endOf(full)).toEqual({
    code: 2,
    said: expect.stringMatching(/^proofsheet: standard output: it cannot be written \(ENOSPC.*\)\n$/),
  });
  closeSync(full);
});
