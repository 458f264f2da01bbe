import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { parseUrl, print, renderCountOf, renderJson } from '../model/index.js';
import { DEFAULT_MAX_PIXELS, hashKey, readKeyHashes, serve } from '../service/index.js';
import {
  addLanguageModel,
  interrupted,
  type LanguageModelFlags,
  readAllowed,
  readBetween,
  readCount,
  readLanguageModel,
  readPort,
} from './flags.js';

const EXAMPLES = `
Examples:
  proofsheet serve --allow-private
  PROOFSHEET_KEYS=one,two proofsheet serve --host 0.0.0.0 --port 80 --base-url https://shots.example.com
  proofsheet serve --host 0.0.0.0 --keys keys.txt --storage /var/lib/proofsheet --retention 72

Without keys, the service is available only on this machine. Open its URL in a browser to see all requests and fields.
Press Ctrl+C to stop the service: it finishes running requests and refuses new ones.
Exit code: 0 stopped, 2 an error occurred.`;

/** Adds `proofsheet serve`. */
export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .description('start the capture service: captures, comparisons and analyses over HTTP')
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0: any free port', readPort, 8787)
    .option('--key-header <name>', 'request header that contains the key', readHeader, 'x-serviceapi-key')
    .option(
      '--keys <file>',
      'file with the SHA-256 of one key per line; PROOFSHEET_KEYS contains further keys in plain text',
    )
    .option('--storage <place>', 'storage of the captures: a folder, or s3://bucket/prefix', 'proofsheet-captures')
    .option('--retention <hours>', 'how long captures are stored', readBetween(0.01, 87_600), 24)
    .option(
      '--concurrency <count>',
      'maximum number of concurrent requests (default: number of CPU cores)',
      CONCURRENCY,
    )
    .option('--queue <count>', 'maximum number of requests in the queue', readCount(0, 10_000), 64)
    .option('--timeout <seconds>', 'time limit of a request, without its time in the queue', readBetween(1, 600), 60)
    .option(
      '--max-pixels <count>',
      'maximum number of pixels of both images of a comparison',
      readCount(1, 640_000_000),
      DEFAULT_MAX_PIXELS,
    )
    .option(
      '--rate <count>',
      'maximum number of requests per key and minute (default: unlimited)',
      readCount(1, 1_000_000),
    )
    .option('--base-url <url>', 'base URL of links in responses (default: the requested host)', readBase)
    .option('--allow-private', 'also capture pages on private addresses')
    .option('--allow <host:port>', 'also capture pages of this private host; can be repeated', readAllowed)
    .option('--json', 'print one JSON line with the URL and the number of keys when the service is ready');
  addLanguageModel(command).addHelpText('after', EXAMPLES).action(run);
}

const CONCURRENCY = readCount(1, 256);

interface ServeFlags extends LanguageModelFlags {
  readonly host: string;
  readonly port: number;
  readonly keyHeader: string;
  readonly keys?: string;
  readonly storage: string;
  readonly retention: number;
  readonly concurrency?: number;
  readonly queue: number;
  readonly timeout: number;
  readonly maxPixels: number;
  readonly rate?: number;
  readonly baseUrl?: string;
  readonly allowPrivate?: true;
  readonly allow?: readonly string[];
  readonly json?: true;
}

async function run(flags: ServeFlags): Promise<void> {
  const { keys, queue, concurrency, rate, baseUrl, allowPrivate, allow, cache, json, ...settings } = flags;
  const keyHashes = [...takeKeys().map(hashKey), ...(keys === undefined ? [] : readKeyHashes(keys))];
  // Listen for signals before the output says that the service is ready.
  const ended = interrupted();
  const server = await serve({
    ...settings,
    ...{ keyHashes, queueLength: queue, browserFlags: [], cacheSeconds: cache },
    languageModel: readLanguageModel(flags),
    concurrency: concurrency ?? availableParallelism(),
    rate: rate ?? null,
    baseUrl: baseUrl ?? null,
    allowPrivate: allowPrivate ?? false,
    allowed: allow ?? [],
  });
  const who = keyHashes.length === 0 ? 'no keys: local requests only' : renderCountOf(keyHashes.length, 'key');
  const ready = { url: server.url, keys: keyHashes.length };
  print(json ? `${renderJson(ready)}\n` : `proofsheet: capture service listening on ${server.url} (${who})\n`);
  await ended;
  await server.close();
}

/** Reads the keys and deletes the variable, so that child processes do not inherit it. */
function takeKeys(): string[] {
  const { PROOFSHEET_KEYS: keys = '' } = process.env;
  delete process.env.PROOFSHEET_KEYS;
  return keys
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

function readHeader(value: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError('Use a valid HTTP header name.');
}

function readBase(value: string): string {
  if (parseUrl(value) !== null && /^https?:$/.test(new URL(value).protocol)) return value.replace(/\/+$/, '');
  throw new InvalidArgumentError('Use a URL that starts with http:// or https://.');
}
