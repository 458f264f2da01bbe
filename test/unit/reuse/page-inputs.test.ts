import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { SeenLoad } from '../../../src/model/capture.js';
import { answerFor, createFolderServers, type FolderServer } from '../../../src/reuse/folder-servers.js';
import { readPageInputs } from '../../../src/reuse/page-inputs.js';
import { makeTempFolder } from '../temp-folder.js';

let folder: string;
let server: FolderServer;
const servers = createFolderServers();

beforeEach(async () => {
  folder = makeTempFolder();
  writeFileSync(join(folder, 'index.html'), '<script src="a.js"></script>');
  writeFileSync(join(folder, 'a.js'), 'show(new Date(), crypto.getRandomValues(a))');
  server = await servers.open({ folder, base: '/', fallback: null });
});

afterAll(() => servers.close());

const at = (path: string) => new URL(path, server.url).href;

function loadOf(urls: readonly string[], changes: Partial<SeenLoad> = {}): SeenLoad {
  return { requests: urls.map((url) => ({ method: 'GET', url })), channels: [], ...changes };
}

/** Returns the paths of the inputs of a page, or why they are unknown. */
function readPaths(...loads: SeenLoad[]): string[] | string {
  const page = readPageInputs(loads, server);
  return page.kind === 'unknown' ? page.reason : page.inputs.map(({ path }) => path);
}

describe('the inputs of a page', () => {
  test('are the paths that the server was asked for, and those that only the browser knows', async () => {
    await fetch(at('b.css?version=2'));
    expect(readPaths(loadOf([at('/'), at('a.js#part')]))).toEqual(['/', '/a.js', '/b.css']);
    expect(readPaths(loadOf([at('/')]))).toEqual(['/']);
  });

  test('have the digest of what the server sent', async () => {
    const sent = answerFor(server, '/a.js').digest;
    await fetch(at('a.js'));
    writeFileSync(join(folder, 'a.js'), 'changed after the capture');
    const inputs = [{ path: '/a.js', digest: sent }];
    expect(readPageInputs([loadOf([at('a.js')])], server)).toEqual({ kind: 'known', inputs });
  });

  test('do not include data that the page made itself', () => {
    expect(readPaths(loadOf([at('/'), 'data:image/png;base64,AA', `blob:${server.url}1`, 'about:blank']))).toEqual([
      '/',
    ]);
  });
});

describe('a page is not reusable', () => {
  test('with a request to another origin or a file, POST, or a WebSocket', () => {
    const { url } = server;
    for (const other of ['https://cdn.test/a.js', 'file:///etc/hosts'])
      expect(readPaths(loadOf([other]))).toBe(`it requests ${other}, which the run does not serve`);
    expect(readPaths({ channels: [], requests: [{ method: 'POST', url }] })).toBe('it sends a POST request to /');
    expect(readPaths(loadOf([url], { channels: ['a WebSocket'] }))).toBe('it uses a WebSocket');
  });

  test('without a record of its loads, or if only one of them made a request', () => {
    expect(readPaths()).toMatch(/no load/);
    expect(readPaths(loadOf([at('/')]), loadOf([at('/'), at('a.js')]))).toMatch(/not each loads \/a\.js/);
  });

  test('if a file changed while the page was captured', async () => {
    await fetch(at('a.js'));
    writeFileSync(join(folder, 'a.js'), 'other');
    await fetch(at('a.js'));
    expect(readPaths(loadOf([at('a.js')]))).toBe('/a.js changed while the page was captured');
  });
});
