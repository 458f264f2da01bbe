import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fill, png, sheet } from '../image/paint.js';
import { finishRun } from '../review/finished-run.js';
import { runCommand } from './run-command.js';

const WHOLE = 'Pass the path of an image file, or an http:// or https:// URL.';
const HELP = 'Run: proofsheet compare --help';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofsheet-usage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

describe('proofsheet compare', () => {
  const troubles: [string, string][] = [
    ['compare a.png empty.png', `proofsheet: empty.png: the file is empty (0 bytes). ${WHOLE}`],
    ['compare cut.png a.png', `proofsheet: cut.png: the file is truncated: its png data is incomplete. ${WHOLE}`],
    ['compare a.png lfs.png', 'proofsheet: lfs.png: the file is a Git LFS pointer, not an image. Run: git lfs pull'],
    ['compare a.png text.png', 'proofsheet: text.png: the file is not an image; expected PNG, JPEG, WebP or PDF. Pass'],
    ['compare nope.png a.png', `proofsheet: nope.png: the file does not exist. ${WHOLE}`],
    ['compare file a.png', 'proofsheet: file: the file cannot be read (EISDIR'],
    ['compare a.png localhost:3000/x', 'the file does not exist. For a page, use http://localhost:3000/x or https://'],
    [
      'compare a.png http://',
      'proofsheet: http://: this is not an http:// or https:// URL. Use a URL such as https://www.example.com/page.',
    ],
    ['compare a.png b.png -o file/inside.txt', 'proofsheet: file/inside.txt: the images cannot be written (EEXIST'],
    [
      'compare a.png b.png -o diff.png',
      'proofsheet: --output diff.png: this is the name of an image file; expected a folder',
    ],
    [
      'compare a.png package.json',
      `proofsheet: package.json: the file is not an image; expected PNG, JPEG, WebP or PDF. ${WHOLE}`,
    ],
    ['compare a.png', `proofsheet compare: missing required argument 'after'. ${HELP}`],
    [
      'compare a.png b.png c.png',
      "proofsheet compare: too many arguments for 'compare'. Expected 2 arguments but got 3",
    ],
    ['compare a.png b.png --treshold 1', "proofsheet compare: unknown option '--treshold'. Did you mean --threshold?"],
    ['comapre a.png b.png', "proofsheet: unknown command 'comapre'. Did you mean compare?"],
    ['', 'proofsheet: the command is missing. Run: proofsheet --help'],
    [
      'compare a.png b.png --max-diff-pixel-ratio 5%',
      'proofsheet compare: --max-diff-pixel-ratio must be a number from 0 to 1, not "5%". Allowed share of mismatched pixels, 0 to 1, such as 0.05 for 5 %.',
    ],
    ['compare a.png b.png --threshold 10', '--max-diff-pixel-ratio limits how many pixels differ.'],
    ['compare a.png b.png --max-diff-pixels 0.1', '--max-diff-pixel-ratio is their share.'],
    ['compare a.png b.png --ignore 1,2,0,4', '--ignore is "1,2,0,4"; expected x,y,width,height in image pixels.'],
    ['compare a.png b.png --engine sharp', "argument 'sharp' is invalid. Allowed choices are odiff, pixelmatch."],
  ];

  test.each(troubles)('%s is refused in three parts, with exit code 2, and in JSON', async (words, text) => {
    const white = png(sheet(100, 80));
    const after = fill(sheet(100, 80), { x: 30, y: 10, width: 10, height: 2 }, '#ff0000');
    write({
      ...{ 'a.png': white.bytes, 'b.png': png(after).bytes, 'package.json': '{}', 'file/inside.txt': '' },
      ...{ 'empty.png': '', 'cut.png': white.bytes.subarray(0, 60), 'text.png': 'no image' },
      'lfs.png': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n',
    });
    const args = words.split(' ').filter(Boolean);
    const { code, output, stdout } = await runCommand(folder, args);
    expect(code).toBe(2);
    expect(output).toContain(text);
    expect(stdout, 'nothing but an answer goes there').toBe('');
    const answered = await runCommand(folder, [...args, '--json']);
    expect(answered.code).toBe(2);
    expect(JSON.parse(answered.stdout)).toMatchObject({ status: 'error', error: true, message: expect.any(String) });
  });
});

