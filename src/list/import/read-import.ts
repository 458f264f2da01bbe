import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { parse } from 'yaml';
import { codeOf, messageOf, ProofsheetError, renderCount } from '../../model/index.js';
import { renderFile } from '../issue.js';
import { readStoryIndex, type Story, selectStories } from '../stories/storybook.js';
import { importBackstop } from './backstop.js';
import { evaluateConfig } from './evaluate-config.js';
import type { ImportedList } from './imported.js';
import { importLostPixel } from './lost-pixel.js';
import { importPercy } from './percy.js';
import { importShotScraper } from './shot-scraper.js';

/** A converted list, and the name of the tool that it comes from. */
export interface ReadImport {
  readonly tool: string;
  readonly list: ImportedList;
}

/** The tools. Each function returns undefined if the list is not one of its tool. */
const TOOLS: readonly [tool: string, convert: (value: unknown) => ImportedList | undefined][] = [
  ['BackstopJS', importBackstop],
  ['Lost Pixel', importLostPixel],
  ['shot-scraper', importShotScraper],
  ['Percy', importPercy],
];

/** Bound of an imported list, in bytes. A list of 1,000 pages has about 0.5 MB; YAML of 5 MB takes about 5 s to parse. */
const MAX_BYTES = 5_000_000;

/**
 * Reads the list of another tool: a BackstopJS config, a Percy snapshot list, a Lost Pixel config or a list for
 * shot-scraper. The content determines the tool. A code config runs in a separate process, and only if that is allowed.
 *
 * @throws ProofsheetError `import-unreadable` if the file does not exist, is not one of these lists, is too large, or is
 * code that may not run.
 */
export async function readImport(file: string, { allowCode }: { readonly allowCode: boolean }): Promise<ReadImport> {
  const value = await readValue(file, allowCode);
  for (const [tool, convert] of TOOLS) {
    const list = convert(value);
    if (list === undefined) continue;
    if (list.pages.length > 0) return { tool, list };
    throw unreadable(file, `the ${tool} list has no pages`);
  }
  throw unreadable(file, 'the file is not a list of BackstopJS, Percy, Lost Pixel or shot-scraper');
}

async function readValue(file: string, allowCode: boolean): Promise<unknown> {
  try {
    assertSize(statSync(file).size);
  } catch (cause) {
    throw cannotRead(file, cause);
  }
  return /^\.[cm]?[jt]sx?$/i.test(extname(file)) ? readCode(file, allowCode) : readYaml(file);
}

function readYaml(file: string): unknown {
  try {
    // The YAML parser also reads JSON. With YAML aliases, a value can contain itself, or be far larger than its file.
    const json = JSON.stringify(parse(readFileSync(file, 'utf8'), { maxAliasCount: 1000 }));
    assertSize(json.length);
    return JSON.parse(json);
  } catch (cause) {
    throw cannotRead(file, cause);
  }
}

async function readCode(file: string, allowCode: boolean): Promise<unknown> {
  if (!allowCode) {
    const advice = 'Add --allow-code if you trust the file, or save the exported value as JSON.';
    throw unreadable(file, 'the file is code, and --allow-code is not set', advice);
  }
  try {
    const json = await evaluateConfig(file);
    assertSize(json.length);
    return JSON.parse(json);
  } catch (cause) {
    const advice = 'Fix the config, or save the exported value as JSON.';
    throw unreadable(file, `the config cannot be run (${messageOf(cause)})`, advice);
  }
}

function assertSize(bytes: number): void {
  if (bytes > MAX_BYTES) throw new Error(`${renderCount(bytes)} bytes, expected at most ${renderCount(MAX_BYTES)}`);
}

function cannotRead(file: string, cause: unknown): ProofsheetError {
  if (codeOf(cause) === 'ENOENT') return unreadable(file, 'the file does not exist');
  return unreadable(file, `the file cannot be read (${messageOf(cause).split('\n')[0]})`);
}

const ADVICE = 'Use a backstop.json, a Percy snapshot list, a Lost Pixel config or a list for shot-scraper multi.';

function unreadable(where: string, found: string, advice = ADVICE): ProofsheetError {
  return new ProofsheetError({ code: 'import-unreadable', where, found, advice });
}

/**
 * Returns the stories of a built Storybook that a page list captures by default.
 *
 * @param folder - absolute
 * @throws ProofsheetError `import-unreadable` if the folder is not a built Storybook, or has no such story.
 */
export function readStorybook(folder: string): Story[] {
  const where = renderFile(folder) || '.';
  const index = readStoryIndex(folder, true);
  if (index.kind === 'unreadable') throw unreadable(where, `the folder ${index.found}`, index.advice);
  const stories = selectStories(index.stories, null, null);
  if (stories.length > 0) return stories;
  throw unreadable(where, 'the folder has no story with the tag "test"', 'Write the list by hand, with "include".');
}
