import { availableParallelism } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { print, renderCountOf, renderJson } from '../model/index.js';
import { hashKey, readKeyHashes, serve as startService } from '../service/index.js';
import { command, flag, preset, value } from './command.js';
import {
  CAPTURES,
  interrupted,
  isHttpUrl,
  readBetween,
  readCaptureSettings,
  readCount,
  readMatching,
  readPort,
} from './flags.js';

export const serve = command({
  name: 'serve',
  description: 'start the capture service: captures, comparisons and analyses over HTTP',
  flags: {
    host: preset('<name>', 'address to listen on', '127.0.0.1'),
    port: preset('<number>', 'port to listen on; 0: any free port', 8787, { read: readPort }),
    keyHeader: preset('<name>', 'request header that contains the key', 'x-serviceapi-key', {
      read: readMatching(/^[\w!#$%&'*+.^`|~-]+$/, 'Use a valid HTTP header name.'),
    }),
    keys: value(
      '<file>',
      'file with the SHA-256 of one key per line; PROOFSHEET_KEYS contains further keys in plain text',
    ),
    storage: preset('<place>', 'storage of the captures: a folder, or s3://bucket/prefix', 'proofsheet-captures'),
    retention: preset('<hours>', 'how long captures are stored', 24, { read: readBetween(0.01, 87_600) }),
    concurrency: value('<count>', 'maximum number of concurrent requests (default: number of CPU cores)', {
      read: readCount(1, 256),
    }),
    queue: preset('<count>', 'maximum number of requests in the queue', 64, { read: readCount(0, 10_000) }),
    rate: value('<count>', 'maximum number of requests per key and minute (default: unlimited)', {
      read: readCount(1, 1_000_000),
    }),
    baseUrl: value('<url>', 'base URL of links in responses (default: the requested host)', { read: readBase }),
    ...CAPTURES,
    json: flag('print one JSON line with the URL and the number of keys when the service is ready'),
  },
  help: `  proofsheet serve --allow-private
  PROOFSHEET_KEYS=one,two proofsheet serve --host 0.0.0.0 --port 80 --base-url https://shots.example.com
  proofsheet serve --host 0.0.0.0 --keys keys.txt --storage /var/lib/proofsheet --retention 72

Without keys, the service is available only on this machine. Open its URL in a browser to see all requests and fields.
Press Ctrl+C to stop the service: it finishes running requests and refuses new ones.
Exit code: 0 stopped, 2 an error occurred.`,
  async run(flags) {
    const { host, port, keyHeader, keys, storage, retention, rate, baseUrl } = flags;
    const keyHashes = [...takeKeys().map(hashKey), ...(keys === null ? [] : readKeyHashes(keys))];
    // Listen for signals before the output says that the service is ready.
    const ended = interrupted();
    const { url, close } = await startService({
      ...readCaptureSettings(flags),
      ...{ host, port, keyHeader: keyHeader.toLowerCase(), keyHashes, storage, retention, rate, baseUrl },
      concurrency: flags.concurrency ?? availableParallelism(),
      queueLength: flags.queue,
    });
    const who = keyHashes.length === 0 ? 'no keys: local requests only' : renderCountOf(keyHashes.length, 'key');
    const ready = { url, keys: keyHashes.length };
    print(flags.json ? `${renderJson(ready)}\n` : `proofsheet: capture service listening on ${url} (${who})\n`);
    await ended;
    await close();
    return null;
  },
});

/** Reads the keys and deletes the variable, so that child processes do not inherit it. */
function takeKeys(): string[] {
  const { PROOFSHEET_KEYS: keys = '' } = process.env;
  delete process.env.PROOFSHEET_KEYS;
  return keys
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

function readBase(value: string): string {
  if (isHttpUrl(value)) return value.replace(/\/+$/, '');
  throw new InvalidArgumentError('Use a URL that starts with http:// or https://.');
}
