import { existsSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join, posix, relative, resolve } from 'node:path';
import { REPORT_FOLDER, writeNew } from '../baselines/index.js';
import {
  fetchSitemap,
  type ImportedList,
  readImport,
  readStorybook,
  renderList,
  renderStoriesList,
  schemaComment,
} from '../list/index.js';
import { type ExistingSetup, foldersOfRepository, foldersUpFrom, posixPath, readSetup } from './existing-setup.js';

/** The options of `proofsheet init`. */
export interface InitRequest {
  /** Absolute. */
  readonly folder: string;
  readonly sitemap: string | null;
  /** The list of another tool. */
  readonly from: string | null;
  /** The folder of a built Storybook. */
  readonly storybook: string | null;
  /** Whether the list may be code, which is then executed. */
  readonly allowCode: boolean;
  /** Whether Git LFS stores the baselines. */
  readonly lfs: boolean;
}

/** The files that were written, and the existing files that were not changed. Paths are relative to the folder. */
export interface Initialized {
  readonly written: readonly string[];
  /** `isComplete`: the file already has what would be written. */
  readonly kept: readonly { readonly path: string; readonly advice: string; readonly isComplete: boolean }[];
  /** The lines that were added to `.gitignore`; null if there is no `.gitignore` and no repository. */
  readonly ignored: readonly string[] | null;
  /** The Playwright config, if `init` did not write it. */
  readonly config: string | null;
  /** Description of the origin of the page list. */
  readonly source: string;
  /** Null if the page list is an example. */
  readonly imported: ImportSummary | null;
}

/** Summary of an import. */
export interface ImportSummary {
  readonly pages: number;
  /** Whether pages have only paths and the base URL is unknown. */
  readonly needsBaseURL: boolean;
  /** Settings without an equivalent or with another meaning, each with the number of affected pages; null: the whole list. */
  readonly notes: readonly { readonly note: string; readonly pages: number | null }[];
}

/**
 * Writes a page list, a spec and a config for a project. Does not overwrite existing files. Adds the output of a run to `.gitignore`.
 *
 * @throws ProofsheetError if the sitemap, the list of the other tool or the Storybook is invalid, or if only other folders have a
 *   Playwright config. Nothing is written in this case.
 */
export async function initProject({ folder, lfs, ...origin }: InitRequest): Promise<Initialized> {
  const setup = readSetup(folder);
  const { render, source, imported } = await readOrigin(folder, setup, origin);
  const text = render(schemaPath(folder, setup.tests), join(folder, setup.tests));
  const written: string[] = [];
  const kept: Initialized['kept'][number][] = [];
  for (const { path, text: content, core, advice } of wantedFiles(setup, text, imported === null, lfs)) {
    const file = join(folder, path);
    if (await writeNew(file, content)) written.push(path);
    else if (readFileSync(file, 'utf8').replaceAll('\r\n', '\n').includes(core))
      kept.push({ path, advice: 'nothing to do', isComplete: true });
    else kept.push({ path, advice, isComplete: false });
  }
  return { written, kept, ignored: await ignoreOutput(folder), config: setup.config, source, imported };
}

interface Wanted {
  readonly path: string;
  readonly text: string;
  /** An existing file is complete if it contains this text. */
  readonly core: string;
  /** Advice if the file exists and is not complete. */
  readonly advice: string;
}

/** @param isExample - the list was not imported: the user replaces it */
function wantedFiles(
  { tests, spec, config, hasOtherMatch }: ExistingSetup,
  list: string,
  isExample: boolean,
  lfs: boolean,
): Wanted[] {
  return [
    {
      path: posix.join(tests, 'pages.yaml'),
      text: list,
      core: isExample ? '' : list,
      advice: 'not changed; to import again, delete or rename it',
    },
    {
      path: posix.join(tests, spec),
      text: SPEC,
      core: 'definePages(',
      advice: "make sure that it calls definePages('pages.yaml')",
    },
    {
      path: config ?? 'playwright.config.ts',
      text: renderConfig(spec),
      core: 'proofsheet/reporter',
      advice: `make sure that its reporter list contains ['proofsheet/reporter']${hasOtherMatch ? `, and that its testMatch takes ${spec}` : ''}`,
    },
    ...(lfs ? [{ path: '.gitattributes', text: `${LFS}\n`, core: LFS, advice: `add this line: ${LFS}` }] : []),
  ];
}

const SPEC = `import { definePages } from 'proofsheet';

definePages('pages.yaml');
`;

