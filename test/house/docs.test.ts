import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { devices } from '@playwright/test';
import { CommanderError } from 'commander';
import { afterAll, describe, expect, test } from 'vitest';
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

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pages = readDocs();
const snippets = pages.flatMap(snippetsOf);
const inLanguage = (...languages: string[]) => snippets.filter(({ language }) => languages.includes(language));
const placeOf = ({ page, line }: Snippet) => `${page}:${line}`;

const folder = mkdtempSync(join(tmpdir(), 'proofsheet-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the pages of the documentation', () => {
  test('are at most as long as a reader reads', () => {
    const longest = { 'README.md': 200, 'docs/troubleshooting.md': 1000, 'CHANGELOG.md': Number.POSITIVE_INFINITY };
    const lengths = pages.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }));
    expect(lengths.filter(({ path, lines }) => lines > (longest[path as keyof typeof longest] ?? 250))).toEqual([]);
  });

  test('begin with a title and a paragraph', () => {
    const docs = pages.filter(({ path }) => path.startsWith('docs/'));
    expect(docs.length).toBeGreaterThanOrEqual(7);
    expect(docs.filter(({ text }) => !/^# [^\n]+\n\n[A-Z`][^\n]{20}/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('are all linked in the README', () => {
    const linked = linksOf(pageNamed('README.md')).map(({ target }) => target);
    const docs = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
    expect(docs.filter((path) => !linked.includes(path))).toEqual([]);
  });

  test('leave nothing to be filled in', () => {
    expect(pages.filter(({ text }) => /[A-Z]+_LINE\b|\bTODO\b|\bTBD\b|\bXXX\b/.test(text))).toEqual([]);
  });

  test('name the container of the Playwright version that the tests run with', () => {
    const tags = pages.flatMap(({ text }) => [...text.matchAll(/mcr\.microsoft\.com\/playwright:([\w.-]+)/g)]);
    expect(tags.length).toBeGreaterThan(0);
    expect([...new Set(tags.map(([, tag]) => tag))]).toEqual([
      `v${manifest.devDependencies['@playwright/test']}-noble`,
    ]);
  });
});

