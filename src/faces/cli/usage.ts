import type { CommanderError } from 'commander';
import type { Problem } from '../../model/errors.js';

/** Tells what is wrong with a command line in our three parts: what was meant, where that can be told, else where to read. */
export function describeUsage({ message }: CommanderError, argv: readonly string[]): Problem {
  const [found = '', meant = ''] = message.replace(/^error: /, '').split('\n');
  const command = argv.find((word) => !word.startsWith('-'));
  const isKnown = command !== undefined && command !== 'help' && !/^unknown command/.test(found);
  const where = isKnown ? `proofsheet ${command}` : 'proofsheet';
  return {
    code: 'command-invalid',
    where,
    found: found === '(outputHelp)' ? unhelped(argv) : found.replace(/\.$/, ''),
    advice: meant === '' ? `Run: ${where} --help` : meant.replace(/^\((.*)\)$/, '$1'),
  };
}

/** All that there is was shown instead. */
function unhelped([command, name]: readonly string[]): string {
  return command === 'help' && name !== undefined ? `unknown command '${name}'` : 'no command was given';
}
