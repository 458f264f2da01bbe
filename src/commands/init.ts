import { existsSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
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
import { renderCountOf, renderPlain } from '../model/index.js';
import { command, flag, type Values, value } from './command.js';
import { type ExistingSetup, foldersOfRepository, foldersUpFrom, readSetup } from './existing-setup.js';
import { JSON_FLAG } from './flags.js';

const FLAGS = {
  sitemap: value('<url>', 'import the pages of a sitemap', { conflicts: ['from', 'storybook'] }),
  from: value('<file>', 'import the list of another tool', { conflicts: ['storybook'] }),
  storybook: value('<dir>', 'list the stories of a built Storybook'),
  allowCode: flag('run the --from file if it is JavaScript or TypeScript'),
  lfs: flag('write .gitattributes, so that Git LFS stores the baselines'),
};

type InitFlags = Values<typeof FLAGS>;

export const init = command({
  name: 'init',
  description: 'write a page list, a spec and a config, unless they exist',
  flags: { ...FLAGS, ...JSON_FLAG },
  help: `  proofsheet init
  proofsheet init --sitemap https://www.example.com/sitemap.xml
  proofsheet init --from backstop.json
  proofsheet init --from lostpixel.config.ts --allow-code
  proofsheet init --storybook storybook-static

--from reads a BackstopJS config, a Percy snapshot list, a Lost Pixel config or a list for shot-scraper multi. Comments in the page
list name the settings without an equivalent.

--allow-code runs a JavaScript or TypeScript config in a separate process, with your rights. Do not run code that you do not trust.

Run it in the folder of your Playwright config, if you have one. Existing files are not changed, except .gitignore: the output of a run
is added to it.
Exit code: 0 written or already complete, 2 an existing file is not complete and nothing was written, or the import failed.`,
  async run(flags) {
    const done = await initProject(process.cwd(), flags);
    const { written, kept } = done;
    const incomplete = kept.filter(({ isComplete }) => !isComplete);
    // The wanted list was not written, or nothing was.
    const isRefused = incomplete.some(({ path }) => path === LIST) || (written.length === 0 && incomplete.length > 0);
    return {
      json: { ...done, kept: kept.map(({ path, advice }) => ({ path, advice })) },
      text: renderInit(done, isRefused),
      failure: isRefused ? 'refused' : null,
    };
  },
});

const LIST = 'pages.yaml';

type Initialized = Awaited<ReturnType<typeof initProject>>;

/**
 * Writes a page list, a spec and a config for the project in an absolute folder. Does not overwrite existing files. Adds the output of a run to `.gitignore`.
 *
 * @throws ProofsheetError if the sitemap, the list of the other tool or the Storybook is invalid. Nothing is written in this case.
 */
export async function initProject(folder: string, { lfs, ...origin }: InitFlags) {
  const setup = readSetup(folder);
  const { text, source, imported } = await readOrigin(folder, setup, origin);
  const written: string[] = [];
  const kept: { path: string; advice: string; isComplete: boolean }[] = [];
  for (const { path, text: content, core, advice } of wantedFiles(setup, text, imported === null, lfs)) {
    const file = join(folder, path);
    if (await writeNew(file, content)) {
      written.push(path);
      continue;
    }
    const isComplete = readFileSync(file, 'utf8').replaceAll('\r\n', '\n').includes(core);
    kept.push({ path, advice: isComplete ? 'nothing to do' : advice, isComplete });
  }
  return { written, kept, ignored: await ignoreOutput(folder), source, imported };
}

/** An existing file is complete if it contains the text `core`; `advice` is for the others. */
function wantedFiles(setup: ExistingSetup, list: string, isExample: boolean, lfs: boolean) {
  const { spec, config } = setup;
  return [
    {
      path: LIST,
      text: list,
      core: isExample ? '' : list,
      advice: 'not changed; to import again, delete or rename it',
    },
    {
      path: spec,
      text: SPEC,
      core: 'definePages(',
      advice: "make sure that it calls definePages('pages.yaml')",
    },
    {
      path: config ?? 'playwright.config.ts',
      text: renderConfig(spec),
      core: 'proofsheet/reporter',
      advice: `add ['proofsheet/reporter'] to its reporter list; if its testDir is another folder, move ${LIST} and ${spec} there; if it has a testMatch, name the spec so that it matches`,
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

/** Reads where the page list comes from. `text`: the list. */
async function readOrigin(
  folder: string,
  { config, port }: ExistingSetup,
  { sitemap, from, allowCode, storybook }: Omit<InitFlags, 'lfs'>,
) {
  const schema = schemaPath(folder);
  if (sitemap !== null) return originOf(await fetchSitemap(sitemap), schema, `the sitemap ${sitemap}`);
  if (storybook !== null) {
    const built = resolve(folder, storybook);
    const path = slashed(relative(folder, built));
    return {
      text: renderStoriesList(path, schema),
      source: `the Storybook ${storybook}`,
      imported: { pages: readStorybook(built).length, needsBaseURL: false, notes: [] },
    };
  }
  if (from !== null) {
    const { tool, list } = await readImport(from, { allowCode });
    return originOf(list, schema, `the ${tool} list ${from}`);
  }
  // An existing config may have a baseURL, which that of the list would replace.
  const baseURL = `${config === null ? '' : '# '}baseURL: \${SITE:-http://localhost:${port}}`;
  const text = `${schemaComment(schema)}\n${baseURL}\ndefaults:\n  fullSize: true\npages:\n  - /\n`;
  return { text, source: 'an example with one page', imported: null };
}

function originOf(list: ImportedList, schema: string, source: string) {
  const counts = new Map<string, number>();
  for (const note of list.pages.flatMap((page) => page.notes)) counts.set(note, (counts.get(note) ?? 0) + 1);
  const imported = {
    pages: list.pages.length,
    needsBaseURL: list.baseURL === null && list.pages.some(({ page }) => page.url.startsWith('/')),
    // Settings without an equivalent or with another meaning, each with the number of affected pages; null: the whole list.
    notes: [
      ...list.notes.map((note) => ({ note, pages: null })),
      ...[...counts].map(([note, count]) => ({ note, pages: count })),
    ],
  };
  return { text: renderList(list, schema), source, imported };
}

const SCHEMA = 'node_modules/proofsheet/pages.schema.json';

/** In a workspace, the package may be installed in a parent folder of the project. */
function schemaPath(folder: string): string {
  const installed = foldersUpFrom(folder).find((each) => existsSync(join(each, SCHEMA))) ?? folder;
  return slashed(relative(folder, join(installed, SCHEMA)));
}

function slashed(path: string): string {
  const forward = path.split(sep).join('/');
  return forward.startsWith('.') ? forward : `./${forward}`;
}

function renderInit({ written, kept, ignored, source, imported }: Initialized, isRefused: boolean): string {
  const count = imported === null ? '' : `${renderCountOf(imported.pages, 'page')} from `;
  const lines = [
    ...written.map((path) => `wrote ${path}${path === LIST ? ` (${count}${source})` : ''}`),
    ...kept.map(({ path, advice }) => `${path} already exists: ${advice}`),
    ...(ignored === null || ignored.length === 0 ? [] : [`added to .gitignore: ${ignored.join(', ')}`]),
    ...(imported !== null && written.includes(LIST) ? renderNotes(imported) : []),
    ...(written.length === 0 && !isRefused ? ['Everything is already there. Nothing was written.'] : []),
    ...(isRefused ? [] : renderNext(imported)),
    ...(isRefused || ignored !== null ? [] : ['Add proofsheet-report/ and test-results/ to .gitignore.']),
  ];
  return `${lines.join('\n')}\n`;
}

const MAX_NOTES = 12;

function renderNotes({ notes }: NonNullable<Initialized['imported']>): string[] {
  if (notes.length === 0) return ['', 'All settings were imported.'];
  const shown = notes
    .slice(0, MAX_NOTES)
    .map(({ note, pages }) => `  ${renderPlain(note)}${pages === null ? '' : ` (${renderCountOf(pages, 'page')})`}`);
  const more = notes.length > MAX_NOTES ? [`  and ${notes.length - MAX_NOTES} more`] : [];
  return ['', `Not imported, or imported with a different meaning (see the comments in ${LIST}):`, ...shown, ...more];
}

function renderNext(imported: Initialized['imported']): string[] {
  const steps = [
    ...(imported === null ? [`add your pages to ${LIST}, then run:`] : []),
    ...(imported?.needsBaseURL ? [`set baseURL in ${LIST}, unless the Playwright config has one, then run:`] : []),
  ];
  return [
    ...['', ['Next:', ...steps].join(' ')],
    `  npx playwright test --update-snapshots   # writes the first baselines`,
    `  npx playwright test                      # compares with the baselines`,
  ];
}
