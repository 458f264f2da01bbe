import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeTempFolder } from '../temp-folder.js';

/** The compiled modules, which a program imports: the set-up of the tests builds them. */
export const BUILT = new URL('../../../.build', import.meta.url).href;

export function writeProgram(code: string): string {
  const program = join(makeTempFolder(), 'program.mjs');
  writeFileSync(program, code);
  return program;
}

/** `output` is there when the program has ended. It fails if the program fails; a killed one does not. */
export function startProgram(program: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const end = async () => {
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    if (child.exitCode !== 0 && child.signalCode === null) throw new Error(errors);
    return output;
  };
  return { child, output: end() };
}
