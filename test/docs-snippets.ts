import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface DocsPage {
  /** Relative to the checkout, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Snippet {
  readonly page: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  /** The first word after the fence; empty if there is none. */
  readonly language: string;
  /** The second word after the fence: the name of the file that the snippet shows. */
  readonly file: string | null;
  readonly text: string;
}

/** One simple command of a shell line. */
export interface ShellCommand {
  /** Where the line is: `README.md:12`. */
  readonly where: string;
  /** The program and its arguments, without quotes. */
  readonly words: readonly string[];
}

/** Reads the README and all pages in docs/, and the other pages of the root folder that exist. */
export function readDocs(): DocsPage[] {
  const docs = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'));
  const other = ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].filter((name) => existsSync(root + name));
  const paths = ['README.md', ...docs.sort().map((name) => `docs/${name}`), ...other];
  return paths.map((path) => ({ path, text: readFileSync(root + path, 'utf8') }));
}

const FENCE = /^( *)(`{3,}|~{3,})(.*)$/;

/** Returns the fenced blocks of a page, without the indentation of their fences. */
export function snippetsOf({ path, text }: DocsPage): Snippet[] {
  const snippets: Snippet[] = [];
  let open: { snippet: Omit<Snippet, 'text'>; fence: string; indent: number; lines: string[] } | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', fence = '', info = ''] = FENCE.exec(line) ?? [];
    if (!open) {
      if (fence === '') continue;
      const [language = '', file = null] = info.trim().split(/\s+/);
      open = { snippet: { page: path, line: index + 1, language, file }, fence, indent: indent.length, lines: [] };
    } else if (fence.startsWith(open.fence) && info.trim() === '') {
      snippets.push({ ...open.snippet, text: `${open.lines.join('\n')}\n` });
      open = null;
    } else open.lines.push(line.replace(new RegExp(`^ {0,${open.indent}}`), ''));
  }
  if (open) throw new Error(`${path}:${open.snippet.line}: this fence is not closed`);
  return snippets;
}

/** Returns the text of a page without its fenced blocks. Lines keep their numbers. */
export function proseOf({ path, text }: DocsPage): string {
  const lines = text.split('\n');
  for (const { line, text: block } of snippetsOf({ path, text })) {
    const length = block.split('\n').length;
    for (let index = line - 1; index < line + length; index++) lines[index] = '';
  }
  return lines.join('\n');
}

const SHELL_LANGUAGES = ['sh', 'bash', 'shell'];

export function commandsOf(snippets: readonly Snippet[]): ShellCommand[] {
  return snippets
    .filter(({ language }) => SHELL_LANGUAGES.includes(language))
    .flatMap(({ page, line, text }) => parseShell(text, `${page}:${line}`));
}

/** Parses shell text: comments, continued lines, quotes, and assignments before a command. */
export function parseShell(text: string, where: string): ShellCommand[] {
  const lines = text.replace(/\\\n/g, ' ').split(/\n| && | \| /);
  return lines.flatMap((line) => {
    const parts = line.replace(/(^|\s)#.*$/, '').match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
    const words = parts.map((word) => word.replace(/['"]/g, ''));
    const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
    return first < 0 ? [] : [{ where, words: words.slice(first) }];
  });
}
