import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Sandbox } from './sandbox.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const strings = z.record(z.string(), z.string()).default({});
const stepSchema = z.object({
  ...{ id: z.string().default(''), name: z.string().default(''), if: z.string().default('') },
  ...{ uses: z.string().default(''), run: z.string().default(''), env: strings },
});

/** A job of a workflow, with what the tests read of it. */
export const jobSchema = z.object({
  ...{ env: strings, steps: z.array(stepSchema) },
});

/** The package of this checkout in place of that of the registry. It must not have the token, and not run in the checkout. */
const NPX = `#!/bin/sh
[ "$1 $2" = "--yes proofsheet@${version}" ] && [ -z "$GH_TOKEN" ] && [ "$PWD" = "\${TOOL_FOLDER:-$PWD}" ] || exit 99
shift 2; exec node ${root}dist/cli.js "$@"
`;

/** Sends the requests of `gh api` and `gh workflow run` to the server at `API`. */
const GH = `#!/usr/bin/env node
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const [command, ...words] = process.argv.slice(2);
if (!process.env.GH_TOKEN) process.exit(4);
if (command === 'auth') process.exit(0);
let [method, path, query] = ['GET', '', '.'];
const fields = {};
if (command === 'workflow') [method, path, fields.ref] = ['POST', 'dispatch/' + words[1], words[3]];
else while (words.length > 0) {
  const word = words.shift();
  if (word === '--method') method = words.shift();
  else if (word === '--jq') query = words.shift();
  else if (word === '--raw-field' || word === '--field') {
    const [name, value] = words.shift().split(/=(.*)/s);
    fields[name] = word === '--field' && value[0] === '@' ? readFileSync(value.slice(1), 'utf8') : value;
  } else if (!word.startsWith('--')) path = word;
}
const url = new URL(process.env.API + '/' + path);
if (method === 'GET') for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
const body = method === 'GET' ? undefined : JSON.stringify(fields);
fetch(url, { method, body }).then(async (response) => {
  const text = await response.text();
  if (!response.ok) { console.log(text); process.exit(1); }
  process.stdout.write(execFileSync('jq', ['--raw-output', query], { input: text }));
});
`;

/** Writes programs with the names of those that a runner has, into a folder for `PATH`. */
export function writePrograms(folder: string): void {
  mkdirSync(folder);
  for (const [name, text] of Object.entries({ npx: NPX, gh: GH })) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
}

interface Circumstances {
  readonly sandbox: Sandbox;
  readonly env: NodeJS.ProcessEnv;
  readonly values: Readonly<Record<string, string>>;
  /** Does what an action does. `outputs` are those of the steps before it, such as `find.commit`. */
  readonly use: (action: string, outputs: ReadonlyMap<string, string>) => void;
}

/**
 * Runs the steps of a job as a runner does: in `checkout` if an action made it, else in `temp`, with their conditions, variables and outputs.
 *
 * @returns the status of the job
 */
export async function runJob(
  job: z.infer<typeof jobSchema>,
  { sandbox, env, values, use }: Circumstances,
): Promise<'success' | 'failure'> {
  const outputs = new Map<string, string>();
  const [temp, workspace, output] = ['temp', 'checkout', 'temp.output'].map(sandbox.at);
  const places = { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, GITHUB_OUTPUT: output };
  let status: 'success' | 'failure' = 'success';
  const read = (term: string) => {
    if (term === 'job.status') return status;
    return values[term] ?? outputs.get(term.replace(/^steps\.(\w+)\.outputs\.(\w+)$/, '$1.$2')) ?? '';
  };
  for (const { id, if: condition, uses, run: script, env: own } of job.steps) {
    const always = condition.includes('!cancelled()');
    if ((status === 'failure' && !always) || !isMet(condition, read)) continue;
    sandbox.put('temp.output', '');
    const variables = Object.entries({ ...job.env, ...own }).map(([name, text]) => [name, fill(text, read)]);
    if (uses !== '') use(uses.split('@')[0] ?? '', outputs);
    else {
      const cwd = existsSync(sandbox.at('checkout')) ? 'checkout' : 'temp';
      const isDone = await sandbox.bash(cwd, script, { ...env, ...places, ...Object.fromEntries(variables) });
      if (!isDone) status = 'failure';
    }
    for (const line of readFileSync(sandbox.at('temp.output'), 'utf8').split('\n')) {
      const [name, value = ''] = line.split(/=(.*)/s);
      if (name) outputs.set(`${id}.${name}`, value);
    }
  }
  return status;
}

function fill(text: string, read: (term: string) => string): string {
  return text.replace(/\$\{\{ (.*?) \}\}/g, (_, term) => read(term));
}

/** Evaluates a condition: terms such as `steps.find.outputs.report == 'x'`, joined by `&&`. */
function isMet(condition: string, read: (term: string) => string): boolean {
  const terms = condition === '' ? [] : condition.replace(/^\$\{\{ | \}\}$/g, '').split(' && ');
  return terms.every((term) => {
    const [, name = '', value] = /^(.*?)(?: == '(.*)')?$/.exec(term) ?? [];
    return term === '!cancelled()' || (value === undefined ? read(name) !== '' : read(name) === value);
  });
}
