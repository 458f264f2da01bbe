import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BASELINE_STORE } from './baselines.js';
import { COMPILED, installFolder, LOWEST_PLAYWRIGHT, root } from './project.js';

const PACK = join(root, '.tmp', 'e2e-pack');
const MANIFEST = readFileSync(join(root, 'package.json'), 'utf8');

/** Packs the tool and installs the tarball as a user would, once beside each version of Playwright that is tested. */
export default async function installPackage(): Promise<void> {
  for (const folder of [PACK, BASELINE_STORE, COMPILED]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(PACK, { recursive: true });
  await npm(root, ['pack', '--ignore-scripts', '--silent', '--pack-destination', PACK]);
  await Promise.all([
    installBeside('current', JSON.parse(MANIFEST).devDependencies['@playwright/test']),
    installBeside('lowest', LOWEST_PLAYWRIGHT),
  ]);
}

/**
 * Installs the packed tool beside a version of Playwright. Where an earlier run has installed the same dependencies, only the
 * tool is unpacked again.
 */
async function installBeside(name: 'current' | 'lowest', playwright: string): Promise<void> {
  const [tarball = ''] = readdirSync(PACK).map((file) => join(PACK, file));
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
  await npm(folder, ['install', '--no-audit', '--no-fund', '--prefer-offline', ...wants]);
  writeFileSync(stamp, wanted);
}

async function unpack(tarball: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  chmodSync(join(folder, 'dist', 'cli.js'), 0o755);
}

async function npm(cwd: string, args: string[]): Promise<void> {
  await promisify(execFile)('npm', args, { cwd });
}
