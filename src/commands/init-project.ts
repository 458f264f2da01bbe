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
import { flag, type Values, value } from './command.js';
import { type ExistingSetup, foldersOfRepository, foldersUpFrom, posixPath, readSetup } from './existing-setup.js';

/** The flags of `proofsheet init`. */
export const INIT_FLAGS = {
  sitemap: value('<url>', 'import the pages of a sitemap', { conflicts: ['from', 'storybook'] }),
  from: value('<file>', 'import the list of another tool', { conflicts: ['storybook'] }),
  storybook: value('<dir>', 'list the stories of a built Storybook'),
  allowCode: flag('run the --from file if it is JavaScript or TypeScript'),
  lfs: flag('write .gitattributes, so that Git LFS stores the baselines'),
};

type InitFlags = Values<typeof INIT_FLAGS>;

/** The files that were written, and the existing files that were not changed. Paths are relative to the folder. */
export type Initialized = Awaited<ReturnType<typeof initProject>>;

/** Summary of an import. `needsBaseURL`: pages have only paths, and the base URL is unknown. */
export type ImportSummary = NonNullable<Initialized['imported']>;

/**
 * Writes a page list, a spec and a config for the project in an absolute folder. Does not overwrite existing files. Adds the output of a run to `.gitignore`.
 *
 * @throws ProofsheetError if the sitemap, the list of the other tool or the Storybook is invalid, or if only other folders have a
 *   Playwright config. Nothing is written in this case.
 */
export async function initProject(folder: string, { lfs, ...origin }: InitFlags) {
  const setup = readSetup(folder);
  const { render, source, imported } = await readOrigin(folder, setup, origin);
  const text = render(schemaPath(folder, setup.tests), join(folder, setup.tests));
  const written: string[] = [];
  const kept: { path: string; advice: string; isComplete: boolean }[] = [];
  for (const { path, text: content, core, advice } of wantedFiles(setup, text, imported === null, lfs)) {
    const file = join(folder, path);
    if (await writeNew(file, content)) written.push(path);
    else if (readFileSync(file, 'utf8').replaceAll('\r\n', '\n').includes(core))
      kept.push({ path, advice: 'nothing to do', isComplete: true });
    else kept.push({ path, advice, isComplete: false });
  }
  return {
    ...{ written, kept, ignored: await ignoreOutput(folder) },
    /** The Playwright config, if `init` did not write it. */
    config: setup.config,
    ...{ source, imported },
  };
}

/**
 * Returns the files to write. An existing file is complete if it contains the text `core`; `advice` is for the others.
 *
 * @param isExample - the list was not imported: the user replaces it
 */
function wantedFiles(setup: ExistingSetup, list: string, isExample: boolean, lfs: boolean) {
  const { tests, spec, config, hasOtherMatch } = setup;
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

/** Adds the output of a run to `.gitignore`. Returns the added lines; null if there is no `.gitignore` and no repository. */
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

/** Reads where the page list comes from. Its `render` takes the path of the schema (`schemaPath`) and the absolute folder of the list. */
async function readOrigin(
  folder: string,
  { hasBaseURL, port }: ExistingSetup,
  { sitemap, from, allowCode, storybook }: Omit<InitFlags, 'lfs'>,
) {
  if (sitemap !== null) return originOf(await fetchSitemap(sitemap), `the sitemap ${sitemap}`, hasBaseURL);
  if (storybook !== null) {
    const built = resolve(folder, storybook);
    return {
      render: (schema: string, listFolder: string) => renderStoriesList(slashed(relative(listFolder, built)), schema),
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

function originOf(list: ImportedList, source: string, hasBaseURL: boolean) {
  const counts = new Map<string, number>();
  for (const note of list.pages.flatMap((page) => page.notes)) counts.set(note, (counts.get(note) ?? 0) + 1);
  const imported = {
    pages: list.pages.length,
    needsBaseURL: list.baseURL === null && !hasBaseURL && list.pages.some(({ page }) => page.url.startsWith('/')),
    // Settings without an equivalent or with another meaning, each with the number of affected pages; null: the whole list.
    notes: [
      ...list.notes.map((note) => ({ note, pages: null })),
      ...[...counts].map(([note, count]) => ({ note, pages: count })),
    ],
  };
  return { render: (schema: string) => renderList(list, schema), source, imported };
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
