import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { serveBy } from '../../../fixtures/serve.mjs';
import { fill, png, sheet } from '../image/paint.js';
import { makeTempFolder, writeFiles } from '../temp-folder.js';
import { runCommand } from './run-command.js';

// Commands that start Playwright or a browser are in test/e2e.

const COMMANDS =
  'init approve reject undo decide report publish prune compare capture affected upgrade doctor serve mcp github-comment'.split(
    ' ',
  );

let folder = '';
beforeEach(() => {
  folder = makeTempFolder();
});

/** Runs a command that cannot do what it is asked. The words are separated by spaces. */
async function fail(words: string, env: Record<string, string> = {}, cwd = folder) {
  const ended = await runCommand(cwd, words.split(' ').filter(Boolean), env);
  expect(ended.code).toBe(2);
  return ended;
}

test('the commands are listed in their order, and --version is that of the package', async () => {
  const { code, stdout } = await runCommand(folder, ['--help']);
  expect(code).toBe(0);
  const [, list = ''] = /Commands:\n([\s\S]*)/.exec(stdout) ?? [];
  expect([...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name)).toEqual([...COMMANDS, 'help']);
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect((await runCommand(folder, ['--version'])).stdout).toBe(`${version}\n`);
});

test.each(COMMANDS)('%s explains itself: examples, JSON, exit codes; and it is in the README', async (name) => {
  const { code, stdout } = await runCommand(folder, [name, '--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: proofsheet ${name} [^]*^Examples:\\n {2}.*proofsheet ${name}`, 'm'));
  expect(stdout).toMatch(/^.*Exit code: 0 .+, 2 .+\.$/m);
  // Standard output of `mcp` belongs to a protocol.
  if (name !== 'mcp') expect(stdout).toMatch(/^ {2}--json /m);
  expect(readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')).toContain(`\`proofsheet ${name}`);
});

test.each([
  ['', 'proofsheet: the command is missing or unknown. Run: proofsheet --help'],
  ['comapre a.png b.png', "proofsheet: unknown command 'comapre'. Did you mean compare?"],
  ['prune --jsone', "proofsheet prune: unknown option '--jsone'. Did you mean --json?"],
  ['compare a.png', "proofsheet compare: missing required argument 'after'. Run: proofsheet compare --help"],
  ['capture http://localhost -o x.png --delay long', 'Expected a number, 0..10.'],
  ['capture localhost:3000 -o x.png', 'localhost:3000: this is not an http:// or https:// URL. Use a URL such as'],
  ['report --port x', "'--port <number>' argument 'x' is invalid. Expected a whole number, 0..65535."],
  ['init --from gone.json', 'gone.json: the file does not exist'],
  ['github-comment', 'the repository is missing'],
  ['github-comment --repo a/b/../c', 'expected owner/name'],
  ['github-comment --pr 0', 'Expected the number of a pull request.'],
  ['github-comment --name -->', 'Expected 1 to 50 letters'],
  ['github-comment --report x://y', 'Expected an http:// or https:// URL.'],
  ['upgrade', 'nothing says which browser made the baselines'],
  ['serve --keys gone', 'the key file cannot be read'],
  ['approve --config gone.ts', 'gone.ts: the config does not exist'],
  ['approve', 'no report of a finished run was found. Run: npx playwright test'],
])('%s exits with 2 and says why', async (words, text) => {
  const { output } = await fail(words, { GITHUB_REPOSITORY: '' });
  expect(output).toContain(text);
});

test.each([
  ['prune', { 'proofsheet-report/results.json': '{' }, 'cannot read the run record'],
  ['serve --storage file/folder', { file: '' }, 'file/folder: the folder cannot be written to (E'],
  ['init', { 'pages.yaml/x': '' }, 'EISDIR'],
])('%s with %j exits with 2 and says why', async (words, files, text) => {
  writeFiles(folder, files);
  expect((await fail(words)).output).toContain(text);
});

const WHOLE = 'Pass the path of an image file, or an http:// or https:// URL.';

test.each([
  ['cut.png a.png', `proofsheet: cut.png: the file is truncated: its png data is incomplete. ${WHOLE}`],
  ['a.png lfs.png', 'proofsheet: lfs.png: the file is a Git LFS pointer, not an image. Run: git lfs pull'],
  ['nope.png a.png', `proofsheet: nope.png: the file does not exist. ${WHOLE}`],
  ['file a.png', 'proofsheet: file: the file cannot be read (EISDIR'],
  ['a.png package.json', 'package.json: the file is not an image; expected PNG, JPEG, WebP or PDF.'],
  ['a.png b.png -o out/x.JPEG', '--output out/x.JPEG: this is the name of an image file; expected a folder'],
  ['a.png b.png -o file/inside.txt', 'proofsheet: file/inside.txt: the images cannot be written (EEXIST'],
  ['a.png b.png --ignore 1,2,0,4', "argument '1,2,0,4' is invalid. Expected x,y,width,height in image pixels"],
])('compare %s exits with 2 and says why, also in JSON', async (words, text) => {
  const white = png(sheet(100, 80)).bytes;
  const after = png(fill(sheet(100, 80), { x: 30, y: 10, width: 10, height: 2 }, '#ff0000')).bytes;
  writeFiles(folder, {
    ...{ 'a.png': white, 'b.png': after, 'file/inside.txt': '' },
    ...{ 'cut.png': white.subarray(0, 60), 'package.json': '{}' },
    'lfs.png': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n',
  });
  const { output, stdout } = await fail(`compare ${words}`);
  expect(output).toContain(text);
  expect(stdout, 'nothing but an answer goes there').toBe('');
  const answer = JSON.parse((await fail(`compare ${words} --json`)).stdout);
  expect(answer).toMatchObject({ status: 'error', error: true, message: expect.any(String) });
});

test.each([
  ['--allow-private --keys keys.txt', 'keys.txt:1: the line is not a SHA-256 hash in hexadecimal'],
  ['--allow-private --keys none.txt', 'none.txt: the file contains no key'],
  ['--allow-private --key-header a;b', 'Use a valid HTTP header name.'],
  ['--allow staging.example.com', 'Expected a host and a port, such as staging.example.com:443.'],
  ['--storage s3://', 's3://: the bucket name is missing. Use s3://bucket'],
  ['--allow-private --base-url shots.example.com', 'Use a URL that starts with http:// or https://.'],
])('serve %s is offered to nobody by mistake', async (flags, message) => {
  writeFiles(folder, { 'keys.txt': 'hunter2\n', 'none.txt': '# none\n' });
  const { output } = await fail(`serve ${flags}`);
  expect(output).toContain(message);
  expect(output).not.toContain('hunter2');
});

test('init --sitemap makes a list from a sitemap, or says what is wrong with it', async () => {
  const { url: origin, close } = await serveBy(({ url }, response) => {
    if (url === '/a.xml') response.end(`<urlset><url><loc>${origin}/a?b=1&amp;c=2</loc></url></urlset>`);
    else if (url === '/none.xml') response.end('<urlset><url><loc>https://other.test/</loc></url></urlset>');
    else response.writeHead(404).end();
  });
  for (const [address, message] of [
    [`${origin}/gone.xml`, 'the sitemap cannot be read (HTTP status 404). Use the URL of a sitemap'],
    [`${origin}/none.xml`, 'the sitemap has no pages of its own site'],
    ['http://127.0.0.1:1/sitemap.xml', 'the sitemap cannot be read ('],
    ['sitemap.xml', 'this is not an http:// or https:// URL'],
  ]) {
    expect((await fail(`init --sitemap ${address}`)).output).toContain(message);
  }
  expect(await runCommand(folder, ['init', '--sitemap', `${origin}/a.xml`])).toMatchObject({ code: 0 });
  expect(readFileSync(`${folder}/pages.yaml`, 'utf8')).toContain('pages:\n  - /a?b=1&c=2\n');
  await close();
});
