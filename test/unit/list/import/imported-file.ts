import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { renderList } from '../../../../src/list/import/imported.js';
import { readImport } from '../../../../src/list/import/read-import.js';
import { readPlan } from '../../../../src/list/read-list.js';
import { makeTempFolder, writeFiles } from '../../temp-folder.js';

const folder = makeTempFolder();

export const SCHEMA = './node_modules/proofsheet/pages.schema.json';

export function specimen(name: string): string {
  return fileURLToPath(new URL(`../../../../fixtures/lists/import/${name}`, import.meta.url));
}

export function written(name: string, text: string): string {
  writeFiles(folder, { [name]: text });
  return join(folder, name);
}

/** Imports a file or a value, and reads what came of it: as text, as YAML, and as a page list that must be right. */
export async function imported(given: string | object) {
  const file = typeof given === 'string' ? given : written('given.json', JSON.stringify(given));
  const { tool, list } = await readImport(file, { allowCode: true });
  const text = renderList(list, SCHEMA);
  const path = written('pages.yaml', text);
  return { tool, text, list: parse(text), plan: readPlan(path, { env: {}, devices: [] }) };
}
