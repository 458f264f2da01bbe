import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../model/index.js';

/** What a folder already has, as far as `init` depends on it. */
export type ExistingSetup = ReturnType<typeof readSetup>;

/** Reads which files and dependencies a folder has. No config is read: only Playwright knows what its code means. */
export function readSetup(folder: string) {
  const path = configIn(folder);
  const has = (names: readonly string[]) => foldersOfRepository(folder).some((each) => dependsOn(each, names));
  const usual = path === null && has(['vitest', 'jest']) ? 'visual.pw.ts' : 'visual.spec.ts';
  return {
    /** The name of the Playwright config; null if there is none. */
    config: path && basename(path),
    /** `visual.pw.ts` is for a project with another test runner, which also takes `*.spec.ts`. */
    spec: ['visual.spec.ts', 'visual.pw.ts'].find((name) => existsSync(join(folder, name))) ?? usual,
    /** The default port of the development server. */
    port: dependsOn(folder, ['vite']) ? 5173 : 3000,
  };
}

/** Returns the path of the config that Playwright finds in a folder; null if there is none. */
export function configIn(folder: string): string | null {
  const paths = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map((ending) => join(folder, `playwright.config.${ending}`));
  return paths.find((path) => existsSync(path)) ?? null;
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

const packageSchema = z.object({
  dependencies: z.record(z.string(), z.unknown()).optional(),
  devDependencies: z.record(z.string(), z.unknown()).optional(),
});

function dependsOn(folder: string, names: readonly string[]): boolean {
  const path = join(folder, 'package.json');
  const { data } = packageSchema.safeParse(existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : null);
  return names.some((name) => name in { ...data?.dependencies, ...data?.devDependencies });
}
