import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsOf, readDocs, type ShellCommand, type Snippet, snippetsOf } from '../docs-snippets.js';
import { config, type Ended, expect, html, type Project, QUICK_START, type Site, SPEC, test } from './project.js';

const pages = readDocs();
const snippets = pages.flatMap(snippetsOf);

/** What a command of the documentation needs that a test does not have. */
interface NotRun {
  readonly command: RegExp;
  readonly why: string;
  /** The page that has the command; the command may be absent as long as the page is. */
  readonly page?: string;
}

const NOT_RUN: readonly NotRun[] = [
  {
    command: /^proofsheet github-comment/,
    why: 'needs GitHub; test/e2e/github.spec.ts runs it with a server of its own',
  },
  {
    command: /^proofsheet mcp/,
    why: 'needs an optional package; test/e2e/mcp.spec.ts runs it',
    page: 'docs/assistants.md',
  },
  {
    command: /^proofsheet serve .*s3:/,
    why: 'needs a bucket; test/e2e/serve.spec.ts runs it with a local one',
    page: 'docs/service.md',
  },
];

/** The commands after which the next one starts from a new copy of its folder. */
const CHANGING = ['init', 'approve', 'prune'];

/** The commands of the README's tutorial, in their order, with their exit codes. */
const TUTORIAL = [
  ['npm install --save-dev proofsheet @playwright/test', 'the packed tool is installed once for all tests'],
  ['npx playwright install chromium', 'tests use the browser of the machine'],
  ['npx proofsheet init', 0],
  ['npx playwright test --update-snapshots', 0],
  ['npx playwright test', 0],
  'the price changes',
  ['npx playwright test', 1],
  ['npx proofsheet report', 0],
  ['npx proofsheet approve pricing', 0],
  ['npx playwright test', 0],
] as const;

test('the tutorial of the README works as it is written', { tag: '@quick' }, async ({ project, site }) => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const start = readme.slice(readme.indexOf('## Start'), readme.indexOf('## In CI'));
  const tutorial = snippetsOf({ path: 'README.md', text: start });
  const commands = commandsOf(tutorial).map(({ words }) => words.join(' '));
  expect(commands).toEqual(TUTORIAL.flatMap((step) => (typeof step === 'string' ? [] : [step[0]])));

  const env = { SITE: site.url };
  fillSite(site);
  for (const step of TUTORIAL) {
    if (typeof step === 'string') site.write({ 'pricing/index.html': pricing('54') });
    else if (typeof step[1] === 'number') {
      const [command, code] = step;
      expect(await runIn(project, command.split(' '), env), command).toExit(code);
      if (command === 'npx proofsheet init') writeFiles(project, tutorial);
    }
  }
  expect(project.statuses()).toEqual(['index: passed', 'pricing: passed']);
});

test('every other command of the documentation runs, unless it is listed with a reason', { tag: '@soak' }, async ({
  project,
  site,
}) => {
  test.slow();
  fillSite(site);
  const all = commandsOf(snippets).flatMap((command) => {
    const words = command.words[0] === 'npx' ? command.words.slice(1) : command.words;
    return words[0] === 'proofsheet' ? [{ ...command, words }] : [];
  });
  const unique = [...new Map(all.map((command) => [lineOf(command), command])).values()];
  expect(unique.length).toBeGreaterThan(10);

  const unused = NOT_RUN.filter(({ command, page }) => {
    const isExpected = page === undefined || pages.some(({ path }) => path === page);
    return isExpected && !unique.some((one) => command.test(lineOf(one)));
  });
  expect(unused, 'no page has these commands any more').toEqual([]);

  const empty = mkdtempSync(join(tmpdir(), 'proofsheet-docs-empty-'));
  const finished = mkdtempSync(join(tmpdir(), 'proofsheet-docs-run-'));
  await prepare(project, site, { empty, finished });
  const failed: string[] = [];
  let state: string | null = null;
  for (const one of unique) {
    if (NOT_RUN.some(({ command }) => command.test(lineOf(one)))) continue;
    const from = one.words[1] === 'init' ? empty : finished;
    if (from !== state) restore(project, from);
    state = CHANGING.includes(one.words[1] ?? '') ? null : from;
    const words = one.words.map((word) => localWord(word, project, site));
    const { code, output } = await runIn(project, words, one.env);
    const expected = one.words[1] === 'compare' ? [0, 1] : [0];
    if (!expected.includes(code)) failed.push(`${one.where}: ${lineOf(one)}: exit code ${code}\n${output}`);
  }
  expect(failed).toEqual([]);
  for (const folder of [empty, finished]) rmSync(folder, { recursive: true, force: true });
});

