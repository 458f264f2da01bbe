import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from '@playwright/test';
import { readRun } from '../../src/baselines/read-run.js';
import type { ProjectFolders } from '../../src/run/project.js';
import { finishRun } from '../unit/review/finished-run.js';
import { makeTempFolder } from '../unit/temp-folder.js';
import { test } from './direct.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};

let places: ProjectFolders;
let temp: string;

test.beforeEach(async () => {
  places = await finishRun([{ id: 'home', status: 'changed', before: '#ff0000', after: '#0000ff' }]);
  temp = makeTempFolder();
});

const argsOf = (...more: string[]) => [CLI, 'mcp', '--from', places.folder, '--baselines', places.root, ...more];

function listen(stream: Readable | null) {
  let said = '';
  stream?.on('data', (chunk) => {
    said += chunk;
  });
  return {
    said: () => said,
    async until(isEnough: (said: string) => boolean): Promise<void> {
      while (!isEnough(said)) await new Promise((resolve) => stream?.once('data', resolve));
    },
  };
}

/** A server that is spoken to by hand. */
function speak(options: string): ChildProcess {
  const env = { ...process.env, TMPDIR: temp, NODE_OPTIONS: options };
  return spawn(process.execPath, argsOf('--allow-private'), { cwd: places.root, env });
}

test('an assistant reads a failed test, approves it and captures its page, over stdio', async ({ serve }) => {
  const site = await serve(() => '<!doctype html><title>Hi</title><h1>Hi</h1>');
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: argsOf('--allow-approve', '--allow-private'), cwd: places.root },
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TMPDIR: temp },
  });
  const client = new Client({ name: 'test', version: '0' });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  const call = async (name: string, values: Record<string, unknown>) =>
    CallToolResultSchema.parse(await client.callTool({ name, arguments: values }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...['screenshot', 'compare', 'analyze'],
    ...['run_summary', 'shot_details', 'approve'],
  ]);
  const summary = await call('run_summary', {});
  const details = await call('shot_details', { id: 'home' });
  expect(details.content.filter(({ type }) => type === 'image')).toHaveLength(1);
  const approved = await call('approve', { run: summary.structuredContent?.run, ids: ['home'] });
  expect(approved.structuredContent).toMatchObject({ written: [{ id: 'home' }], refused: [] });
  expect((await readRun(places.folder)).shots[0]?.decision).toBe('approved');
  const shot = await call('screenshot', { url: site.url, width: 300, height: 200 });
  expect(shot.content.filter(({ type }) => type === 'image')).toHaveLength(1);
  const link = String(shot.structuredContent?.link);
  expect(existsSync(fileURLToPath(link)), link).toBe(true);
  await client.close();
  expect(errors).toEqual([]);
});

test('the MCP server writes only protocol messages to standard output, ends with standard input, and leaves no files', async () => {
  const server = speak(`--import "data:text/javascript,process.on('SIGUSR2', () => console.log('stray'))"`);
  const [told, remarked] = [listen(server.stdout), listen(server.stderr)];
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.stdin?.write(`not a message\n${JSON.stringify(HELLO)}\n`);
  await told.until((said) => said.includes('\n'));
  server.kill('SIGUSR2');
  await remarked.until((said) => said.includes('stray'));
  server.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
  await told.until((said) => said.split('\n').length > 2);
  server.stdin?.end();
  const code = await ended;
  const messages = told
    .said()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(messages.map(({ id }) => id)).toEqual([1, 2]);
  expect(messages[1].result.tools.map(({ name }: { name: string }) => name)).not.toContain('approve');
  expect(code).toBe(0);
  expect(readdirSync(temp)).toEqual([]);
});

test('without the MCP package, an error names the package to install', async () => {
  const hook = `export function resolve(name, context, next) { if (name.startsWith('@modelcontextprotocol/')) throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' }); return next(name, context); }`;
  const register = `import { register } from 'node:module'; register('data:text/javascript,${encodeURIComponent(hook).replaceAll("'", '%27')}');`;
  const server = speak(`--import "data:text/javascript,${encodeURIComponent(register).replaceAll("'", '%27')}"`);
  const remarked = server.stderr && text(server.stderr);
  expect(await new Promise((resolve) => server.once('exit', resolve))).toBe(2);
  expect(await remarked).toContain('npm install --save-dev @modelcontextprotocol/sdk');
});
