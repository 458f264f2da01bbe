import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { commandsOf, type Snippet, snippetsOf } from '../docs-snippets.js';
import { type Ended, expect, html, type Project, test } from './project.js';

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
  site.write({ 'index.html': html('<h1>Welcome</h1>'), 'pricing/index.html': pricing('49') });
  for (const step of TUTORIAL) {
    if (typeof step === 'string') site.write({ 'pricing/index.html': pricing('54') });
    else if (typeof step[1] === 'number') {
      const [command, code] = step;
      expect(await runIn(project, command, env), command).toExit(code);
      if (command === 'npx proofsheet init') writeFiles(project, tutorial);
    }
  }
  expect(project.statuses()).toEqual(['index: passed', 'pricing: passed']);
});

function pricing(price: string): string {
  return html(`<h1>Plans</h1><p>One station: ${price} a month</p>`);
}

function writeFiles(project: Project, shown: readonly Snippet[]): void {
  const files = shown.flatMap(({ file, text }) => (file === null ? [] : [[file, text] as const]));
  expect(files.map(([name]) => name)).toEqual(['pages.yaml', 'visual.spec.ts', 'playwright.config.ts']);
  project.write(Object.fromEntries(files));
}

async function runIn(project: Project, command: string, env: Record<string, string>): Promise<Ended> {
  const [, program = '', ...args] = command.split(' ');
  if (program === 'playwright') return project.playwright(args, env);
  return args[0] === 'report' ? readReport(project) : project.proofsheet(args, env);
}

/** Runs `proofsheet report`, also as JSON, until it has printed its URL, and ends it as Ctrl+C and a CI runner do. */
async function readReport(project: Project): Promise<Ended> {
  const cli = project.path('node_modules/proofsheet/dist/cli.js');
  const said: string[] = [];
  for (const [signal, ...args] of [['SIGINT'], ['SIGTERM', '--json', '--port=0', '--host=localhost']] as const) {
    const child = spawn(process.execPath, [cli, 'report', '--no-open', ...args], {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    for await (const chunk of child.stdout) {
      output += chunk;
      if (output.endsWith('\n')) break;
    }
    const [url = ''] = /http:\/\/[^\s"]+/.exec(output) ?? [];
    expect((await fetch(url)).status).toBe(200);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([0, null]);
    await expect(fetch(url)).rejects.toThrow();
    said.push(output);
  }
  const [text = '', json = ''] = said;
  expect(text).toMatch(
    /^proofsheet: 1 change on 1 of 2 pages; the report is at http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/\nPress Ctrl\+C to stop\.\n$/,
  );
  expect(JSON.parse(json)).toMatchObject({ status: 'success', root: realpathSync(project.folder) });
  return { code: 0, output: text, stdout: text };
}
