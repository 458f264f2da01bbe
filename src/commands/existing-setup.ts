import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { invalidCommand } from '../model/index.js';

/** What a project already has, as far as `init` depends on it. Paths are relative to the project. */
export type ExistingSetup = ReturnType<typeof readSetup>;

/**
 * Examines a project. Configs are read as text and never run, so only plain values are found.
 *
 * @param folder - absolute
 * @throws ProofsheetError `command-invalid` if the configs belong to other projects below the folder
 */
export function readSetup(folder: string) {
  const config = findConfig(folder);
  const text = config === null ? '' : readCode(config);
  const tests = config === null ? '.' : testFolderOf(folder, dirname(config), text);
  return {
    config: config === null ? null : posixPath(relative(folder, config)),
    tests,
    spec: SPECS.find((name) => existsSync(join(folder, tests, name))) ?? specNameOf(folder, text),
    /** Whether the config has a `testMatch` that may not match the spec. */
    hasOtherMatch: /\btestMatch\b/.test(text) && matchedEndingOf(text) === undefined,
    hasBaseURL: /\bbaseURL\s*[:,}]/.test(text),
    port: portOf(folder),
  };
}

/** Returns a folder and the folders above it, up to the root of the file system. */
export function foldersUpFrom(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpFrom(parent)];
}

/** Returns a folder and the folders above it, up to the root of its repository or workspace. Only the folder, if it is in none. */
export function foldersOfRepository(folder: string): string[] {
  const all = foldersUpFrom(folder);
  const root = all.findIndex((each) => REPOSITORY_FILES.some((name) => existsSync(join(each, name))));
  return all.slice(0, Math.max(root, 0) + 1);
}

const REPOSITORY_FILES = ['.git', 'pnpm-workspace.yaml'];

export function posixPath(path: string): string {
  return posix.normalize(path.split(sep).join('/') || '.');
}

function findConfig(folder: string): string | null {
  const own = configIn(folder) ?? configOfScripts(folder);
  if (own !== null) return own;
  const inner = configsBelow(folder, 2);
  const [first] = inner;
  if (first === undefined)
    return (
      foldersOfRepository(folder)
        .map(configIn)
        .find((path) => path !== null) ?? null
    );
  const between = foldersUpFrom(dirname(first)).filter((each) => each.startsWith(folder + sep));
  const isOfProject = !between.some((each) => existsSync(join(each, 'package.json')));
  if (inner.length === 1 && isOfProject) return first;
  const found = inner.map((path) => posixPath(relative(folder, path))).join(', ');
  const advice = 'Run it in the folder of one of them, or write a playwright.config.ts here first.';
  throw invalidCommand(folder, `other folders have a Playwright config: ${found}`, advice);
}

const ENDINGS = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'];

/** Returns the path of the config that Playwright finds in a folder; null if there is none. */
export function configIn(folder: string): string | null {
  const paths = ENDINGS.map((ending) => join(folder, `playwright.config.${ending}`));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Returns the config that a script of package.json names: `playwright test -c e2e`. */
function configOfScripts(folder: string): string | null {
  const command = /\bplaywright test\b[^&|;\n]*? (?:-c|--config)[ =]+([^\s"'\\&|;]+)/;
  const [, name] = command.exec(readCode(join(folder, 'package.json'))) ?? [];
  const path = name === undefined ? null : join(folder, name);
  const found = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
  return path !== null && found?.isDirectory() ? configIn(path) : found ? path : null;
}

function configsBelow(folder: string, depth: number): string[] {
  const inner = entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => join(folder, name));
  const configs = inner.map(configIn).filter((path) => path !== null);
  return depth === 1 ? configs : [...configs, ...inner.flatMap((each) => configsBelow(each, depth - 1))];
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // The data of a container, for example, which only root may read.
    return [];
  }
}

/** Returns the text of a file without the comments that have lines of their own; an empty text if it does not exist. */
function readCode(path: string): string {
  if (!existsSync(path)) return '';
  return readFileSync(path, 'utf8').replace(/^\s*(?:\/\/.*|\/\*[\s\S]*?\*\/)$/gm, '');
}

/** Returns the folder of the project if the config takes tests from it, otherwise `testDir`. */
function testFolderOf(folder: string, configFolder: string, text: string): string {
  const [, name = '.'] = /\btestDir:\s*['"`]([\w./-]+)['"`]/.exec(text) ?? [];
  const tests = resolve(configFolder, posix.isAbsolute(name) ? '.' : name);
  return foldersUpFrom(folder).includes(tests) ? '.' : posixPath(relative(folder, tests));
}

/** `visual.pw.ts` is for a project with another test runner, which also takes `*.spec.ts`. */
const SPECS = ['visual.spec.ts', 'visual.pw.ts'] as const;

function specNameOf(folder: string, config: string): string {
  const [usual, apart] = SPECS;
  const ending = matchedEndingOf(config);
  if (ending !== undefined) return `visual.${ending}`;
  return config === '' && hasOtherRunner(folder) ? apart : usual;
}

/** Returns `pw.ts` for `testMatch: '**\/*.pw.ts'`. */
function matchedEndingOf(config: string): string | undefined {
  const globs = [...config.matchAll(/\btestMatch:\s*\[?\s*['"`][^'"`\n]*(?:\*|visual)\.([\w.]+)['"`]/g)];
  return globs.map(([, end]) => end).find((end) => !/^(?:setup|teardown)\b/.test(end ?? ''));
}

function hasOtherRunner(folder: string): boolean {
  const configs = ['vitest.config', 'vitest.workspace', 'jest.config'].flatMap((name) =>
    ENDINGS.map((ending) => `${name}.${ending}`),
  );
  return foldersOfRepository(folder).some(
    (each) =>
      /"(?:vitest|jest)"\s*:/.test(readCode(join(each, 'package.json'))) ||
      configs.some((name) => existsSync(join(each, name))),
  );
}

/** A mapping in code, with mappings in it, such as that of `proxy`. */
const BRACES = '\\{(?:[^{}]|\\{[^{}]*\\})*\\}';

function portOf(folder: string): number {
  const config = ENDINGS.map((ending) => join(folder, `vite.config.${ending}`)).find((path) => existsSync(path));
  if (config === undefined && !/"vite"\s*:/.test(readCode(join(folder, 'package.json')))) return 3000;
  const text = config === undefined ? '' : readCode(config);
  const ports = ['server', 'preview'].map((name) => {
    const port = new RegExp(`\\b${name}:\\s*\\{(?:[^{}]|${BRACES})*?\\bport:\\s*(\\d+)`);
    return port.exec(text)?.[1];
  });
  return Number(ports.find((port) => port !== undefined) ?? 5173);
}
