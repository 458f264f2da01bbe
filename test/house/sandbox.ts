import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach } from 'vitest';
import { serveBy } from '../../fixtures/serve.mjs';
import { makeTempFolder, writeFiles } from '../unit/temp-folder.js';

/** The variables of commands of the sandbox. A test may add some. */
type Variables = NodeJS.ProcessEnv;

/**
 * Gives each test of a file a folder with git repositories and programs, in which the scripts of workflows run. Its functions take names in
 * that folder.
 */
export function useSandbox() {
  let folder: string;
  const env: Variables = {};
  const at = (name: string) => join(folder, name);
  const put = (name: string, content: string | Buffer) => writeFiles(folder, { [name]: content });
  beforeEach(() => {
    folder = makeTempFolder();
    for (const name of Object.keys(env)) delete env[name];
    Object.assign(env, { PATH: `${at('bin')}:${process.env.PATH}`, HOME: folder });
    put('.gitconfig', '[user]\nname = a\nemail = a@b\n[init]\ndefaultBranch = main\n');
  });
  return {
    ...{ env, at, put },
    git: (cwd: string, ...args: string[]) =>
      execFileSync('git', args, { cwd: at(cwd), env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    /** Runs a script in a folder, as a runner does. @returns whether it ended well */
    bash: (cwd: string, script: string, variables: Variables = {}): Promise<boolean> =>
      promisify(execFile)('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
        ...{ cwd: at(cwd), env: { ...env, ...variables } },
      }).then(
        () => true,
        () => false,
      ),
  };
}

export type Sandbox = ReturnType<typeof useSandbox>;

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
