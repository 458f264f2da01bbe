import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/**
 * The top folders of `src` by level. A folder imports from levels below its own, never from its own level.
 * '' are the entry points.
 */
const LEVELS: readonly (readonly string[])[] = [
  ['model'],
  ['browser', 'image'],
  ['baselines', 'capture', 'compare', 'page-list', 'report'],
  ['core'],
  ['cli', 'playwright', 'service'],
  [''],
];

/** The folders above core call core, and use the types of model. Nothing else is theirs. */
const ABOVE_CORE = ['core', 'model'];

/** `serve` and `mcp` start the capture service, and nothing else imports it. */
const SERVICE_COMMANDS = ['cli/serve.ts', 'cli/mcp.ts'];

/** The folders that may import a package. */
const PACKAGE_HOMES: Record<string, readonly string[]> = {
  '@playwright/test': ['browser', 'capture', 'playwright'],
  '@playwright/test/reporter': ['playwright'],
  'odiff-bin': ['compare/engines'],
  pixelmatch: ['compare/engines'],
  pngjs: ['image'],
  '@jsquash/jpeg': ['image'],
  '@jsquash/webp': ['image'],
  '@embedpdf/pdfium': ['image'],
  yaml: ['page-list'],
  leven: ['page-list'],
  commander: ['cli'],
  'axe-core': ['capture/inspect'],
  flesch: ['service/analysis'],
  syllable: ['service/analysis'],
  stopword: ['service/analysis'],
  openai: ['service/analysis'],
  'p-queue': ['service'],
  'lru-cache': ['service'],
  'prom-client': ['service/http'],
  '@modelcontextprotocol/sdk': ['service/mcp'],
  hono: ['core/setup', 'service/http', 'cli/review'],
  '@hono/node-server': ['service/http', 'cli/review'],
  preact: ['report/viewer'],
  '@aws-sdk/client-s3': ['service/storage'],
  zod: ['model', 'page-list', 'core', 'service', 'baselines'],
  '@jridgewell/trace-mapping': ['capture/structure'],
};

/** A folder with more files has subfolders, or a reason here. */
const MOST_FILES = 12;
const LARGE_FOLDERS: Record<string, string> = {
  cli: 'one file per command',
  'core/shot': 'one file per step of a shot',
  capture: 'one file per part of a capture',
  model: 'one file per type that folders share',
};

/** The entry point, and the loops of the service's processes. */
const PROGRAMS = ['cli.ts', 'service/http/serve.ts', 'service/mcp/stdio.ts'];

/** The module through which all text is printed. */
const PRINTER = 'model/plain-text.ts';

/** Files that write to a standard stream without it, each with its reason. */
const RAW_OUTPUT: Record<string, string> = {
  'playwright/reporter/reporter.ts': 'annotations are commands to the CI runner; their texts are sanitized',
  'service/mcp/stdio.ts': 'messages of the protocol, read by a program',
};

/** An idea is one file, not six. While pages have two drivers, those of the second one are added. */
const MOST_SOURCE_FILES = 336;

/** Words of an earlier private vocabulary. The words that Playwright, pixelmatch or MDN use stand in their place. */
const FORBIDDEN =
  /\b(faces?|studio|lens|camera|shutters?|darkroom|sitting|dressing|outlook|rhythm|depth ?gauge|footprint|wip(?:e|es|ed|ing)|keeper|outliv\w+|doorman|likeness|amiss|stranger|anew|mend(?:s|ed|ing)?|besides|stands? still|stood still|lent bytes|quotable|desk|hints|troubles?)\b/gi;

/** Files with module-level state, each with its reason. All other state belongs to a fixture, a session or a caller. */
const MODULE_STATE: Record<string, string> = {
  'browser/page-control.ts': 'the frames of a browser are drawn one after the other; the key is the browser',
  'capture/environment.ts': 'fonts and headless mode are read once per browser; the key is the browser',
  'image/buffer-pool.ts': 'memory that is used again',
  'image/jpeg/decode-wasm.ts': 'a codec is compiled once',
  'image/pdf/draw.ts': 'one PDFium thread per process; its requests run one after the other',
  'image/pdf/entry.ts': 'the state of the PDFium thread itself',
  'report/html/render-html.ts': 'the files of the viewer are read once',
  'service/analysis/topics.ts': 'the stop words of a language are indexed once',
};

interface Import {
  readonly file: string;
  readonly from: string;
  /** Whether the import is loaded together with the file: it is no type, and not imported on demand. */
  readonly isLoaded: boolean;
}

const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));
const imports = files.flatMap(importsOf);

