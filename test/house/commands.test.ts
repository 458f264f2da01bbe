import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = `${root}src/commands`;

/** Where the flags of a command are documented. */
const PAGES: Record<string, { readonly page: string; readonly heading: string }> = {
  serve: { page: 'docs/service.md', heading: '## Flags' },
  mcp: { page: 'docs/assistants.md', heading: '## Flags' },
};

/** Functions that add the same flags to several commands. */
const SHARED = ['addPlaces', 'addLanguageModel'];

const flagsText = read('src/commands/flags.ts');
const commands = readdirSync(cli)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => read(`src/commands/${name}`))
  .flatMap((text) => {
    const [, name] = /\.command\('([\w-]+)'\)/.exec(text) ?? [];
    return name === undefined ? [] : [{ name, flags: flagsOf(text) }];
  });

describe('the documentation of the commands', () => {
  test('sees the commands and their flags', () => {
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(['approve', 'capture', 'serve', 'mcp']));
    expect(commands.flatMap(({ flags }) => flags).length).toBeGreaterThan(70);
  });

  test.each(commands)('has each flag of $name, and no other', ({ name, flags }) => {
    const { page, heading } = PAGES[name] ?? { page: 'docs/cli.md', heading: `## ${name}` };
    expect(flagsOnPage(page, heading)).toEqual([...flags].sort());
  });

  test('lists each command', () => {
    const named = [...read('docs/cli.md').matchAll(/^\| \[`([\w-]+)`\]/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(commands.map(({ name }) => name).sort());
  });
});

/** The long flags that a source text adds, also by shared functions. */
function flagsOf(text: string): string[] {
  const own = [...text.matchAll(/(?:[oO]ption\(|requiredOption\()\s*'(?:-\w, )?(--[\w-]+)/g)].map(
    ([, flag = '']) => flag,
  );
  const shared = SHARED.filter((name) => text.includes(`${name}(command)`) && text !== flagsText);
  return [...new Set([...own, ...shared.flatMap((name) => flagsOf(bodyOf(name)))])];
}

/** The source of a function of flags.ts. */
function bodyOf(name: string): string {
  const [, body = ''] = flagsText.split(`export function ${name}(`);
  return body.split('\n}\n')[0] ?? '';
}

/** The long flags in the first column of the tables under a heading. */
function flagsOnPage(page: string, heading: string): string[] {
  const [, rest = ''] = read(page).split(`\n${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  return [...section.matchAll(/^\| `(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag).sort();
}

function read(name: string): string {
  return readFileSync(`${root}${name}`, 'utf8');
}