test.each<[string[], string]>([
  [
    ['capture', 'http://localhost', '-o', 'x.png', '--width', '5'],
    '--width must be a whole number from 100 to 8000, not 5.',
  ],
  [
    ['capture', 'http://localhost', '-o', 'x.png', '--delay', 'long'],
    '--delay must be a number from 0 to 10, not "long"',
  ],
  [
    ['capture', 'localhost:3000', '-o', 'x.png'],
    'localhost:3000: this is not an http:// or https:// URL. Use a URL such as https://www.example',
  ],
  [['capture', 'file:///etc/passwd', '-o', 'x.png'], 'this is not an http:// or https:// URL'],
  [['capture', 'http://localhost'], "required option '-o, --output <file>' not specified"],
  [['capture', 'http://localhost', '-o', 'x.png', '--format', 'gif'], "argument 'gif' is invalid. Allowed choices are"],
  [
    ['capture', 'http://localhost', '-o', 'x.gif'],
    '--output x.gif: ".gif" is not a supported extension. Use one of these: .png, .jpeg, .jpg, .webp, .pdf.',
  ],
])('%j names the flag that is wrong', async (args, message) => {
  const { code, output } = await runCommand(folder, args);
  expect(code).toBe(2);
  expect(output).toContain(message);
});

test.each<[string[], string]>([
  [
    ['--allow-private', '--host', '0.0.0.0'],
    '--host 0.0.0.0: without keys, everyone who can reach this machine could use the service',
  ],
  [['--allow-private', '--keys', 'keys.txt'], 'keys.txt:1: the line is not a SHA-256 hash in hexadecimal'],
  [['--allow-private', '--keys', 'none.txt'], 'none.txt: the file contains no key'],
  [['--allow-private', '--port', '70000'], 'Expected a whole number, 0..65535.'],
  [['--allow-private', '--concurrency', '1.5'], 'Expected a whole number, 1..256.'],
  [['--allow-private', '--concurrency', '257'], 'Expected a whole number, 1..256.'],
  [['--allow-private', '--key-header', 'a b'], 'Use a valid HTTP header name.'],
  [['--allow', 'staging.example.com'], 'Expected a host and a port, such as staging.example.com:443.'],
  [['--storage', 's3://a b'], 's3://a b: the bucket name is missing. Use s3://bucket'],
  [['--allow-private', '--base-url', 'shots.example.com'], 'Use a URL that starts with http:// or https://.'],
])('proofsheet serve %j is offered to nobody by mistake', async (flags, message) => {
  write({ 'keys.txt': 'hunter2\n', 'none.txt': '# none\n' });
  const { code, output } = await runCommand(folder, ['serve', ...flags]);
  expect(code).toBe(2);
  expect(output).toContain(message);
  expect(output).not.toContain('hunter2');
});

test('proofsheet report without a run, or with a port that is none, says what to do', async () => {
  const lost = await runCommand(folder, ['report']);
  expect(lost.code).toBe(2);
  expect(lost.output).toMatch(/no report of a finished run was found\. Run: npx playwright test/);
  const port = await runCommand(folder, ['report', '--port', 'x']);
  expect(port.code).toBe(2);
  expect(port.output).toContain("option '--port <number>' argument 'x' is invalid. Expected a whole number, 0..65535.");
});