describe('the import law', () => {
  test('sees the imports', () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  test('a folder imports only from the levels below it', () => {
    const broken = imports.filter(({ from }) => from.startsWith('.')).filter((one) => !isLawful(one));
    expect(broken.map(describeImport)).toEqual([]);
  });

  test('a package is imported only in its home', () => {
    const broken = imports
      .filter(({ from }) => !from.startsWith('.') && !from.startsWith('node:'))
      .filter(({ file, from }) => !homesOf(from).some((home) => relative(src, file).startsWith(`${home}/`)));
    expect(broken.map(describeImport)).toEqual([]);
  });

  test('a capture uses the pages that it is given: it loads nothing of Playwright', () => {
    const broken = imports.filter(({ file, from, isLoaded }) => {
      return isLoaded && from === '@playwright/test' && relative(src, file).startsWith('capture/');
    });
    expect(broken.map(describeImport)).toEqual([]);
  });

  test('no file imports itself by way of others', () => {
    expect(findCycles()).toEqual([]);
  });

  test('the command line starts without Playwright, which takes longer to load than all else', () => {
    const started = filesLoadedWith(join(src, 'cli.ts'));
    expect(started).toContain(join(src, 'core/adhoc/read-sources.ts'));
    const loading = imports.filter(({ file, isLoaded }) => isLoaded && started.includes(file));
    expect(loading.filter(({ from }) => from.startsWith('@playwright/')).map(describeImport)).toEqual([]);
  });

  test('only cli and playwright end the process, and text is printed in one place, which sanitizes it', () => {
    const naming = (pattern: RegExp) =>
      files.filter((file) => pattern.test(readFileSync(file, 'utf8'))).map((file) => relative(src, file));
    const processes = naming(/\bconsole\.|process\.(exit|stdout|stderr)\b/);
    const lawful = [...PROGRAMS, PRINTER];
    expect(processes.filter((file) => !/^(cli|playwright)\//.test(file) && !lawful.includes(file))).toEqual([]);
    expect(naming(/\bconsole\.|\bstd(out|err)\.write\b/).sort()).toEqual([PRINTER, ...Object.keys(RAW_OUTPUT)].sort());
  });
});

describe('module-level state', () => {
  test('is where a reason is written, and nowhere else', () => {
    const state =
      /^(?:export )?let \w|^(?:export )?const \w+[^=\n]*= (?:new (?:Map|Set|WeakMap|WeakSet)(?:<[^\n]*>)?\(\)|\[\]);/m;
    const found = files.filter((file) => state.test(readFileSync(file, 'utf8'))).map((file) => relative(src, file));
    expect(found.sort()).toEqual(Object.keys(MODULE_STATE));
  });
});

describe('the layout', () => {
  test('a folder with many files has subfolders, or a written reason', () => {
    const folders = files.map((file) => relative(src, dirname(file)));
    const countOf = (folder: string) => folders.filter((one) => one === folder).length;
    const large = [...new Set(folders)].filter((folder) => countOf(folder) > MOST_FILES && !(folder in LARGE_FOLDERS));
    expect(large.map((folder) => `${folder}: ${countOf(folder)}`)).toEqual([]);
  });

  test('the number of files does not grow past its limit', () => {
    expect(files.length).toBeLessThan(MOST_SOURCE_FILES);
  });

  test('names and comments have the words of the field', () => {
    const found = files.flatMap((file) => {
      const text = `${basename(file)}\n${readFileSync(file, 'utf8')}`;
      return [...text.matchAll(FORBIDDEN)].map(([word]) => `${relative(src, file)}: ${word}`);
    });
    expect(found).toEqual([]);
  });
});

function importsOf(file: string): Import[] {
  // Without comments and texts: an example, or a file that is made for a user, imports the package itself.
  const text = readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/= `[^`]*`;/g, '');
  const found = text.matchAll(
    /^(?:import|export)\b[^'`;=(]*\bfrom '([^'\n]+)';$|^import '([^'\n]+)';$|\bimport\('([^'\n]+)'\)/gm,
  );
  return [...found].map(([all, named, bare, dynamic]) => ({
    file,
    from: named ?? bare ?? dynamic ?? '',
    isLoaded: dynamic === undefined && !/^\w+ type\b/.test(all),
  }));
}

function isLawful({ file, from }: Import): boolean {
  const importer = topFolderOf(file);
  const imported = topFolderOf(resolve(dirname(file), from));
  if (importer === imported) return true;
  if (imported === 'service' && SERVICE_COMMANDS.includes(relative(src, file))) return true;
  if (levelOf(importer) === LEVELS.length - 2) return ABOVE_CORE.includes(imported);
  if (importer === '') return levelOf(imported) === LEVELS.length - 2 || imported === 'model';
  return levelOf(imported) < levelOf(importer);
}

function levelOf(folder: string): number {
  return LEVELS.findIndex((folders) => folders.includes(folder));
}

function topFolderOf(path: string): string {
  const parts = relative(src, path).split('/');
  return parts.length === 1 ? '' : (parts[0] ?? '');
}

function homesOf(specifier: string): readonly string[] {
  const name = Object.keys(PACKAGE_HOMES)
    .filter((known) => specifier === known || specifier.startsWith(`${known}/`))
    .sort((a, b) => b.length - a.length)[0];
  return name === undefined ? [] : (PACKAGE_HOMES[name] ?? []);
}

function describeImport({ file, from }: Import): string {
  return `${relative(src, file)} imports ${from}`;
}

/** Returns the shortest way back to each file that has one. */
function findCycles(): string[] {
  const graph = new Map(files.map((file) => [file, new Set<string>()]));
  for (const one of imports) {
    const target = targetOf(one);
    if (target) graph.get(one.file)?.add(target);
  }
  return files.flatMap((file) => {
    const way = wayBack(graph, file);
    return way ? [way.map((step) => relative(src, step)).join(' -> ')] : [];
  });
}

/** Returns the file of `src` that is imported, or undefined for a package. */
function targetOf({ file, from }: Import): string | undefined {
  const path = resolve(dirname(file), from);
  return ['.ts', '.tsx'].map((extension) => path.replace(/\.js$/, extension)).find((one) => files.includes(one));
}

function filesLoadedWith(start: string): string[] {
  const loaded = new Set([start]);
  for (const file of loaded) {
    const own = imports.filter((one) => one.isLoaded && one.file === file);
    for (const target of own.flatMap((one) => targetOf(one) ?? [])) loaded.add(target);
  }
  return [...loaded];
}

function wayBack(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): string[] | null {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, next];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return null;
}
