import { existsSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join, posix, relative, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { REPORT_FOLDER, writeNew } from '../../baselines/index.js';
import {
  type ImportedList,
  importSitemap,
  readImport,
  readSitemap,
  readStorybook,
  renderList,
  renderStoriesList,
  schemaComment,
} from '../../list/index.js';
import { checkUrl, messageOf, ProofsheetError, renderCount, renderCountOf } from '../../model/index.js';
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
  readonly kept: readonly KeptFile[];
  /** The lines that were added to `.gitignore`; null if there is no `.gitignore` and no repository. */
  readonly ignored: readonly string[] | null;
  /** The Playwright config, if `init` did not write it. */
  readonly config: string | null;
  /** Description of the origin of the page list. */
  readonly source: string;
  /** Summary of the import; null if the page list is an example. */
  readonly imported: ImportSummary | null;
}

/** An existing file. It is never changed. */
export interface KeptFile {
  readonly path: string;
  readonly advice: string;
  /** Whether the file already has what would be written. */
  readonly isComplete: boolean;
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
  const { tests, spec, config, hasOtherMatch } = setup;
  const { render, source, imported } = await readOrigin(folder, setup, origin);
  const text = render(schemaPath(folder, tests), join(folder, tests));
  const listAdvice = 'not changed; to import again, delete or rename it';
  const wanted: Wanted[] = [
    // A list that was not imported is an example, which the user replaces.
    { path: posix.join(tests, 'pages.yaml'), text, core: imported === null ? '' : text, advice: listAdvice },
    { path: posix.join(tests, spec), text: SPEC, core: 'definePages(', advice: SPEC_ADVICE },
    {
      ...{ path: config ?? 'playwright.config.ts', text: renderConfig(spec), core: 'proofsheet/reporter' },
      advice: hasOtherMatch ? `${CONFIG_ADVICE}, and that its testMatch takes ${spec}` : CONFIG_ADVICE,
    },
    ...(lfs ? [ATTRIBUTES_FILE] : []),
  ];
  const [written, kept]: [string[], KeptFile[]] = [[], []];
  for (const { path, text, core, advice } of wanted) {
    const file = join(folder, path);
    if (await writeNew(file, text)) written.push(path);
    else if (readFileSync(file, 'utf8').includes(core)) kept.push({ path, advice: 'nothing to do', isComplete: true });
    else kept.push({ path, advice, isComplete: false });
  }
  return { written, kept, ignored: await ignoreOutput(folder), config, source, imported };
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

interface Wanted {
  readonly path: string;
  readonly text: string;
  /** An existing file is complete if it contains this text. */
  readonly core: string;
  /** Advice if the file exists and is not complete. */
  readonly advice: string;
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
    const { length: pages } = readStorybook(built);
    const imported = { pages, needsBaseURL: false, notes: [] };
    return { render: storiesListOf(built), source: `the Storybook ${storybook}`, imported };
  }
  if (from !== null) {
    const { tool, list } = await readImport(from, { allowCode });
    return originOf(list, `the ${tool} list ${from}`, hasBaseURL);
  }
  const baseURL = hasBaseURL ? '' : `baseURL: \${SITE:-http://localhost:${port}}\n`;
  const render = (schema: string) => `${schemaComment(schema)}\n${baseURL}${LIST}`;
  return { render, source: 'an example with one page', imported: null };
}

function originOf(list: ImportedList, source: string, hasBaseURL: boolean): ListOrigin {
  return { render: (schema) => renderList(list, schema), source, imported: summarize(list, hasBaseURL) };
}

function storiesListOf(built: string): ListOrigin['render'] {
  return (schema, listFolder) => renderStoriesList(slashed(relative(listFolder, built)), schema);
}