function lineOf({ words }: ShellCommand): string {
  return words.join(' ');
}

function pricing(price: string): string {
  return html(`<h1>Plans</h1><p>One station: ${price} a month</p>`);
}

/** Writes the pages that the examples name. */
function fillSite(site: Site): void {
  const sitemap = ['/', '/pricing'].map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('');
  site.write({
    'index.html': html('<h1>Welcome</h1>'),
    'pricing/index.html': pricing('49'),
    // The same page twice: the same change on both is a group.
    'docs/intro/index.html': pricing('49'),
    'sitemap.xml': `<urlset>${sitemap}</urlset>`,
  });
}

function writeFiles(project: Project, shown: readonly Snippet[]): void {
  const files = shown.flatMap(({ file, text }) => (file === null ? [] : [[file, text] as const]));
  expect(files.map(([name]) => name)).toEqual(['pages.yaml', 'visual.spec.ts', 'playwright.config.ts']);
  project.write(Object.fromEntries(files));
}

/** Makes two folders that commands start from: one without a page list, and one with a finished run of which shots changed. */
async function prepare(project: Project, site: Site, folders: { empty: string; finished: string }): Promise<void> {
  const scenario = { label: 'Start', url: `${site.url}/` };
  const story = { id: 'card--plain', title: 'Card', name: 'Plain', type: 'story' };
  project.write({
    'storybook-static/index.json': JSON.stringify({ v: 5, entries: { [story.id]: story } }),
    'storybook-static/iframe.html': html('<h1>Story</h1>'),
    'backstop.json': JSON.stringify({ viewports: [], scenarios: [scenario] }),
    'lostpixel.config.ts': `export const config = { pageShots: { baseUrl: '${site.url}', pages: [{ path: '/', name: 'start' }] } };\n`,
  });
  cpSync(project.folder, folders.empty, { recursive: true, verbatimSymlinks: true });

  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages: [/, /pricing, /docs/intro]\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
    'e2e/playwright.config.ts': config("testDir: '..',"),
  });
  expect(await project.test(['--update-snapshots'])).toExit(0);
  site.write({ 'pricing/index.html': pricing('54'), 'docs/intro/index.html': pricing('54') });
  expect(await project.test()).toExit(1);
  expect(project.statuses()).toEqual(['docs/intro: changed', 'index: passed', 'pricing: changed']);
  const [baseline = ''] = project.files('visual.spec.ts-snapshots').filter((name) => name.startsWith('pricing'));
  const image = readFileSync(project.path(`visual.spec.ts-snapshots/${baseline}`));
  project.write({ 'before.png': image, 'after.png': image, 'shots/home.png': image });
  cpSync(project.path('proofsheet-report'), project.path('Downloads/proofsheet-report'), { recursive: true });
  cpSync(project.folder, folders.finished, { recursive: true, verbatimSymlinks: true });
}

/** Puts the files of a prepared folder in place of those of the project. */
function restore(project: Project, from: string): void {
  rmSync(project.folder, { recursive: true, force: true });
  cpSync(from, project.folder, { recursive: true, verbatimSymlinks: true });
}

/** Replaces the hosts, the listening address and the home folder of an example by local ones. */
function localWord(word: string, project: Project, site: Site): string {
  return word
    .replace(/https:\/\/(www|staging)\.example\.com|http:\/\/localhost:3000/, site.url)
    .replace(/^0\.0\.0\.0$/, '127.0.0.1')
    .replace(/^~\//, `${project.folder}/`);
}

/** Runs a command of the documentation in a project. Ends servers when they are ready. */
async function runIn(
  project: Project,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const [program = '', command = '', ...args] = words[0] === 'npx' ? words.slice(1) : words;
  if (program === 'playwright') return project.playwright([command, ...args], env);
  if (command === 'serve') return serveAndEnd(project, [command, ...args, '--port', '0', '--allow-private'], env);
  if (command === 'report') return serveAndEnd(project, [command, ...args, '--no-open'], env);
  return project.proofsheet([command, ...args], env);
}

async function serveAndEnd(
  { folder, path }: Project,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const cli = path('node_modules/proofsheet/dist/cli.js');
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: { ...process.env, ...QUICK_START, ...env },
  });
  let [output, stdout] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
    stdout += chunk;
    if (/http:\/\/[^\n]+\n/.test(stdout)) child.kill('SIGINT');
  });
  const [code] = await once(child, 'close');
  return { code: code ?? -1, output, stdout };
}
