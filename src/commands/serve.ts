import { availableParallelism } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { invalidCommand, parseUrl, print, renderCountOf, renderJson } from '../model/index.js';
import { findProject } from '../run/index.js';
import { hashKey, type LanguageModel, readKeyHashes, speakMcp, serve as startService } from '../service/index.js';
import { command, flag, list, preset, type Values, value } from './command.js';
import { isHttpUrl, PLACES, readBetween, readCount, readMatching, readPort, untilInterrupted } from './flags.js';

/** The flags of both servers, which capture pages for others. There is no flag for the key of a model: process lists show all flags. */
const CAPTURES = {
  allow: list('<host:port>', 'also capture pages of this private host; can be repeated', readAllowed),
  allowPrivate: flag('also capture pages on private addresses'),
  timeout: preset('<seconds>', 'time limit of a request, without its time in the queue', 60, {
    read: readBetween(1, 600),
  }),
  maxPixels: preset('<count>', 'maximum number of pixels of both images of a comparison', 100_000_000, {
    read: readCount(1, 640_000_000),
  }),
  aiUrl: value('<url>', 'URL of an OpenAI-compatible server that writes summaries (environment: PROOFSHEET_AI_URL)'),
  aiModel: value('<name>', 'model of that server (environment: PROOFSHEET_AI_MODEL; API key: PROOFSHEET_AI_KEY)'),
  aiTimeout: preset('<seconds>', 'time limit of a summary', 30, { read: readBetween(1, 600) }),
  cache: preset('<seconds>', 'how long the result of an analysis is reused for equal requests', 600, {
    read: readBetween(0, 86_400),
  }),
};

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
    const ended = untilInterrupted();
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

// Standard output belongs to the protocol.
const { json: _, ...PROJECT } = PLACES;

export const mcp = command({
  name: 'mcp',
  description: 'serve captures, comparisons, analyses and the last run to an AI assistant over MCP (stdio)',
  flags: {
    ...PROJECT,
    allowApprove: flag('let the assistant approve shots of the run'),
    storage: value('<folder>', 'folder for captures (default: a temporary folder, deleted when the session ends)'),
    ...CAPTURES,
  },
  help: `  proofsheet mcp --config e2e/playwright.config.ts --allow-approve
  claude mcp add proofsheet -- npx proofsheet mcp --allow localhost:3000

Requires the package @modelcontextprotocol/sdk. Standard output contains only messages of the protocol.
The session ends when standard input closes. Exit code: 0 the session ended, 2 an error occurred.`,
  async run(flags) {
    const { storage, allowApprove } = flags;
    const stopped = untilInterrupted();
    const session = await speakMcp({
      ...readCaptureSettings(flags),
      ...{ storage, allowApprove, places: findProject(flags) },
      ...{ concurrency: availableParallelism(), queueLength: 64 },
    });
    await Promise.race([session.ended, stopped]);
    await session.close();
    return null;
  },
});

function readAllowed(value: string): string {
  if (/^[^/@]+:\d+$/.test(value) && parseUrl(`http://${value}`) !== null) return value.toLowerCase();
  throw new InvalidArgumentError('Expected a host and a port, such as staging.example.com:443.');
}

function readCaptureSettings(flags: Values<typeof CAPTURES>) {
  const { timeout, maxPixels, allow: allowed, allowPrivate, cache: cacheSeconds } = flags;
  const languageModel = readLanguageModel(flags);
  return { timeout, maxPixels, allowed, allowPrivate, cacheSeconds, languageModel };
}

function readLanguageModel({ aiUrl, aiModel, aiTimeout }: Values<typeof CAPTURES>): LanguageModel | null {
  const { PROOFSHEET_AI_URL: url = '', PROOFSHEET_AI_MODEL: model = '', PROOFSHEET_AI_KEY: key = '' } = process.env;
  // Child processes must not inherit the key.
  delete process.env.PROOFSHEET_AI_KEY;
  const [baseUrl, name] = [(aiUrl ?? url).trim().replace(/\/+$/, ''), (aiModel ?? model).trim()];
  if (baseUrl === '' && name === '') return null;
  if (!isHttpUrl(baseUrl)) {
    const advice = 'Set it, or use --ai-url, with a URL such as https://api.openai.com/v1.';
    throw invalidCommand('PROOFSHEET_AI_URL', 'this is not an http:// or https:// URL', advice);
  }
  if (name === '') {
    const advice = 'Set it, or use --ai-model, with the name of a model of the server.';
    throw invalidCommand('PROOFSHEET_AI_MODEL', 'the model is missing', advice);
  }
  return { url: baseUrl, model: name, key: key.trim() || null, timeoutMs: aiTimeout * 1000 };
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

function readBase(value: string): string {
  if (isHttpUrl(value)) return value.replace(/\/+$/, '');
  throw new InvalidArgumentError('Use a URL that starts with http:// or https://.');
}
