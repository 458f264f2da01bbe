import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { mustRun, root } from './run.mjs';

const FROM = join(root, '.build', 'types');

/**
 * Publishes the types that the entry points need, each as `.d.ts` for ES modules and as `.d.cts` for CommonJS. With `module: node16`,
 * TypeScript does not let a CommonJS module import what is typed as an ES module (TS1479), though Node loads it.
 *
 * Types that are inferred from zod schemas are published as plain types, so a user needs no zod and may have any version of it.
 *
 * @param {readonly string[]} entries - names of the entry points
 */
export async function buildTypes(entries) {
  const published = readDeclarations(entries.map((name) => join(FROM, `${name}.d.ts`)));
  for (const [file, text] of await resolveInferred(published)) published.set(file, text);
  for (const [file, text] of published) {
    const missing = importsOf(file, text).find(({ module }) => !published.has(module));
    if (missing || usesZod(text)) throw new Error(`${file} needs ${missing?.module ?? 'zod'}, which is not published`);
    const target = join(root, 'dist', relative(FROM, file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    writeFileSync(
      target.replace(/\.d\.ts$/, '.d.cts'),
      text.replace(IMPORT, (clause) => clause.replace(/\.js(?=['"])/, '.cjs')),
    );
  }
}

/** Names from a module of our own: `{ A, type B as C } from './x.js'`, or `import("./x.js").A`. */
const IMPORT = /\{([^{}]*)\} from '(\.{1,2}\/[^']+\.js)'|\bimport\("(\.{1,2}\/[^"]+\.js)"\)\.(\w+)/g;

/** Returns each module of our own that a declaration file imports, and the imported names. */
function importsOf(file, text) {
  return [...text.matchAll(IMPORT)].map(([, names, from, inPlaceFrom, inPlaceName]) => ({
    module: join(dirname(file), (from ?? inPlaceFrom).replace(/\.js$/, '.d.ts')),
    names: (names ?? inPlaceName).split(',').flatMap((name) => /^\s*(?:type )?(\w+)/.exec(name)?.[1] ?? []),
  }));
}

/** Reads the declarations of the entry points and of their imports. Does not follow the imports of modules that use zod. */
function readDeclarations(entries) {
  const files = new Map();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    const text = pastDoors(file, readFileSync(file, 'utf8'));
    files.set(file, text);
    if (!usesZod(text)) waiting.push(...importsOf(file, text).map(({ module }) => module));
  }
  return files;
}

/** Replaces the doors that a declaration file imports by the files behind them: the other names of a door are not published. */
function pastDoors(file, text) {
  const homeOf = (from, name) => {
    const door = join(dirname(file), from.replace(/\.js$/, '.d.ts'));
    const text = readFileSync(door, 'utf8');
    const named = importsOf(door, text).find(({ names }) => names.includes(name));
    const home = named ?? starsOf(door, text).find(({ module }) => declares(readFileSync(module, 'utf8'), name));
    const path = relative(dirname(file), home.module)
      .replaceAll('\\', '/')
      .replace(/\.d\.ts$/, '.js');
    return path.startsWith('.') ? path : `./${path}`;
  };
  const clauses = /^(import|export)( type)? \{([^{}]*)\} from '([^']*\/index\.js)';/gm;
  return text
    .replace(clauses, (_, kind, type = '', names, from) =>
      names
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
        .map((one) => `${kind}${type} { ${one} } from '${homeOf(from, /^(?:type )?(\w+)/.exec(one)[1])}';`)
        .join('\n'),
    )
    .replace(/\bimport\("([^"]*\/index\.js)"\)\.(\w+)/g, (_, from, name) => `import("${homeOf(from, name)}").${name}`);
}

/** Returns the modules of which a door exports all names. */
function starsOf(file, text) {
  return [...text.matchAll(/^export \* from '(\.[^']+)';/gm)].map(([, from]) => ({
    module: join(dirname(file), from.replace(/\.js$/, '.d.ts')),
  }));
}

function declares(text, name) {
  return new RegExp(`^export (?:declare )?(?:type|interface|const|class|function) ${name}\\b`, 'm').test(text);
}

function usesZod(text) {
  return /['"]zod\b/.test(text);
}

/** Returns new declarations for each module with schemas: the types that other modules import from it, as plain types. */
async function resolveInferred(files) {
  const inferring = [...files].filter(([, text]) => usesZod(text)).map(([file]) => file);
  const imports = [...files].filter(([, text]) => !usesZod(text)).flatMap(([file, text]) => importsOf(file, text));
  for (const file of inferring) {
    const names = new Set(imports.flatMap((one) => (one.module === file ? one.names : [])));
    writeFileSync(resolverOf(file, '.ts'), renderResolver(basename(file, '.d.ts'), [...names]));
  }
  await mustRun('npx', ['--no-install', 'tsc', ...FLAGS, ...inferring.map((file) => resolverOf(file, '.ts'))]);
  return inferring.map((file) => [file, renderTypes(readFileSync(resolverOf(file, '.d.ts'), 'utf8'), files.get(file))]);
}

const FLAGS = [
  ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--skipLibCheck', '--strict'],
  ...['--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2023'],
];

function resolverOf(file, ending) {
  return file.replace(/\.d\.ts$/, `.resolved${ending}`);
}

/** Renders a module with a constant for each type. The compiler writes out the type of a constant without annotation. */
function renderResolver(module, names) {
  return [
    `import type * as types from './${module}.js';`,
    'declare function resolve<T>(): { [Key in keyof T]: T[Key] };',
    ...names.map((name) => `export const ${name} = resolve<types.${name}>();`),
  ].join('\n');
}

/** Turns the constants into types, each with its comment in the original module. */
function renderTypes(resolved, original) {
  return resolved.replace(/^export declare const (\w+): /gm, (_, name) => {
    const comment = new RegExp(`/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n(?=export type ${name}\\b)`).exec(original);
    return `${comment?.[0] ?? ''}export type ${name} = `;
  });
}
