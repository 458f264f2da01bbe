import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, expect as baseExpect, type LaunchOptions } from '@playwright/test';
import { serve } from '../../fixtures/serve.mjs';
import { COMPILED, installFolder } from '../../scripts/install-package.mjs';
import { type RunRecord, runRecordSchema, type ShotRecord } from '../../src/model/run-record.js';
import { chooseBrowser } from '../../src/page/browser/launch.js';
import { isAtLeast } from '../../src/run/ask-playwright.js';
import { makeTempFolder, writeFiles } from '../unit/temp-folder.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Variables with which a command takes code that an earlier one compiled. */
export const QUICK_START = {
  E2E_COMPILE_CACHE: COMPILED,
  NODE_OPTIONS: `--require ${JSON.stringify(join(root, 'test/e2e/compile-cache.cjs'))}`,
};

/**
 * Playwright then starts no thread that compiles specs, which is a sixth of what a run costs. Most tests write JavaScript: those in
 * init.spec.ts, docs.spec.ts, matcher.spec.ts, stories.spec.ts and commonjs.spec.ts write TypeScript. Without that thread, Playwright 1.58
 * reads no config that is a module.
 */
const WITHOUT_TYPESCRIPT = { PW_DISABLE_TS_ESM: '1' };

export interface Ended {
  readonly code: number;
  /** Standard output and error, without colors. */
  readonly output: string;
  readonly stdout: string;
}

