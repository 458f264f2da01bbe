import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readImport } from '../plan/import/read-import.js';
import { renderList } from '../plan/import/render-list.js';
import { writeNew } from '../record/write-new.js';
import { fetchSitemap } from './fetch-sitemap.js';

/** What a project is to begin with. */
export interface InitRequest {
  /** Absolute. */
  readonly folder: string;
  readonly sitemap: string | null;
  /** Another tool's list. */
  readonly from: string | null;
  /** Whether baselines are to be kept by Git LFS. */
  readonly lfs: boolean;
}

/** What was written, and what was there already and stays as it is. Paths are relative to the folder. */
export interface Initialised {
  readonly written: readonly string[];
  readonly kept: readonly { readonly path: string; readonly advice: string }[];
  /** Where the page list came from, in words. */
  readonly source: string;
}

/**
 * Writes page list, spec and config for a project, each only where there is none.
 *
 * @throws ProofsheetError what is wrong with the sitemap or with the other tool's list; nothing is written then.
 */
export async function initProject({ folder, sitemap, from, lfs }: InitRequest): Promise<Initialised> {
  const { text, source } = await listText(sitemap, from);
  const config = CONFIGS.find((name) => existsSync(join(folder, name)));
  const tests = config === undefined ? '.' : testFolderOf(readFileSync(join(folder, config), 'utf8'));
  const wanted: Wanted[] = [
    { path: posix.join(tests, 'pages.yaml'), text, advice: 'it stays as it is' },
    { path: posix.join(tests, 'visual.spec.ts'), text: SPEC, advice: SPEC_ADVICE },
    { path: config ?? 'playwright.config.ts', text: CONFIG, advice: CONFIG_ADVICE },
    ...(lfs ? [{ path: '.gitattributes', text: ATTRIBUTES, advice: `add to it: ${ATTRIBUTES.trim()}` }] : []),
  ];
  const [written, kept]: [string[], { path: string; advice: string }[]] = [[], []];
  for (const { path, text, advice } of wanted) {
    if (await writeNew(join(folder, path), text)) written.push(path);
    else kept.push({ path, advice });
  }
  return { written, kept, source };
}

interface Wanted {
  readonly path: string;
  readonly text: string;
  /** What to do where there is such a file. */
  readonly advice: string;
}

async function listText(sitemap: string | null, from: string | null): Promise<{ text: string; source: string }> {
  if (sitemap !== null) return { text: renderList(await fetchSitemap(sitemap)), source: `the pages of ${sitemap}` };
  if (from === null) return { text: LIST, source: 'one page, to begin with' };
  const { tool, list } = readImport(from);
  return { text: renderList(list), source: `the ${tool} list ${from}; its comments say what has no equivalent` };
}

const CONFIGS = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map((ending) => `playwright.config.${ending}`);

/** Where the config looks for tests, as far as that can be told without running it. */
function testFolderOf(config: string): string {
  const [, folder = '.'] = /\btestDir:\s*['"]([\w./-]+)['"]/.exec(config) ?? [];
  return folder.includes('..') || folder.startsWith('/') ? '.' : folder;
}

const LIST = `# yaml-language-server: $schema=./node_modules/proofsheet/pages.schema.json
baseURL: \${SITE:-http://localhost:3000}
defaults:
  fullSize: true
pages:
  - /
`;

const SPEC = `import { definePages } from 'proofsheet';

definePages('pages.yaml');
`;

const CONFIG = `import { defineConfig } from '@playwright/test';

export default defineConfig({
  reporter: [['proofsheet/reporter'], ['list']],
});
`;

const ATTRIBUTES = `**/*-snapshots/** filter=lfs diff=lfs merge=lfs -text
`;

const SPEC_ADVICE = "see that it has: definePages('pages.yaml')";
const CONFIG_ADVICE = "see that its reporter has: ['proofsheet/reporter']";
