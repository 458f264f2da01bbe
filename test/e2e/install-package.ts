import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KEPT } from './baselines.js';
import { COMPILED, installFolder, LOWEST_PLAYWRIGHT, root } from './project.js';

/** Packs the tool and installs the tarball as a user would, once beside each version of Playwright that is tested. */
export default async function installPackage(): Promise<void> {
  const packFolder = join(root, '.tmp', 'e2e-pack');
  for (const folder of [packFolder, KEPT, COMPILED]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(packFolder, { recursive: true });
  await npm(root, ['pack', '--ignore-scripts', '--silent', '--pack-destination', packFolder]);
  const tarball = join(packFolder, readdirSync(packFolder)[0] ?? '');
  const current: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies[
    '@playwright/test'
  ];
  await Promise.all([
    install(installFolder('current'), tarball, current),
    install(installFolder('lowest'), tarball, LOWEST_PLAYWRIGHT),
  ]);
}

async function install(folder: string, tarball: string, playwright: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await npm(folder, [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    tarball,
    `@playwright/test@${playwright}`,
  ]);
}

async function npm(cwd: string, args: string[]): Promise<void> {
  await promisify(execFile)('npm', args, { cwd });
}
