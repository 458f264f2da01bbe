import { type Command, Option } from 'commander';
import { print, printJson, printRemark } from '../model/index.js';

/** A flag of a command. Its words follow from its name: `maxPixels` is `--max-pixels`. */
export interface Flag<T> {
  /** The value without the flag. If it is undefined, commander has a default, or the flag is required. */
  readonly absent?: T;
  create(words: string): Option;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

export type Values<F extends Flags> = { readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never };

interface Rules<T> {
  readonly short?: string;
  /** Parses the text. @throws InvalidArgumentError @default the text itself */
  readonly read?: (value: string) => T;
  readonly choices?: readonly (T & string)[];
  readonly conflicts?: readonly string[];
}

/** A flag without a value. */
export function flag(description: string, rules: Rules<never> = {}): Flag<boolean> {
  return { absent: false, create: (words) => createOption(words, description, rules) };
}

/** A flag `--no-NAME`, which turns off what is on without it. */
export function off(description: string): Flag<boolean> {
  return { create: (words) => new Option(words.replace('--', '--no-'), description) };
}

/** A flag with a value, such as `<path>`. Without the flag, the value is null. */
export function value<T = string>(hint: string, description: string, rules: Rules<T> = {}): Flag<NoInfer<T> | null> {
  return { absent: null, create: (words) => createOption(`${words} ${hint}`, description, rules) };
}

/** A flag with a value that must be given. */
export function required<T = string>(hint: string, description: string, rules: Rules<T> = {}): Flag<NoInfer<T>> {
  return { create: (words) => createOption(`${words} ${hint}`, description, rules).makeOptionMandatory() };
}

/** A flag with a value and a default, which the help shows. */
export function preset<T = string>(
  hint: string,
  description: string,
  fallback: NoInfer<T>,
  rules: Rules<T> = {},
): Flag<NoInfer<T>> {
  return { create: (words) => createOption(`${words} ${hint}`, description, rules).default(fallback) };
}

/** A repeatable flag. */
export function list(hint: string, description: string, read = (text: string) => text): Flag<readonly string[]> {
  const collect = (text: string, earlier: readonly string[]) => [...earlier, read(text)];
  return { absent: [], create: (words) => new Option(`${words} ${hint}`, description).argParser(collect) };
}

function createOption<T>(words: string, description: string, { short, read, choices, conflicts = [] }: Rules<T>) {
  const option = new Option(short ? `-${short}, ${words}` : words, description).conflicts([...conflicts]);
  if (read) option.argParser(read);
  return choices ? option.choices(choices) : option;
}

/** What a command prints, and how it ends. */
export interface Answer {
  /** What it prints with `--json`, after `status` and `error`. An answer of the service has its own `status`. */
  readonly json: object;
  readonly text: string;
  /** Lines for standard error. @default [] */
  readonly remarks?: readonly string[];
  /** Why it did not do everything: the `status` of the JSON document. @default null */
  readonly failure?: 'refused' | 'problem' | null;
  /** @default 0, or 2 after a failure */
  readonly exitCode?: 0 | 1 | 2;
}

interface Declaration<F extends Flags> {
  readonly name: string;
  readonly description: string;
  /** The arguments and their descriptions: `[id...]`. @default none */
  readonly args?: Readonly<Record<string, string>>;
  readonly flags: F;
  /** The end of the help: examples, remarks and the exit codes. */
  readonly help: string;
  /** Returns what to print; null: nothing more. */
  run(values: Values<F>, args: readonly string[]): Promise<Answer | null>;
}

/** Declares a command. Returns what adds it to the program. */
export function command<F extends Flags>({
  name,
  description,
  args = {},
  flags,
  help,
  run,
}: Declaration<F>): (program: Command) => void {
  return (program) => {
    const added = program.command(name).description(description).addHelpText('after', `\nExamples:\n${help}`);
    for (const [words, meaning] of Object.entries(args)) added.argument(words, meaning);
    for (const [field, { absent, create }] of Object.entries(flags)) {
      added.addOption(create(flagOf(field)));
      if (absent !== undefined) added.setOptionValueWithSource(field, absent, 'default');
    }
    added.action(async () => {
      const values = added.opts<Values<F>>();
      const answer = await run(values, added.args);
      if (answer !== null) printAnswer(answer, 'json' in values && values.json === true);
    });
  };
}

export function printAnswer({ json, text, remarks = [], failure = null, exitCode }: Answer, isJson: boolean): void {
  remarks.forEach(printRemark);
  const status = { status: failure ?? 'success', error: failure !== null };
  if (!isJson) print(text);
  else printJson('status' in json ? json : { ...status, ...json });
  process.exitCode = exitCode ?? (failure === null ? 0 : 2);
}

function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