/** A user's project in a temp folder, with the packed tool installed. */
export interface Project {
  readonly folder: string;
  write(files: Record<string, string | Buffer>): void;
  path(name: string): string;
  exists(name: string): boolean;
  test(args?: readonly string[], env?: Record<string, string>): Promise<Ended>;
  proofsheet(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  /** Whether its Playwright is this version or a later one. */
  hasPlaywright(lowest: string): boolean;
  playwright(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  /** Reads and validates `proofsheet-report/results.json`. */
  results(folder?: string): RunRecord;
  /** Gives `id: status` of all shots, sorted. */
  statuses(folder?: string): string[];
  shot(id: string): ShotRecord;
  /** Lists files below a folder, relative to it, sorted. */
  files(folder: string): string[];
}

interface Fixtures {
  /** The version of Playwright in the project. `test/soak` sets others than that of the checkout. */
  playwrightVersion: string;
  project: Project;
  /** Serves a folder of pages that the test fills, over loopback. */
  site: Site;
}

export interface Site {
  readonly url: string;
  readonly folder: string;
  write(files: Record<string, string | Buffer>): void;
}

/** Flags without which a browser tries to reach hosts outside. */
export const OFFLINE_FLAGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--disable-background-networking',
];

const { executablePath } = chooseBrowser(
  { browserName: 'chromium', channel: undefined, headless: true, executablePath: undefined, remote: false },
  process,
);

/** How tests launch the browser of this machine. */
export const LAUNCH_OPTIONS: LaunchOptions = { ...(executablePath && { executablePath }), args: OFFLINE_FLAGS };

/** A config as a user writes it, but offline. `more` is put into the object literal. */
export function config(more = ''): string {
  return `import { defineConfig } from '@playwright/test';
export default defineConfig({
  reporter: [['proofsheet/reporter'], ['list']],
  use: { launchOptions: { args: ${JSON.stringify(OFFLINE_FLAGS)} } },
  ${more}
});
`;
}

/** The spec that the README tells to write. */
export const SPEC = `import { definePages } from 'proofsheet';
definePages('pages.yaml');
`;

/** The files of a project with one page list. `more` is put into its config. */
export function filesOf(list: string, more = ''): Record<string, string> {
  return { 'pages.yaml': list, 'visual.spec.mjs': SPEC, 'playwright.config.mjs': config(more) };
}

export function html(body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title>${head}</head><body>${body}</body></html>`;
}

/** A body that is another one in each load. */
export const UNSTABLE = `<p id="p"></p><script>p.textContent = crypto.randomUUID()</script>`;

/** Playwright's `test` with a project of one's own, and a site for it. */
export const test = base.extend<Fixtures>({
  playwrightVersion: ['current', { option: true }],
  project: async ({ playwrightVersion }, use) => withProject(playwrightVersion, use),
  site: async ({}, use) => {
    const folder = makeTempFolder();
    const server = await serve([folder]);
    await use({ url: server.url, folder, write: (files) => writeFiles(folder, files) });
    await server.close();
  },
});

/** Playwright's `expect` with the exit code of a command; where it is another one, all that the command said is shown. */
export const expect = baseExpect.extend({
  toExit({ code, output }: Ended, expected: number) {
    return {
      pass: code === expected,
      message: () =>
        `exit code ${code}, expected ${this.isNot ? 'another than ' : ''}${expected}. It said:\n\n${output}`,
    };
  },
});

/**
 * Opens a project for as long as it is in use: for what several tests look at, made once.
 *
 * @param playwright - see `installFolder`
 */
export async function withProject(playwright: string, use: (project: Project) => Promise<void>): Promise<void> {
  const folder = takeFolder();
  // On Windows, a junction needs no rights of an administrator.
  symlinkSync(join(installFolder(playwright), 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const installed = (path: string) => [process.execPath, join(folder, 'node_modules', path)];
  const commands = {
    playwright: installed('@playwright/test/cli.js'),
    proofsheet: installed('proofsheet/dist/cli.js'),
  };
  await use(createProject(folder, commands));
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Makes the folder of a project, under the lowest free number. Playwright keeps a compiled config or spec by its path and content:
 * the next project of that number takes those of the one before, and does not load the compiler.
 */
function takeFolder(): string {
  for (let number = 1; ; number++) {
    const folder = join(tmpdir(), `proofsheet-project-${number}`);
    if (mkdirSync(folder, { recursive: true }) !== undefined) return folder;
  }
}

export interface Commands {
  readonly playwright: readonly string[];
  readonly proofsheet: readonly string[];
}

export function createProject(folder: string, commands: Commands): Project {
  const path = (name: string) => join(folder, name);
  const playwright: Project['playwright'] = (args, env) => run(folder, [...commands.playwright, ...args], env);
  const results: Project['results'] = (report = 'proofsheet-report') =>
    runRecordSchema.parse(JSON.parse(readFileSync(path(join(report, 'results.json')), 'utf8')));
  return {
    folder,
    path,
    hasPlaywright: (lowest) => isAtLeast(playwrightIn(folder), lowest),
    playwright,
    proofsheet: (args, env) => run(folder, [...commands.proofsheet, ...args], env),
    results,
    exists: (name) => existsSync(path(name)),
    write: (files) => writeFiles(folder, files),
    test: (args = [], env) => playwright(['test', ...args], env),
    statuses: (report) =>
      results(report)
        .shots.map(({ id, status }) => `${id}: ${status}`)
        .sort(),
    shot: (id) => {
      const found = results().shots.find((shot) => shot.id === id);
      if (!found) throw new Error(`no shot ${id} in results.json`);
      return found;
    },
    files: (name) => (existsSync(path(name)) ? listFiles(path(name)) : []),
  };
}

/** Returns the version of Playwright in a folder; empty if there are no `node_modules`, as with Plug'n'Play. */
function playwrightIn(folder: string): string {
  const manifest = join(folder, 'node_modules/@playwright/test/package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : '';
}

/** The variables of a command. A run inside a run: what the outer one set for its workers is not for the inner one. */
export function commandEnv(): NodeJS.ProcessEnv {
  const { CI: _, ...ours } = process.env;
  const clean = Object.entries(ours).filter(
    ([name]) => !/^(TEST_|PLAYWRIGHT_|PW_|FORCE_COLOR|NODE_COMPILE_CACHE)/.test(name),
  );
  return { ...Object.fromEntries(clean), ...QUICK_START, NO_COLOR: '1' };
}

function run(
  cwd: string,
  [program = '', ...args]: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const isNeeded = readdirSync(cwd).some((name) => name.endsWith('.ts')) || playwrightIn(cwd).startsWith('1.58.');
    const own = { ...commandEnv(), ...(!isNeeded && WITHOUT_TYPESCRIPT) };
    const child = spawn(program, args, { cwd, env: { ...own, ...env } });
    let [output, stdout] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      stdout += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.on('close', (code) => resolve({ code: code ?? -1, output, stdout }));
  });
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
