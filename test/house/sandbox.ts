import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { serveBy } from '../../fixtures/serve.mjs';

/** A folder with git repositories and programs, in which the scripts of workflows run. */
export interface Sandbox {
  /** The variables of its commands. A test may add some. */
  env: NodeJS.ProcessEnv;
  at(name: string): string;
  put(name: string, content: string | Buffer): void;
  /** Runs git in a folder of it, and returns the output. */
  git(cwd: string, ...args: string[]): string;
  /** Runs a script in a folder of it, as a runner does. @returns whether it ended well */
  bash(cwd: string, script: string, variables?: NodeJS.ProcessEnv): Promise<boolean>;
}

export function openSandbox(): Sandbox {
  const folder = mkdtempSync(join(tmpdir(), 'proofsheet-house-'));
  const at = (name: string) => join(folder, name);
  const put = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  put('.gitconfig', '[user]\nname = a\nemail = a@b\n[init]\ndefaultBranch = main\n');
  const sandbox: Sandbox = {
    env: { PATH: `${at('bin')}:${process.env.PATH}`, HOME: folder },
    at,
    put,
    git: (cwd, ...args) =>
      execFileSync('git', args, {
        ...{ cwd: at(cwd), env: sandbox.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
      }),
    bash: (cwd, script, variables = {}) =>
      promisify(execFile)('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
        ...{ cwd: at(cwd), env: { ...sandbox.env, ...variables } },
      }).then(
        () => true,
        () => false,
      ),
  };
  return sandbox;
}

/** Serves an API: what `answer` returns as JSON, or as bytes; null: 404. */
export function serveApi(answer: (method: string, url: URL, body: string, token: string | undefined) => unknown) {
  return serveBy(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? '', 'http://x');
    const found = answer(request.method ?? '', url, Buffer.concat(chunks).toString(), request.headers.authorization);
    response.writeHead(found === null ? 404 : 200);
    response.end(Buffer.isBuffer(found) ? found : JSON.stringify(found ?? { message: 'Not Found' }));
  });
}
