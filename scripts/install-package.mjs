import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { mustRun, root } from './run.mjs';

/** What the commands of tests have compiled, for those that come after. */
export const COMPILED = join(root, '.tmp', 'e2e-compiled');

const PACK = join(root, '.tmp', 'e2e-pack');
const MANIFEST = readFileSync(join(root, 'package.json'), 'utf8');

/** Gives where the packed tool is installed beside a version of Playwright. */
export function installFolder(playwright) {
  return join(root, '.tmp', `e2e-install-${playwright}`);
}

/** Packs the tool and installs the tarball as a user would, beside the current version of Playwright. */
export default async function installPackage() {
  for (const folder of [PACK, COMPILED]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(PACK, { recursive: true });
  await npm(root, ['pack', '--ignore-scripts', '--silent', '--pack-destination', PACK]);
  await installBeside('current', JSON.parse(MANIFEST).devDependencies['@playwright/test']);
}

/** Gives the packed tool. */
export function tarballPath() {
  const [tarball = ''] = readdirSync(PACK);
  return join(PACK, tarball);
}

/**
 * Installs the packed tool beside a version of Playwright. Where an earlier run has installed the same dependencies, only the
 * tool is unpacked again.
 */
export async function installBeside(name, playwright) {
  const tarball = tarballPath();
  const folder = installFolder(name);
  const stamp = join(folder, 'installed.json');
  const wanted = JSON.stringify({ playwright, node: process.version, manifest: MANIFEST });
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
    await unpack(tarball, join(folder, 'node_modules', 'proofsheet'));
    return;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const wants = [tarball, `@playwright/test@${playwright}`];
  await npm(folder, ['install', '--no-audit', '--no-fund', '--prefer-offline', '--force', ...wants]);
  writeFileSync(stamp, wanted);
}

async function unpack(tarball, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // By its name: the tar of Git for Windows takes the `C:` of a path for another machine.
  const words = ['-xzf', basename(tarball), '-C', folder, '--strip-components=1'];
  await mustRun('tar', words, { cwd: dirname(tarball), quiet: true });
  chmodSync(join(folder, 'dist', 'cli.js'), 0o755);
}

async function npm(cwd, args) {
  await mustRun('npm', args, { cwd, quiet: true });
}