const LFS = '**/*-snapshots/** filter=lfs diff=lfs merge=lfs -text';

/** Without testMatch, Playwright also loads the tests of Vitest and Jest, which fail there. */
function renderConfig(spec: string): string {
  return `import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: '${spec}',
  // At most 40 lines in the terminal. For those of Playwright: [['proofsheet/reporter'], ['list']]
  reporter: [['proofsheet/reporter', { compact: true }]],
});
`;
}

/** What a run writes beside the config, which no one commits. */
const OUTPUT = [REPORT_FOLDER, 'test-results'];

/** Adds the output of a run to `.gitignore`, unless it is ignored. See `Initialized.ignored`. */
async function ignoreOutput(folder: string): Promise<readonly string[] | null> {
  const folders = foldersOfRepository(folder);
  const texts = folders
    .map((each) => join(each, '.gitignore'))
    .map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : null));
  const [text = null] = texts;
  if (text === null && !folders.some((each) => existsSync(join(each, '.git')))) return null;
  const patterns = texts
    .flatMap((each) => each?.split('\n') ?? [])
    .map((line) => line.trim().replace(/^(?:\*\*)?\/|\/\**$/g, ''));
  const lines = OUTPUT.filter((name) => !patterns.includes(name)).map((name) => `${name}/`);
  const isCut = text !== null && text !== '' && !text.endsWith('\n');
  const end = text?.includes('\r\n') ? '\r\n' : '\n';
  if (lines.length > 0) await appendFile(join(folder, '.gitignore'), [...(isCut ? [''] : []), ...lines, ''].join(end));
  return lines;
}

/** Where the page list comes from. */
interface ListOrigin extends Pick<Initialized, 'source' | 'imported'> {
  /** Renders the page list. @param schema - see `schemaPath`. @param listFolder - the absolute folder of the list */
  readonly render: (schema: string, listFolder: string) => string;
}

async function readOrigin(
  folder: string,
  { hasBaseURL, port }: ExistingSetup,
  { sitemap, from, allowCode, storybook }: Omit<InitRequest, 'folder' | 'lfs'>,
): Promise<ListOrigin> {
  if (sitemap !== null) return originOf(await fetchSitemap(sitemap), `the sitemap ${sitemap}`, hasBaseURL);
  if (storybook !== null) {
    const built = resolve(folder, storybook);
    return {
      render: (schema, listFolder) => renderStoriesList(slashed(relative(listFolder, built)), schema),
      source: `the Storybook ${storybook}`,
      imported: { pages: readStorybook(built).length, needsBaseURL: false, notes: [] },
    };
  }
  if (from !== null) {
    const { tool, list } = await readImport(from, { allowCode });
    return originOf(list, `the ${tool} list ${from}`, hasBaseURL);
  }
  const baseURL = hasBaseURL ? '' : `baseURL: \${SITE:-http://localhost:${port}}\n`;
  const render = (schema: string) => `${schemaComment(schema)}\n${baseURL}defaults:\n  fullSize: true\npages:\n  - /\n`;
  return { render, source: 'an example with one page', imported: null };
}

function originOf(list: ImportedList, source: string, hasBaseURL: boolean): ListOrigin {
  const counts = new Map<string, number>();
  for (const note of list.pages.flatMap((page) => page.notes)) counts.set(note, (counts.get(note) ?? 0) + 1);
  const imported = {
    pages: list.pages.length,
    needsBaseURL: list.baseURL === null && !hasBaseURL && list.pages.some(({ page }) => page.url.startsWith('/')),
    notes: [
      ...list.notes.map((note) => ({ note, pages: null })),
      ...[...counts].map(([note, count]) => ({ note, pages: count })),
    ],
  };
  return { render: (schema) => renderList(list, schema), source, imported };
}

const SCHEMA = 'node_modules/proofsheet/pages.schema.json';

/**
 * Returns the path of the schema relative to a list in `tests`. In a workspace, the package may be installed in a parent folder
 * of the project.
 */
function schemaPath(folder: string, tests: string): string {
  const installed = foldersUpFrom(folder).find((each) => existsSync(join(each, SCHEMA))) ?? folder;
  return slashed(relative(join(folder, tests), join(installed, SCHEMA)));
}

/** Returns a relative path with slashes that starts with a dot. */
function slashed(path: string): string {
  const forward = posixPath(path);
  return forward.startsWith('.') ? forward : `./${forward}`;
}