describe('proofsheet approve', () => {
  const troubles: [string[], string][] = [
    [['approve'], 'no shot is selected; 1 can be approved: home. Pass shot IDs, or use --all, --new or --group.'],
    [['approve', 'hme'], 'hme: the run has no shot or page with this name. Did you mean "home"?'],
    [['approve', 'home', '--project', 'x'], 'x: the run has no project with this name.'],
    [['approve', '--al'], "unknown option '--al'. Did you mean --all?"],
    [['aprove'], "unknown command 'aprove'. Did you mean approve?"],
    [['approve', '--all', '--config', 'nope.ts'], 'nope.ts: the config does not exist.'],
  ];

  test.each(troubles)('%j is a slip of the pen that is named', async (args, message) => {
    const project = { project: '' };
    const { root } = await finishRun([
      { id: 'home', status: 'changed', before: '#ff0000', after: '#0000ff', changes: project },
    ]);
    const { code, output } = await runCommand(root, args);
    expect(code).toBe(2);
    expect(output).toContain(message);
  });
});

describe('proofsheet github-comment', () => {
  const COMMENT = ['github-comment', '--repo', 'octo/site', '--pr', '12'];
  const nobody = { GITHUB_TOKEN: 'sesame', GITHUB_API_URL: 'http://127.0.0.1:9' };

  test.each<[Record<string, string>, RegExp]>([
    [{ GITHUB_TOKEN: '' }, /GITHUB_TOKEN is not set. Add it to the environment of this step./],
    [nobody, /GitHub did not respond to GET \S+: .+/],
    [{ ...nobody, GITHUB_API_URL: 'nonsense' }, /GitHub did not respond/],
  ])('with %j is one line and code 2', async (env, why) => {
    const { root } = await finishRun([{ id: 'home', status: 'passed' }]);
    const { code, output } = await runCommand(root, COMMENT, env);
    expect(code).toBe(2);
    expect(output).toMatch(why);
    expect(output.trim().split('\n')).toHaveLength(1);
  });

  test('without a token answers in JSON', async () => {
    const { root } = await finishRun([{ id: 'home', status: 'passed' }]);
    const { code, stdout } = await runCommand(root, [...COMMENT, '--json'], { GITHUB_TOKEN: '' });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'refused', error: true, comment: 'refused' });
  });

  test('without a run is code 2', async () => {
    const { code, output } = await runCommand(folder, [...COMMENT, '--from', 'nowhere'], nobody);
    expect(code).toBe(2);
    expect(output).toContain('no report of a finished run was found');
  });

  test.each([
    ['--pr', '0'],
    ['--repo', 'a/b/../c'],
    ['--nam', 'x'],
    ['--name', '-->'],
  ])('with the flag %s %s is code 2', async (...flags) => {
    const { code, output } = await runCommand(folder, [...COMMENT, ...flags], nobody);
    expect(code).toBe(2);
    expect(output).toMatch(/^proofsheet github-comment: .+\n$/);
  });
});

test('proofsheet init --sitemap says what is wrong with a sitemap', async () => {
  const server = createServer(({ url }, response) => {
    if (url === '/none.xml') response.end('<urlset><url><loc>https://other.test/</loc></url></urlset>');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const troubles: [string, string][] = [
    [`${origin}/gone.xml`, 'the sitemap cannot be read (HTTP status 404). Use the URL of a sitemap'],
    [`${origin}/none.xml`, 'the sitemap has no pages of its own site'],
    ['http://127.0.0.1:1/sitemap.xml', 'the sitemap cannot be read ('],
    ['sitemap.xml', 'this is not an http:// or https:// URL'],
  ];
  for (const [address, message] of troubles) {
    const { code, output } = await runCommand(folder, ['init', '--sitemap', address]);
    expect(code, address).toBe(2);
    expect(output).toContain(message);
  }
  server.close();
  const both = await runCommand(folder, ['init', '--sitemap', 'x', '--from', 'y']);
  expect(both.code).toBe(2);
  expect(both.output).toContain("cannot be used with option '--from <file>'");
});
