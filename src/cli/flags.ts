import { type Command, InvalidArgumentError } from 'commander';
import { ProofsheetError } from '../model/errors.js';
import { shotFieldsSchema } from '../model/list/page-list.js';
import type { LanguageModel } from '../model/service/language-model.js';

/** Reads a number that was typed. A text that is none stays one, to be refused for that. */
export function numberOf(value: string): string | number {
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Gathers the values of a flag that may be repeated. */
export function collect(value: string, values: readonly string[] = []): string[] {
  return [...values, value];
}

/**
 * Reads fields of a page that were typed as flags.
 *
 * @throws ProofsheetError `command-invalid`: what the list says of its fields, said of the flags.
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

/** Returns the flag of a field: `--max-diff-pixels`. */
export function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The list's names, as they are typed here; a word of ordinary English is one only where it is quoted. */
function asFlags(text: string): string {
  const fields = Object.keys(shotFieldsSchema.shape);
  const isOwn = (name: string) => fields.includes(name) && (/[A-Z]/.test(name) || name === 'threshold');
  return text
    .replace(/"(\w+)"/g, (quoted, name: string) => (fields.includes(name) ? flagOf(name) : quoted))
    .replace(/(?<!-)\b[a-z]\w+\b/g, (name) => (isOwn(name) ? flagOf(name) : name));
}

/** Waits until this process is asked to end. Asked before anybody is told that there is something to end. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

/** Reads the number of a port. @throws InvalidArgumentError */
export function readPort(value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a number, 0..65535.');
}

/** Returns what reads a number within bounds. */
export function readBetween(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() !== '' && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a number, ${least}..${most}.`);
  };
}

/** The same for what is counted. */
export function readCount(least: number, most: number): (value: string) => number {
  const read = readBetween(least, most);
  return (value) => {
    const number = read(value);
    if (Number.isInteger(number)) return number;
    throw new InvalidArgumentError('It must be a whole number.');
  };
}

/** Reads a host that may be captured though it is private; may be repeated. @throws InvalidArgumentError */
export function readAllowed(value: string, before: readonly string[] = []): string[] {
  if (/^[^/@]+:\d+$/.test(value) && URL.canParse(`http://${value}`)) return [...before, value.toLowerCase()];
  throw new InvalidArgumentError('It must be a host and a port, such as staging.example.com:443.');
}

/** The flags of a command that analyses pages, as they were typed. */
export interface LanguageModelFlags {
  readonly aiUrl?: string;
  readonly aiModel?: string;
  readonly aiTimeout: number;
  readonly cache: number;
}

/** Adds the flags that say what writes summaries. The key is never one: flags can be read by whoever lists processes. */
export function addLanguageModel(command: Command): Command {
  return command
    .option(
      '--ai-url <url>',
      "an OpenAI-compatible server's address, or PROOFSHEET_AI_URL: summaries are written by it",
    )
    .option('--ai-model <name>', 'its model, or PROOFSHEET_AI_MODEL; its key, if it wants one, in PROOFSHEET_AI_KEY')
    .option('--ai-timeout <seconds>', 'how long a summary may take', readBetween(1, 600), 30)
    .option(
      '--cache <seconds>',
      'how long an analysis is given again to who asks for the same',
      readBetween(0, 86_400),
      600,
    );
}

/**
 * Reads what writes summaries; null: nothing is set.
 *
 * @throws ProofsheetError `command-invalid` where only half of it is.
 */
export function readLanguageModel({ aiUrl, aiModel, aiTimeout }: LanguageModelFlags): LanguageModel | null {
  const { PROOFSHEET_AI_URL: url = '', PROOFSHEET_AI_MODEL: model = '', PROOFSHEET_AI_KEY: key = '' } = process.env;
  // It is not for what is launched from here.
  delete process.env.PROOFSHEET_AI_KEY;
  const [from, name] = [(aiUrl ?? url).trim().replace(/\/+$/, ''), (aiModel ?? model).trim()];
  if (from === '' && name === '') return null;
  if (!URL.canParse(from) || !/^https?:$/.test(new URL(from).protocol)) {
    throw invalid('PROOFSHEET_AI_URL', 'it is not a URL', 'Write it as https://api.openai.com/v1.');
  }
  if (name === '') throw invalid('PROOFSHEET_AI_MODEL', 'no model is named', 'Name one that the server has.');
  return { url: from, model: name, key: key.trim() || null, timeoutMs: aiTimeout * 1000 };
}

function invalid(where: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError({ code: 'command-invalid', where, found, advice });
}
