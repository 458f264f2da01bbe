import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { devices } from '@playwright/test';
import { CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../src/commands/main.js';
import { readPlan } from '../../src/list/read-list.js';
import {
  commandsOf,
  parseShell,
  proseOf,
  readDocs,
  type ShellCommand,
  type Snippet,
  snippetsOf,
} from '../docs-snippets.js';
import { makeTempFolder } from '../unit/temp-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pages = readDocs();
const snippets = pages.flatMap(snippetsOf);
const inLanguage = (...languages: string[]) => snippets.filter(({ language }) => languages.includes(language));
const placeOf = ({ page, line }: Snippet) => `${page}:${line}`;

test('the README links each page of the documentation', () => {
  const linked = pages.filter(({ path }) => path === 'README.md').flatMap(linksOf);
  const docs = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
  expect(docs.filter((path) => !linked.some(({ target }) => target === path))).toEqual([]);
});

describe('a link', () => {
  const links = pages.flatMap(linksOf);

  test('to a file leads to an existing file', () => {
    expect(links.length).toBeGreaterThan(30);
    expect(links.filter(({ target }) => !existsSync(join(root, target)))).toEqual([]);
  });

  test('to a section leads to a heading', () => {
    const dead = links.filter(({ target, anchor }) => {
      const page = pages.find(({ path }) => path === target);
      return anchor !== null && page !== undefined && !anchorsOf(page.text).includes(anchor);
    });
    expect(dead).toEqual([]);
  });
});

describe('a snippet', () => {
  test('in JSON can be parsed', () => {
    for (const one of inLanguage('json')) expect(() => JSON.parse(one.text), placeOf(one)).not.toThrow();
  });

  test('in TypeScript has no type errors', async () => {
    const source = inLanguage('ts');
    expect(source.length).toBeGreaterThan(0);
    expect(await typeErrorsOf(source)).toEqual('');
  });

  test('in YAML that is a page list, or a part of one, is accepted by the loader', () => {
    const yaml = inLanguage('yaml', 'yml').map((one) => ({ ...one, value: parse(one.text) }));
    const lists = yaml.filter((one) => !isPipeline(one));
    expect(lists.length).toBeGreaterThan(5);
    for (const one of lists) expect(() => readPageList(asPageList(one)), placeOf(one)).not.toThrow();
  });
});

describe('a command', () => {
  const commands = commandsOf(snippets);

  test('of a shell snippet exists, with its flags', () => {
    expect(commands.length).toBeGreaterThan(20);
    expect(problemsOf(commands)).toEqual([]);
  });

  test('in the text exists, with its flags', () => {
    const inline = pages.flatMap((page) => {
      const codes = [...proseOf(page).matchAll(/`((?:npx (?:proofsheet|playwright)|npm (?:run|test)\b)[^`]*)`/g)];
      return codes.flatMap(([, code = '']) => parseShell(code, page.path));
    });
    expect(inline.length).toBeGreaterThan(5);
    expect(problemsOf(inline, ['commander.unknownOption', 'commander.unknownCommand'])).toEqual([]);
  });

  const own = createProgram().commands.map((command) => ({ name: command.name(), options: command.options }));

  test.each(own)('of proofsheet has a table with its flags, and no others: $name', ({ name, options }) => {
    const { page, heading } = FLAGS[name] ?? { page: 'docs/cli.md', heading: `## ${name}` };
    expect(flagsOnPage(page, heading)).toEqual(options.flatMap(({ long }) => long ?? []).sort());
  });

  test('of proofsheet is in the table of all commands', () => {
    const named = [...textOf('docs/cli.md').matchAll(/^\| \[`([\w-]+)`\]/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(
      createProgram()
        .commands.map((command) => command.name())
        .sort(),
    );
  });
});

/** Where the flags of a command are documented, if not in docs/cli.md. */
const FLAGS: Record<string, { readonly page: string; readonly heading: string }> = {
  decide: { page: 'docs/ci.md', heading: '## Decide' },
  publish: { page: 'docs/publish.md', heading: '## Flags' },
  reject: { page: 'docs/review.md', heading: '## Reject' },
  undo: { page: 'docs/review.md', heading: '## Undo' },
  upgrade: { page: 'docs/baselines.md', heading: '## Upgrade' },
  serve: { page: 'docs/service.md', heading: '## Flags' },
  mcp: { page: 'docs/assistants.md', heading: '## Flags' },
};

function flagsOnPage(page: string, heading: string): string[] {
  const [, rest = ''] = textOf(page).split(`\n${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  return [...section.matchAll(/^\| `(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag).sort();
}

function textOf(path: string): string {
  return pages.find((page) => page.path === path)?.text ?? '';
}

function linksOf(page: { path: string; text: string }): { from: string; target: string; anchor: string | null }[] {
  const prose = proseOf({ path: page.path, text: page.text }).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^(https?|mailto):/.test(link)) return [];
    const [path = '', anchor = null] = link.split('#');
    const target = path === '' ? page.path : posix.join(posix.dirname(page.path), path);
    return [{ from: page.path, target, anchor }];
  });
}

function anchorsOf(text: string): string[] {
  const titles = [...proseOf({ path: '', text }).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Type-checks snippets against the built types, in one run of the compiler. Returns its output. */
async function typeErrorsOf(source: readonly Snippet[]): Promise<string> {
  // Below the checkout, so that `proofsheet` is this package.
  const parent = join(root, '.tmp');
  mkdirSync(parent, { recursive: true });
  const at = mkdtempSync(join(parent, 'docs-types-'));
  for (const one of source) {
    writeFileSync(join(at, `${one.page.replace(/\W/g, '-')}-${one.line}.ts`), asModule(one.text));
  }
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023', 'dom'], module: 'nodenext', moduleResolution: 'nodenext' },
    ...{ types: ['node'], strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true },
  };
  writeFileSync(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '-p', at, '--pretty', 'false']);
  const output = await run.then(
    () => '',
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
  rmSync(at, { recursive: true, force: true });
  return output;
}

/** Completes a part of a config. Other snippets are modules already. */
function asModule(text: string): string {
  if (/^(import|export) /m.test(text)) return text;
  if (/^\w+:/.test(text)) {
    return `import { defineConfig } from '@playwright/test';\nexport default defineConfig({\n${text}\n});\n`;
  }
  return `${text}\nexport {};\n`;
}

/** Workflows, pipelines and the files of other tools. */
function isPipeline({ file, value }: { file: string | null; value: unknown }): boolean {
  const parts: unknown[] = isMapping(value) || Array.isArray(value) ? Object.values(value) : [];
  const isStep = (part: unknown) => isMapping(part) && ['uses', 'run', 'script'].some((key) => key in part);
  const keys = isMapping(value) ? Object.keys(value) : [];
  const isOther = keys.some((key) => ['jobs', 'steps', 'services', 'apiVersion'].includes(key));
  return isOther || parts.some(isStep) || /workflows|gitlab/.test(file ?? '');
}

type Mapping = Readonly<Record<string, unknown>>;

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Completes a part of a page list: pages, fields of a page, or keys of the list. */
function asPageList({ text, value }: { text: string; value: unknown }): string {
  if (Array.isArray(value)) return `pages:\n${text.replace(/^/gm, '  ')}`;
  if (!isMapping(value) || 'pages' in value || 'stories' in value) return text;
  const ofList = ['baseURL', 'serve', 'viewports', 'defaults', 'before', 'reuse'];
  const isList = Object.keys(value).every((key) => ofList.includes(key)) && typeof value.viewports !== 'string';
  if (isList && !Array.isArray(value.viewports)) return `${text}\npages: [/]\n`;
  const fields = 'url' in value ? text : `url: /\n${text}`;
  return `pages:\n  - ${fields.replace(/\n(?=.)/g, '\n    ')}`;
}

/** Reads a list beside a built Storybook and a built site, as far as they are read, with the groups that the examples name. */
function readPageList(text: string): void {
  const titles = ['Forms/Button', 'Pages/Start'];
  const entries = titles.map((title, at) => [`${at}--a`, { id: `${at}--a`, title, name: 'A', type: 'story' }]);
  const folder = makeTempFolder({
    'pages.yaml': text,
    'storybook-static/index.json': JSON.stringify({ v: 5, entries: Object.fromEntries(entries) }),
    'storybook-static/iframe.html': '',
    'dist/index.html': '',
  });
  const names = [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  const env = Object.fromEntries(names.map((name) => [name, /URL|SITE/.test(name) ? 'http://localhost' : 'value']));
  readPlan(join(folder, 'pages.yaml'), { env, devices: Object.keys(devices) });
}

/** Returns what is wrong with commands. With `codes`, commander's errors with other codes are ignored. */
function problemsOf(commands: readonly ShellCommand[], codes: readonly string[] | null = null): string[] {
  return commands.flatMap(({ where, words }) => {
    const problem = problemOf(words, codes);
    return problem === null ? [] : [`${where}: ${words.join(' ')}: ${problem}`];
  });
}

function problemOf(words: readonly string[], codes: readonly string[] | null): string | null {
  const [program = '', ...args] = words;
  if (program === 'proofsheet') return proofsheetProblem(args, codes);
  if (program === 'npx') return npxProblem(args, codes);
  if (program === 'npm' && args[0] === 'run') return Object.hasOwn(scripts, args[1] ?? '') ? null : 'no such script';
  if (program === 'node') return existsSync(join(root, args[0] ?? '')) ? null : 'no such file';
  return null;
}

function npxProblem(args: readonly string[], codes: readonly string[] | null): string | null {
  const [tool = '', ...rest] = args.filter((word) => !['-y', '--yes', '--no', '--no-install'].includes(word));
  const [name] = tool.split('@');
  return name === 'proofsheet' ? proofsheetProblem(rest, codes) : null;
}

/** Parses arguments with the program of `proofsheet`, without running the command. */
function proofsheetProblem(args: readonly string[], codes: readonly string[] | null): string | null {
  const program = createProgram();
  program.configureOutput({ writeOut: () => {} });
  for (const command of program.commands) command.configureOutput({ writeOut: () => {} }).action(() => {});
  try {
    program.parse([...args], { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 || (codes !== null && !codes.includes(error.code)) ? null : error.message;
  }
}
