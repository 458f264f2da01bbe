import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installFolder, LOWEST_PLAYWRIGHT, root } from './project.js';

/** Packs the tool and installs the tarball as a user would, once beside each version of Playwright that is tested. */
export default function installPackage(): void {
  const packFolder = join(root, '.tmp', 'e2e-pack');
  rmSync(packFolder, { recursive: true, force: true });
  mkdirSync(packFolder, { recursive: true });
  npm(root, ['pack', '--silent', '--pack-destination', packFolder]);
  const tarball = join(packFolder, readdirSync(packFolder)[0] ?? '');
  const current: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies[
    '@playwright/test'
  ];
  install(installFolder('current'), tarball, current);
  install(installFolder('lowest'), tarball, LOWEST_PLAYWRIGHT);
}

function install(folder: string, tarball: string, playwright: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(folder, ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball, `@playwright/test@${playwright}`]);
}

function npm(cwd: string, args: string[]): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
