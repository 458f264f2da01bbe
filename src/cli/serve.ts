import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { DEFAULT_MAX_PIXELS, type Serve } from '../model/service/settings.js';
import { parseUrl } from '../model/url.js';
import { renderCountOf } from '../model/words.js';
import { hashKey, readKeyHashes } from '../service/http/authenticate.js';
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

Without keys it listens on this machine only. It tells of itself at its address. Ctrl+C ends it: what runs is finished, what comes is refused.
Exit code: 0 it was ended, 2 it could not be offered.`;

/** Adds `proofsheet serve`. @param serve - starts the HTTP server */
export function addServe(program: Command, serve: Serve): void {
  const command = program
    .command('serve')
    .description('offer capture and comparison over HTTP, as the capture service does')
    .option('--host <name>', 'the address that it listens on', '127.0.0.1')
    .option('--port <number>', 'where it listens; 0: any port that is free', readPort, 8787)
    .option('--key-header <name>', 'the header that a key comes in', readHeader, 'x-serviceapi-key')
    .option('--keys <file>', 'a file with the SHA-256 of a key on each line; more, as they are, in PROOFSHEET_KEYS')
    .option('--storage <place>', 'where captures are kept: a folder, or s3://bucket/prefix', 'proofsheet-captures')
    .option('--retention <hours>', 'how long they are kept', readBetween(0.01, 87_600), 24)
    .option(
      '--concurrency <count>',
      'how many requests are worked on at a time (default: one for each core)',
      CONCURRENCY,
    )
    .option('--queue <count>', 'how many requests may wait for their turn', readCount(0, 10_000), 64)
    .option('--timeout <seconds>', 'how long a request may take once its turn has come', readBetween(1, 600), 60)
    .option(
      '--max-pixels <count>',
      'how many pixels the images of one comparison may have together',
      readCount(1, 640_000_000),
      DEFAULT_MAX_PIXELS,
    )
    .option(
      '--rate <count>',
      'how many requests a key may send in a minute (default: no limit)',
      readCount(1, 1_000_000),
    )
    .option('--base-url <url>', 'what links begin with (default: the address that was asked)', readBase)
    .option('--allow-private', 'capture pages on private addresses too')
    .option('--allow <host:port>', 'capture pages of this host, though it is private; may be repeated', readAllowed)
    .option('--json', 'say in JSON that it is ready: one line with its url, and how many keys there are');
  addLanguageModel(command)
    .addHelpText('after', EXAMPLES)
    .action((flags: ServeFlags) => run(flags, serve));
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

async function run(flags: ServeFlags, serve: Serve): Promise<void> {
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
  const who = keyHashes.length === 0 ? 'no key is set: for this machine only' : renderCountOf(keyHashes.length, 'key');
  const ready = { url: server.url, keys: keyHashes.length };
  process.stdout.write(
    json ? `${JSON.stringify(ready)}\n` : `proofsheet: the capture service is at ${server.url} (${who})\n`,
  );
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
  throw new InvalidArgumentError('It must be the name of a header.');
}

function readBase(value: string): string {
  if (parseUrl(value) !== null && /^https?:$/.test(new URL(value).protocol)) return value.replace(/\/+$/, '');
  throw new InvalidArgumentError('It must be a URL that begins with http:// or https://.');
}
