import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const TIMEOUT_MS = 30_000;

/** The key of the object that stands for a function of a config. */
export const FUNCTION_KEY = '(function)';

/**
 * Runs a JavaScript or TypeScript config in a process of its own, and returns the value that it exports as JSON.
 *
 * The process is Playwright, which loads the config like its own: with its compiler, it reads TypeScript in every version of Node.
 *
 * @throws Error with the reason if the config does not run, or exports no JSON.
 */
export async function evaluateConfig(file: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'proofsheet-config-'));
  const [loader, answer] = [join(folder, 'playwright.config.cjs'), join(folder, 'answer.json')];
  try {
    writeFileSync(loader, LOADER);
    const failure = await runPlaywright(loader, { PROOFSHEET_CONFIG: resolve(file), PROOFSHEET_ANSWER: answer });
    if (!existsSync(answer)) throw new Error(failure);
    const { json, error } = answerSchema.parse(JSON.parse(readFileSync(answer, 'utf8')));
    if (error !== undefined) throw new Error(error);
    return json ?? 'null';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const answerSchema = z.object({ json: z.string().optional(), error: z.string().optional() });

/** Returns the reason if Playwright wrote no answer. Its exit code says nothing, because the loader has no tests. */
function runPlaywright(loader: string, variables: NodeJS.ProcessEnv): Promise<string> {
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const options = { env: { ...process.env, ...variables }, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
  return new Promise((end) => {
    execFile(process.execPath, [cli, 'test', '--list', '--config', loader], options, (error) => {
      end(error?.killed ? `timeout of ${TIMEOUT_MS / 1000} s exceeded` : 'the process ended early');
    });
  });
}

/** A Playwright config that loads another tool's config. That is its export `config`, its default export, or all of it. */
const LOADER = `
const { writeFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const { PROOFSHEET_CONFIG: file, PROOFSHEET_ANSWER: answer } = process.env;

async function load() {
  try {
    return require(file);
  } catch (cause) {
    if (cause?.code !== 'ERR_REQUIRE_ESM') throw cause;
    return import(pathToFileURL(file).href);
  }
}

async function read() {
  const exported = await load();
  const levels = [exported, exported?.default, exported?.default?.default].filter((level) => level !== undefined);
  const config = levels.map((level) => level?.config).find((value) => typeof value === 'object') ?? levels.at(-1);
  // Percy supports a function that returns the list.
  const value = typeof config === 'function' ? await config() : config;
  try {
    return { json: JSON.stringify(value, toJson) };
  } catch (cause) {
    throw new Error('the exported value cannot be converted to JSON: ' + cause.message);
  }
}

function toJson(_, value) {
  if (typeof value === 'function') return { '${FUNCTION_KEY}': value.name };
  return typeof value === 'bigint' || value instanceof RegExp ? String(value) : value;
}

module.exports = read()
  .catch((cause) => ({ error: String(cause?.message ?? cause).split('\\n')[0] }))
  .then((result) => writeFileSync(answer, JSON.stringify(result)))
  .then(() => ({}));
`;
