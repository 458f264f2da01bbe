import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, test } from './project.js';

test('a closed pipe is no error, a full disk is one', async ({ project }) => {
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
    said: expect.stringMatching(/^proofsheet: cannot write to standard output \(ENOSPC.*\)\n$/),
  });
  closeSync(full);
});
