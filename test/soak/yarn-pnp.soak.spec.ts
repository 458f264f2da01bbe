import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { config, expect, html, root, SPEC, test } from '../e2e/project.js';

const run = promisify(execFile);

for (const type of ['commonjs', 'module']) {
  test(`Yarn with Plug'n'Play runs a page list in a project of type ${type}`, async ({ site }) => {
    const folder = mkdtempSync(join(tmpdir(), 'proofsheet-yarn-'));
    try {
      await install(folder, type);
      site.write({ 'index.html': html('<h1>Welcome</h1>') });
      writeFileSync(join(folder, 'visual.spec.ts'), SPEC);
      writeFileSync(join(folder, 'playwright.config.ts'), config());
      writeFileSync(
        join(folder, 'pages.yaml'),
        `baseURL: ${site.url}\npages: [/, { name: odiff, url: /, engine: odiff }]\n`,
      );
      const { stdout: written } = await yarn(folder, ['playwright', 'test', '--update-snapshots']);
      expect(written).toContain('2 written');
      const { stdout: passed } = await yarn(folder, ['playwright', 'test']);
      expect(passed).toContain('2 compared: 2 passed');
      site.write({ 'index.html': html('<h1>Farewell</h1>') });
      const changed = await yarn(folder, ['playwright', 'test']).catch((cause: { stdout: string }) => cause);
      expect(changed.stdout).toContain('2 compared: 2 changed');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function install(folder: string, type: string): Promise<void> {
  const [tarball = ''] = readdirSync(join(root, '.tmp', 'e2e-pack'));
  cpSync(join(root, '.tmp', 'e2e-pack', tarball), join(folder, 'proofsheet.tgz'));
  const { version }: { version: string } = readJson(join(root, 'node_modules', '@playwright', 'test', 'package.json'));
  const manifest = {
    private: true,
    type,
    devDependencies: { proofsheet: 'file:./proofsheet.tgz', '@playwright/test': version },
    resolutions: presentBinary(),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'yarn.lock'), '');
  writeFileSync(join(folder, '.yarnrc.yml'), 'nodeLinker: pnp\nenableTelemetry: false\nenableGlobalCache: false\n');
  await run('npm', ['install', '--prefix', join(folder, 'yarn'), '--no-audit', '--no-fund', '@yarnpkg/cli-dist@4']);
  await yarn(folder, ['install']);
}

/** Yarn looks up the binaries of all platforms, which not every mirror has: each becomes that of this platform. */
function presentBinary(): Record<string, string> {
  const [present = ''] = readdirSync(join(root, 'node_modules', '@odiff'));
  const { version, optionalDependencies }: { version: string; optionalDependencies: Record<string, string> } = readJson(
    join(root, 'node_modules', 'odiff-bin', 'package.json'),
  );
  const others = Object.keys(optionalDependencies).filter((name) => name !== `@odiff/${present}`);
  return Object.fromEntries(others.map((name) => [name, `npm:@odiff/${present}@${version}`]));
}

function yarn(folder: string, args: readonly string[]): Promise<{ stdout: string }> {
  const program = join(folder, 'yarn', 'node_modules', '@yarnpkg', 'cli-dist', 'bin', 'yarn.js');
  const { CI: _, ...ours } = process.env;
  const names = Object.keys(ours).filter((name) => !/^(TEST_|PLAYWRIGHT_|PW_|FORCE_COLOR)/.test(name));
  const env = { ...Object.fromEntries(names.map((name) => [name, ours[name]])), NO_COLOR: '1' };
  return run(process.execPath, [program, ...args], { cwd: folder, env });
}

function readJson(path: string): never {
  return JSON.parse(readFileSync(path, 'utf8')) as never;
}
