import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { parse } from 'yaml';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { importBackstop } from './backstop.js';
import { type ImportedList, itemsOf, mappingOf } from './imported.js';
import { importLostPixel } from './lost-pixel.js';
import { importPercy } from './percy.js';
import { readScriptObject } from './script-object.js';
import { importShotScraper } from './shot-scraper.js';

/** A list of another tool, and which tool that is. */
export interface ReadImport {
  readonly tool: string;
  readonly list: ImportedList;
}

/**
 * Reads the list of another tool, by what is in it: a BackstopJS config, a Percy snapshot list, a Lost Pixel config, a list
 * for shot-scraper. Nothing in it is run: of a config that is a script, the object that stands in it is read.
 *
 * @throws ProofsheetError `import-unreadable` when there is no such file, or it is none of these.
 */
export function readImport(file: string): ReadImport {
  const value = parseFile(file);
  const { scenarios, pageShots, snapshots } = mappingOf(value);
  if (scenarios !== undefined) return readAs('BackstopJS', file, importBackstop(mappingOf(value)));
  if (pageShots !== undefined) return readAs('Lost Pixel', file, importLostPixel(mappingOf(value)));
  const items = Array.isArray(value) ? value : itemsOf(snapshots);
  if (Array.isArray(value) && items.some(isShot)) return readAs('shot-scraper', file, importShotScraper(value));
  if (items.length > 0) return readAs('Percy', file, importPercy(value));
  throw unreadable(file, 'it is no list of BackstopJS, Percy, Lost Pixel or shot-scraper');
}

function readAs(tool: string, file: string, list: ImportedList): ReadImport {
  if (list.pages.length > 0) return { tool, list };
  throw unreadable(file, `this list of ${tool} has no pages`);
}

/** Fields that only shot-scraper has. */
const SHOT_FIELDS = [
  'output',
  'wait',
  'wait_for',
  'selector',
  'javascript',
  'js_file',
  'server',
  'sh',
  'python',
  'height',
];

function isShot(item: unknown): boolean {
  return SHOT_FIELDS.some((field) => mappingOf(item)[field] !== undefined);
}

function parseFile(file: string): unknown {
  try {
    const text = readFileSync(file, 'utf8');
    // JSON is YAML as well.
    return /^\.[cm]?[jt]s$/.test(extname(file)) ? readScriptObject(text) : parse(text, { maxAliasCount: 1000 });
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw unreadable(
      file,
      isMissing ? 'there is no such file' : `it cannot be read (${messageOf(cause).split('\n')[0]})`,
    );
  }
}

function unreadable(where: string, found: string): ProofsheetError {
  const advice =
    'Give a backstop.json, a snapshot list of Percy, a Lost Pixel config, or a list for shot-scraper multi.';
  return new ProofsheetError({ code: 'import-unreadable', where, found, advice });
}
