import dgram from 'node:dgram';
import dns from 'node:dns';
import { closeSync, readFileSync, writeSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import net from 'node:net';
import { pathToFileURL } from 'node:url';
import { transform } from 'sucrase';
import { FUNCTION_KEY } from './imported.js';

/**
 * Entry point of the child process that runs the config of another tool; see `evaluate-config.ts`.
 *
 * Writes the exported config to file descriptor 3, as `{ "value": … }` or `{ "error": "…" }`.
 */
const [, , file = ''] = process.argv;
denyNetwork();
compileTypeScript();
void load(file).then(
  (value) => writeResult({ value }),
  (cause: unknown) => writeResult({ error: firstLineOf(cause) }),
);

async function load(path: string): Promise<unknown> {
  const exported: unknown = /\.[cm]?tsx?$/i.test(path)
    ? createRequire(path)(path)
    : await import(pathToFileURL(path).href);
  const config = await chooseExport(exported);
  // Percy supports a function that returns the list.
  return typeof config === 'function' ? await config() : config;
}

/** Returns the config: the export `config`, otherwise the default export, otherwise all exports. */
function chooseExport(exported: unknown): unknown {
  const outer = memberOf(exported, 'default');
  const inner = memberOf(outer, 'default');
  for (const value of [exported, outer, inner]) {
    const config = memberOf(value, 'config');
    if (typeof config === 'object' && config !== null) return config;
  }
  return inner ?? outer ?? exported;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** Disables networking. All connections of Node use one of these functions, including TLS, HTTP and `fetch`. */
function denyNetwork(): void {
  const refuse = () => {
    throw new Error('network access is disabled during the import of a config');
  };
  const denied: [object, readonly string[]][] = [
    [net.Socket.prototype, ['connect']],
    [net.Server.prototype, ['listen']],
    [dgram.Socket.prototype, ['bind', 'connect', 'send']],
    [dns, functionsOf(dns)],
    [dns.promises, functionsOf(dns.promises)],
    [dns.Resolver.prototype, functionsOf(dns.Resolver.prototype)],
    [dns.promises.Resolver.prototype, functionsOf(dns.promises.Resolver.prototype)],
  ];
  for (const [target, names] of denied) {
    for (const name of names)
      Object.defineProperty(target, name, { value: refuse, writable: false, configurable: false });
  }
  module.syncBuiltinESMExports();
}

function functionsOf(target: object): string[] {
  return Object.getOwnPropertyNames(target).filter(
    (name) => name !== 'constructor' && typeof Reflect.get(target, name) === 'function',
  );
}

/** Node 20 does not support TypeScript, and later versions do not remove imports of types without the keyword `type`. */
function compileTypeScript(): void {
  const { extensions } = createRequire(import.meta.url);
  for (const extension of ['.ts', '.cts', '.mts', '.tsx']) {
    extensions[extension] = (loaded, path) => {
      const { code } = transform(readFileSync(path, 'utf8'), {
        transforms: ['typescript', 'imports', 'jsx'],
        filePath: path,
      });
      compileInto(loaded, code, path);
    };
  }
}

/** Calls `module._compile`, as every require hook does. The types of Node do not declare it. */
function compileInto(loaded: object, code: string, path: string): void {
  const compile: unknown = Reflect.get(loaded, '_compile');
  if (typeof compile !== 'function') throw new Error('this version of Node cannot compile TypeScript');
  Reflect.apply(compile, loaded, [code, path]);
}

function writeResult(result: { value: unknown } | { error: string }): void {
  let text: string;
  try {
    text = JSON.stringify(result, (_, value: unknown) => toJsonValue(value)) ?? '';
  } catch (cause) {
    text = JSON.stringify({ error: `the exported value cannot be converted to JSON: ${firstLineOf(cause)}` });
  }
  writeAll(3, Buffer.from(text));
  closeSync(3);
}

/** Converts values that JSON does not support. A function becomes a marker object. */
function toJsonValue(value: unknown): unknown {
  if (typeof value === 'function') return { [FUNCTION_KEY]: value.name };
  return typeof value === 'bigint' || value instanceof RegExp ? String(value) : value;
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

function firstLineOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? '';
}