function summarize({ baseURL, pages, notes }: ImportedList, hasBaseURL: boolean): ImportSummary {
  const counts = new Map<string, number>();
  for (const note of pages.flatMap((page) => page.notes)) counts.set(note, (counts.get(note) ?? 0) + 1);
  return {
    pages: pages.length,
    needsBaseURL: baseURL === null && !hasBaseURL && pages.some(({ page }) => page.url.startsWith('/')),
    notes: [
      ...notes.map((note) => ({ note, pages: null })),
      ...[...counts].map(([note, count]) => ({ note, pages: count })),
    ],
  };
}

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

const SCHEMA = 'node_modules/proofsheet/pages.schema.json';

const LIST = `defaults:
  fullSize: true
pages:
  - /
`;

const SPEC = `import { definePages } from 'proofsheet';

definePages('pages.yaml');
`;

/** Without testMatch, Playwright also loads the tests of Vitest and Jest, which fail there. */
function renderConfig(spec: string): string {
  return `import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: '${spec}',
  reporter: [['proofsheet/reporter'], ['list']],
});
`;
}

const ATTRIBUTES = `**/*-snapshots/** filter=lfs diff=lfs merge=lfs -text
`;

const ATTRIBUTES_FILE: Wanted = {
  path: '.gitattributes',
  text: ATTRIBUTES,
  core: ATTRIBUTES.trim(),
  advice: `add this line: ${ATTRIBUTES.trim()}`,
};

const SPEC_ADVICE = "make sure that it calls definePages('pages.yaml')";
const CONFIG_ADVICE = "make sure that its reporter list contains ['proofsheet/reporter']";

/** Limits of a sitemap import: the resulting list should be short enough to review. */
const LIMITS = { sitemaps: 50, pages: 2_000, bytes: 50 * 1024 * 1024, milliseconds: 30_000 };

/**
 * Fetches a sitemap, including nested sitemaps of the same origin, and converts it into a page list.
 *
 * @throws ProofsheetError `sitemap-unreadable`, `command-invalid`
 */
export async function fetchSitemap(address: string): Promise<ImportedList> {
  const first = checkUrl(address);
  const { origin } = new URL(first);
  const queue = [first];
  const seen = new Set<string>();
  const pages = new Set<string>();
  for (let url = queue.shift(); url !== undefined && seen.size < LIMITS.sitemaps; url = queue.shift()) {
    if (seen.has(url) || new URL(url).origin !== origin) continue;
    seen.add(url);
    const { kind, urls } = readSitemap(await fetchText(url));
    if (kind === 'sitemaps') queue.push(...urls);
    else for (const page of urls) pages.add(page);
  }
  const list = importSitemap(first, [...pages].slice(0, LIMITS.pages));
  if (list.pages.length === 0) throw unreadable(first, 'the sitemap has no pages of its own site');
  const left = pages.size - LIMITS.pages;
  return left > 0
    ? {
        ...list,
        notes: [
          ...list.notes,
          `${renderCountOf(left, 'page')} skipped, because the limit is ${renderCount(LIMITS.pages)} pages`,
        ],
      }
    : list;
}

async function fetchText(url: string): Promise<string> {
  let bytes: Buffer;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LIMITS.milliseconds) });
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    bytes = Buffer.from(await response.arrayBuffer());
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    if (isPacked) bytes = gunzipSync(bytes, { maxOutputLength: LIMITS.bytes });
  } catch (cause) {
    const reason = cause instanceof Error && cause.cause ? messageOf(cause.cause) : messageOf(cause);
    throw unreadable(url, `the sitemap cannot be read (${reason})`);
  }
  if (bytes.length <= LIMITS.bytes) return bytes.toString('utf8');
  throw unreadable(url, `the sitemap is larger than ${LIMITS.bytes / 1024 / 1024} MB`);
}

function unreadable(where: string, found: string): ProofsheetError {
  const advice = 'Use the URL of a sitemap, such as https://www.example.com/sitemap.xml.';
  return new ProofsheetError({ code: 'sitemap-unreadable', where, found, advice });
}