describe('a link', () => {
  const links = pages.flatMap(linksOf);

  test('to a file leads to an existing file', () => {
    expect(links.length).toBeGreaterThan(30);
    const missing = links.filter(({ target }) => !existsSync(join(root, target)));
    expect(missing).toEqual([]);
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
  const CHECKED = ['sh', 'bash', 'shell', 'yaml', 'yml', 'ts', 'json'];
  /** Nothing is checked in these. */
  const SHOWN = ['text', 'html', 'css', 'diff', 'dockerfile', 'http', 'mermaid', 'gitattributes'];

  test('has a language', () => {
    const unknown = snippets.filter(({ language }) => ![...CHECKED, ...SHOWN].includes(language));
    expect(unknown.map((one) => `${placeOf(one)} "${one.language}"`)).toEqual([]);
  });

  test('in JSON can be parsed', () => {
    for (const one of inLanguage('json')) expect(() => JSON.parse(one.text), placeOf(one)).not.toThrow();
  });

  test('in TypeScript has no type errors', async () => {
    const source = inLanguage('ts');
    expect(source.length).toBeGreaterThan(0);
    expect(await typeErrorsOf(source)).toEqual('');
  });
});

/** What a YAML snippet shows. */
type Yaml = 'page list' | 'workflow' | 'gitlab' | 'other';

describe('a YAML snippet', () => {
  const yaml = inLanguage('yaml', 'yml').map((one) => ({ ...one, value: parse(one.text), where: placeOf(one) }));
  const ofKind = (kind: Yaml) => yaml.filter((one) => kindOf(one) === kind);

  test('that is a page list, or a part of one, is accepted by the loader', () => {
    const lists = ofKind('page list');
    expect(lists.length).toBeGreaterThan(5);
    for (const one of lists) expect(() => readPageList(asPageList(one)), one.where).not.toThrow();
  });

  test('that is a workflow uses actions that exist, and commands that exist', () => {
    const known = knownActions();
    for (const { value, where } of ofKind('workflow')) {
      const steps = stepsOf(value);
      expect(steps.length, where).toBeGreaterThan(0);
      const used = steps.flatMap(({ uses }) => uses ?? []);
      expect(
        used.filter((name) => !isAction(name, known)),
        where,
      ).toEqual([]);
      expect(
        steps.flatMap(({ run }) => (run ? problemsOf(parseShell(run, where)) : [])),
        where,
      ).toEqual([]);
    }
  });

  test('that is a GitLab pipeline has scripts with commands that exist', () => {
    for (const { value, where } of ofKind('gitlab')) {
      const scripts = jobsOf(value).flatMap(({ script }) => script ?? []);
      expect(scripts.length, where).toBeGreaterThan(0);
      expect(
        scripts.flatMap((line) => problemsOf(parseShell(line, where))),
        where,
      ).toEqual([]);
    }
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

  test('is refused if its name, a flag, a value, a script or a file does not exist', () => {
    const wrong = [
      'npx proofsheet aprove pricing',
      'npx proofsheet approve --al',
      'npx proofsheet serve --port many',
      'npx proofsheet compare before.png',
      'npx playwright tset',
      'npx playwright test --shards=1/3',
      'npm run demos',
      'npm install proofshit',
      'npx other-tool',
      'node scripts/none.mjs',
      'make all',
    ];
    const found = wrong.filter((line) => problemsOf(parseShell(line, 'here')).length === 0);
    expect(found).toEqual([]);
  });
});

/** The links of a page to files of the checkout, and to sections. */
function linksOf(page: { path: string; text: string }): { from: string; target: string; anchor: string | null }[] {
  const prose = proseOf({ path: page.path, text: page.text }).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^(https?|mailto):/.test(link)) return [];
    const [path = '', anchor = null] = link.split('#');
    const target = path === '' ? page.path : posix.join(posix.dirname(page.path), path);
    return [{ from: page.path, target, anchor }];
  });
}

/** Returns the anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): string[] {
  const titles = [...proseOf({ path: '', text }).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function pageNamed(path: string): { path: string; text: string } {
  const page = pages.find((one) => one.path === path);
  if (!page) throw new Error(`no page ${path}`);
  return page;
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

function kindOf({ file, value }: { file: string | null; value: unknown }): Yaml {
  const has = (key: string) => isMapping(value) && key in value;
  if (file?.includes('workflows/') || has('jobs') || isSteps(value)) return 'workflow';
  if (file?.includes('gitlab') || jobsOf(value).some(({ script }) => script)) return 'gitlab';
  return has('services') || has('apiVersion') ? 'other' : 'page list';
}

type Mapping = Readonly<Record<string, unknown>>;

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface GitLabJob {
  readonly script?: readonly string[];
}

function isSteps(value: unknown): value is Step[] {
  return Array.isArray(value) && value.every((item) => isMapping(item) && ('uses' in item || 'run' in item));
}

function stepsOf(value: unknown): Step[] {
  if (isSteps(value)) return value;
  if (!isMapping(value)) return [];
  if (isSteps(value.steps)) return value.steps;
  return Object.values(isMapping(value.jobs) ? value.jobs : value).flatMap((job) => stepsOf(job));
}

function jobsOf(value: unknown): GitLabJob[] {
  if (!isMapping(value)) return [];
  return Object.values(value).filter((job): job is GitLabJob => isMapping(job) && Array.isArray(job.script));
}

/** The actions that the workflows of this repository use: a name to its major version. */
function knownActions(): Map<string, string> {
  const github = join(root, '.github');
  const files = readdirSync(github, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name));
  const text = files.map((name) => readFileSync(join(github, name), 'utf8')).join('\n');
  const uses = [...text.matchAll(/uses: ([\w/-]+)@\w+ # v(\d+)/g)];
  // Only users need a cache: the runs here capture every page.
  return new Map([['actions/cache', '4'], ...uses.map(([, name = '', major = '']) => [name, major] as const)]);
}

function isAction(name: string, known: ReadonlyMap<string, string>): boolean {
  if (name.startsWith('./')) return existsSync(join(root, name, 'action.yml'));
  const [, action = '', major] = /^([\w/-]+)@v(\d+)/.exec(name) ?? [];
  return major !== undefined && known.get(action) === major;
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

/** Writes a built Storybook and a built site, as far as a page list is read from them, with the groups that the examples name. */
function writeBuilt(parent: string): void {
  const built = join(parent, 'storybook-static');
  mkdirSync(built);
  const titles = ['Forms/Button', 'Pages/Start'];
  const entries = titles.map((title, at) => [`${at}--a`, { id: `${at}--a`, title, name: 'A', type: 'story' }]);
  writeFileSync(join(built, 'index.json'), JSON.stringify({ v: 5, entries: Object.fromEntries(entries) }));
  writeFileSync(join(built, 'iframe.html'), '');
  mkdirSync(join(parent, 'dist'));
  writeFileSync(join(parent, 'dist', 'index.html'), '');
}

function readPageList(text: string): void {
  const file = join(mkdtempSync(join(folder, 'list-')), 'pages.yaml');
  writeFileSync(file, text);
  writeBuilt(join(file, '..'));
  const names = [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  const env = Object.fromEntries(names.map((name) => [name, /URL|SITE/.test(name) ? 'http://localhost' : 'value']));
  readPlan(file, { env, devices: Object.keys(devices) });
}

/** Returns what is wrong with commands. With `codes`, commander's errors with other codes are ignored. */
function problemsOf(commands: readonly ShellCommand[], codes: readonly string[] | null = null): string[] {
  return commands.flatMap(({ where, words }) => {
    const problem = problemOf(words, codes);
    return problem === null ? [] : [`${where}: ${words.join(' ')}: ${problem}`];
  });
}

/** Programs of other projects, whose arguments are not checked. */
const OTHER_PROGRAMS = [
  'git',
  'gh',
  'curl',
  'claude',
  'export',
  'cd',
  'mkdir',
  'printf',
  'echo',
  'cat',
  'sha256sum',
  'openssl',
];

function problemOf(words: readonly string[], codes: readonly string[] | null): string | null {
  const [program = '', ...args] = words;
  if (program === 'proofsheet') return proofsheetProblem(args, codes);
  if (program === 'npx') return npxProblem(args, codes);
  if (program === 'npm') return npmProblem(args);
  if (program === 'node') return existsSync(join(root, args[0] ?? '')) ? null : 'no such file';
  if (program === 'docker') {
    const image = words.findIndex((word) => word.startsWith('mcr.microsoft.com/playwright'));
    return image > 0 && image + 1 < words.length ? problemOf(words.slice(image + 1), codes) : null;
  }
  return OTHER_PROGRAMS.includes(program) ? null : 'unknown program';
}

function npxProblem(args: readonly string[], codes: readonly string[] | null): string | null {
  const [tool = '', ...rest] = args.filter((word) => !['-y', '--yes', '--no', '--no-install'].includes(word));
  const [name = '', version] = tool.split('@');
  if (name === 'playwright') {
    const wanted = manifest.devDependencies['@playwright/test'];
    return version === undefined || version === wanted ? playwrightProblem(rest) : `not version ${wanted}`;
  }
  if (name === 'storybook') return rest[0] === 'build' ? null : 'unknown command';
  return name === 'proofsheet' ? proofsheetProblem(rest, codes) : 'unknown tool';
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

/** Checks a command of Playwright and the names of its flags against its `--help`. */
function playwrightProblem([command = '', ...args]: readonly string[]): string | null {
  const help = playwrightHelp(command);
  if (!help.includes(`Usage: npx playwright ${command} `)) return 'unknown command';
  const flags = args.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*/s, ''));
  const unknown = flags.filter((flag) => !new RegExp(`(^|[\\s,])${flag}(?![\\w-])`, 'm').test(help));
  return unknown.length === 0 ? null : `unknown flags ${unknown.join(' ')}`;
}

const helps = new Map<string, string>();

function playwrightHelp(command: string): string {
  const known = helps.get(command);
  if (known !== undefined) return known;
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const help = execFileSync(process.execPath, [cli, ...(command ? [command] : []), '--help'], { encoding: 'utf8' });
  helps.set(command, help);
  return help;
}

function npmProblem([command = '', ...args]: readonly string[]): string | null {
  const hasScript = (name: string) => Object.hasOwn(manifest.scripts, name);
  switch (command) {
    case 'run':
      return hasScript(args[0] ?? '') ? null : 'no such script';
    case 'test':
    case 'ci':
    case 'pack':
    case 'publish':
    case 'version':
      return null;
    case 'install': {
      const known = [manifest.name, ...Object.keys(manifest.peerDependencies)];
      const unknown = args.filter((word) => !word.startsWith('-') && !known.includes(word));
      return unknown.length === 0 ? null : `unknown packages ${unknown.join(' ')}`;
    }
    default:
      return 'unknown command of npm';
  }
}
