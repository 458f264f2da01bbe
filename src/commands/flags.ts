import { type Command, InvalidArgumentError } from 'commander';
import { invalidCommand, ProofsheetError, parseUrl, shotFieldsSchema } from '../model/index.js';
import type { LanguageModel } from '../service/index.js';

/** Parses a number. Returns other text unchanged, so that validation rejects it. */
export function numberOf(value: string): string | number {
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Collects the values of a repeatable flag. */
export function collect(value: string, values: readonly string[] = []): string[] {
  return [...values, value];
}

/**
 * Runs `read`, which validates page fields. Rewrites its errors to name flags instead of fields.
 *
 * @throws ProofsheetError `command-invalid`
 */
export function describeAsFlags<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    const { where, found, advice } = error.problem;
    throw new ProofsheetError({ code: 'command-invalid', where, found: asFlags(found), advice: asFlags(advice) });
  }
}

/** Converts a field name to its flag: `maxDiffPixels` to `--max-diff-pixels`. */
export function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Replaces field names by flags. Replaces names that are English words, such as "width", only in quotes. */
function asFlags(text: string): string {
  const fields = Object.keys(shotFieldsSchema.shape);
  const isFieldName = (name: string) => fields.includes(name) && (/[A-Z]/.test(name) || name === 'threshold');
  return text
    .replace(/"(\w+)"/g, (quoted, name: string) => (fields.includes(name) ? flagOf(name) : quoted))
    .replace(/(?<!-)\b[a-z]\w+\b/g, (name) => (isFieldName(name) ? flagOf(name) : name));
}

/** Resolves when the process receives SIGINT, SIGTERM or SIGHUP. Call it before you print that the server is ready. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

/** Returns a parser of numbers from `min` to `max`. */
export function readBetween(min: number, max: number, isWhole = false): (value: string) => number {
  return (value) => {
    const number = Number(value);
    const isRight = value.trim() !== '' && number >= min && number <= max && (!isWhole || Number.isInteger(number));
    if (isRight) return number;
    throw new InvalidArgumentError(`Expected a ${isWhole ? 'whole ' : ''}number, ${min}..${max}.`);
  };
}

/** Returns a parser of whole numbers from `min` to `max`. */
export function readCount(min: number, max: number): (value: string) => number {
  return readBetween(min, max, true);
}

/** Parses a port number. */
export const readPort = readCount(0, 65_535);

/** Parses a repeatable `--allow host:port` flag, which permits a private address. @throws InvalidArgumentError */
export function readAllowed(value: string, earlier: readonly string[] = []): string[] {
  if (/^[^/@]+:\d+$/.test(value) && parseUrl(`http://${value}`) !== null) return [...earlier, value.toLowerCase()];
  throw new InvalidArgumentError('Expected a host and a port, such as staging.example.com:443.');
}

/** Raw values of the language model flags. */
export interface LanguageModelFlags {
  readonly aiUrl?: string;
  readonly aiModel?: string;
  readonly aiTimeout: number;
  readonly cache: number;
}

/** Adds the language model flags. There is no flag for the key, because process lists show all flags. */
export function addLanguageModel(command: Command): Command {
  return command
    .option(
      '--ai-url <url>',
      'URL of an OpenAI-compatible server that writes summaries (environment: PROOFSHEET_AI_URL)',
    )
    .option('--ai-model <name>', 'model of that server (environment: PROOFSHEET_AI_MODEL; API key: PROOFSHEET_AI_KEY)')
    .option('--ai-timeout <seconds>', 'time limit of a summary', readBetween(1, 600), 30)
    .option(
      '--cache <seconds>',
      'how long the result of an analysis is reused for equal requests',
      readBetween(0, 86_400),
      600,
    );
}

/**
 * Reads the language model settings from flags and environment; null if none are set.
 *
 * @throws ProofsheetError `command-invalid` if the URL or the model name is missing.
 */
export function readLanguageModel({ aiUrl, aiModel, aiTimeout }: LanguageModelFlags): LanguageModel | null {
  const { PROOFSHEET_AI_URL: url = '', PROOFSHEET_AI_MODEL: model = '', PROOFSHEET_AI_KEY: key = '' } = process.env;
  // Child processes must not inherit the key.
  delete process.env.PROOFSHEET_AI_KEY;
  const [baseUrl, name] = [(aiUrl ?? url).trim().replace(/\/+$/, ''), (aiModel ?? model).trim()];
  if (baseUrl === '' && name === '') return null;
  if (parseUrl(baseUrl) === null || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    const advice = 'Set it, or use --ai-url, with a URL such as https://api.openai.com/v1.';
    throw invalidCommand('PROOFSHEET_AI_URL', 'this is not an http:// or https:// URL', advice);
  }
  if (name === '') {
    const advice = 'Set it, or use --ai-model, with the name of a model of the server.';
    throw invalidCommand('PROOFSHEET_AI_MODEL', 'the model is missing', advice);
  }
  return { url: baseUrl, model: name, key: key.trim() || null, timeoutMs: aiTimeout * 1000 };
}

/** Adds the flags that locate the run, and `--json`. */
export function addConfig(command: Command): Command {
  return command
    .option(
      '-c, --config <path>',
      'Playwright config or its folder; baseline paths are relative to it (default: the current folder)',
    )
    .option('--json', 'print one JSON document');
}

/** Adds the flags that locate the run and its baselines, and `--json`. */
export function addPlaces(command: Command): Command {
  return addConfig(command).option(
    '--baselines <folder>',
    'folder that must contain all baselines (default: the folder of the config)',
  );
}
