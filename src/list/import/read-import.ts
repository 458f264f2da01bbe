import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { codeOf, failure, firstLineOf, ProofsheetError } from '../../model/index.js';
import { renderFile } from '../issue.js';
import { readStoryIndex, type Story, selectStories } from '../storybook.js';
import { readBackstop } from './backstop.js';
import { convertList, FUNCTION_KEY, type ToolList } from './imported.js';
import { readLostPixel } from './lost-pixel.js';
import { readPercy } from './percy.js';
import { readShotScraper } from './shot-scraper.js';

const TOOLS: readonly [tool: string, read: (value: unknown) => ToolList | undefined][] = [
  ['BackstopJS', readBackstop],
  ['Lost Pixel', readLostPixel],
  ['shot-scraper', readShotScraper],
  ['Percy', readPercy],
];

/** Reads the list of another tool, which its content determines. @throws ProofsheetError `import-unreadable` */
export async function readImport(file: string, { allowCode }: { readonly allowCode: boolean }) {
  const value = await readValue(file, allowCode);
  for (const [tool, read] of TOOLS) {
    const source = read(value);
    if (source === undefined) continue;
    const list = convertList(source);
    if (list.pages.length > 0) return { tool, list };
    throw unreadable(file, `the ${tool} list has no pages`);
  }
  throw unreadable(file, 'the file is not a list of BackstopJS, Percy, Lost Pixel or shot-scraper');
}

async function readValue(file: string, allowCode: boolean): Promise<unknown> {
  const isCode = /^\.[cm]?[jt]sx?$/i.test(extname(file));
  try {
    if (isCode && !allowCode) {
      const advice = 'Add --allow-code if you trust the file, or save the exported value as JSON.';
      throw unreadable(file, 'the file is code, and --allow-code is not set', advice);
    }
    if (isCode) return JSON.parse(await evaluateConfig(file));
    // The YAML parser also reads JSON. With YAML aliases, a value can contain itself: JSON refuses it.
    return JSON.parse(JSON.stringify(parse(readFileSync(file, 'utf8'), { maxAliasCount: 1000 })));
  } catch (cause) {
    if (cause instanceof ProofsheetError) throw cause;
    if (codeOf(cause) === 'ENOENT') throw unreadable(file, 'the file does not exist');
    const reason = firstLineOf(cause);
    if (!isCode) throw unreadable(file, `the file cannot be read (${reason})`);
    throw unreadable(file, `the config cannot be run (${reason})`, 'Fix the config, or save its value as JSON.');
  }
}

const ADVICE = 'Use a backstop.json, a Percy snapshot list, a Lost Pixel config or a list for shot-scraper multi.';

function unreadable(where: string, found: string, advice = ADVICE): ProofsheetError {
  return failure('import-unreadable', where, found, advice);
}

/** Returns the stories of a built Storybook that a list captures by default. @throws ProofsheetError `import-unreadable` */
export function readStorybook(folder: string): Story[] {
  const where = renderFile(folder) || '.';
  const index = readStoryIndex(folder);
  if (index.kind === 'unreadable') throw unreadable(where, `the folder ${index.found}`, index.advice);
  const stories = selectStories(index.stories);
  if (stories.length > 0) return stories;
  throw unreadable(where, 'the folder has no story with the tag "test"', 'Write the list by hand, with "include".');
}

const TIMEOUT_MS = 30_000;

const answerSchema = z.object({ json: z.string().optional(), error: z.string().optional() });

/**
 * Runs a JavaScript or TypeScript config in a process of its own, and returns the value that it exports as JSON. The process is
 * Playwright, which loads the config like its own: with its compiler, it reads TypeScript in every version of Node.
 */
async function evaluateConfig(file: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'proofsheet-config-'));
  const [loader, answer] = [join(folder, 'playwright.config.cjs'), join(folder, 'answer.json')];
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const env = { ...process.env, PROOFSHEET_CONFIG: resolve(file), PROOFSHEET_ANSWER: answer };
  const options = { env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
  try {
    writeFileSync(loader, LOADER);
    // The exit code of Playwright says nothing, because the loader has no tests.
    const command = [cli, 'test', '--list', '--config', loader];
    await new Promise((end) => execFile(process.execPath, command, options, end));
    if (!existsSync(answer)) throw new Error(`the process ended early, or after ${TIMEOUT_MS / 1000} s`);
    const { json = 'null', error } = answerSchema.parse(JSON.parse(readFileSync(answer, 'utf8')));
    if (error !== undefined) throw new Error(error);
    return json;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
