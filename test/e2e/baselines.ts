import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BASELINE_STORE } from '../../scripts/install-package.mjs';
import { expect, filesOf, html, listFiles, type Project, type Site } from './project.js';

/** Snapshot folder of the spec that {@link prepareTwoPages} writes. */
export const SNAPSHOTS = 'visual.spec.mjs-snapshots';

/**
 * Returns a list with the pages `about` and `home`. `more` is more pages; `top` is fields of the list. Tests change `home`, which is
 * the last one: after a failed test, Playwright starts another worker and browser.
 */
export function twoPages(site: Site, more = '', top = ''): string {
  return `baseURL: ${site.url}\n${top}pages:\n  - { name: about, url: /about.html }\n  - { name: home, url: / }\n${more}`;
}

/** Writes a project with the pages `home` and `about`, and their baselines. One run serves all tests that call it. */
export async function prepareTwoPages(project: Project, site: Site): Promise<void> {
  site.write({ 'index.html': html('<h1>Home</h1>'), 'about.html': html('<h1>About</h1>') });
  project.write(filesOf(twoPages(site)));
  await makeBaselines(project, site);
}

/**
 * Gives a project the baselines of its pages. The first call for the same files, pages and Playwright makes a run that must
 * pass; later calls, and those at the same time, use what it wrote.
 *
 * Tests that check how baselines are made, or that read a report, make a run of their own.
 */
export async function makeBaselines(project: Project, site: Site): Promise<void> {
  const stored = join(BASELINE_STORE, `${fingerprint(project, site)}.json`);
  if (!existsSync(stored)) await underLock(`${stored}.lock`, () => storeBaselines(project, stored));
  const files: [string, string][] = JSON.parse(readFileSync(stored, 'utf8'));
  project.write(Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.from(bytes, 'base64')])));
}

async function storeBaselines(project: Project, stored: string): Promise<void> {
  if (existsSync(stored)) return;
  expect(await project.test(['--update-snapshots'])).toExit(0);
  const written = project.files('.').filter((name) => name.includes('-snapshots/'));
  expect(written.length).toBeGreaterThan(0);
  const temporary = `${stored}.new`;
  writeFileSync(temporary, JSON.stringify(written.map((name) => [name, readFileSync(project.path(name), 'base64')])));
  renameSync(temporary, stored);
  for (const folder of ['proofsheet-report', 'test-results'])
    rmSync(project.path(folder), { recursive: true, force: true });
}

/** Calls a function while no other worker holds the lock. */
async function underLock(lock: string, act: () => Promise<void>): Promise<void> {
  mkdirSync(BASELINE_STORE, { recursive: true });
  while (!takeLock(lock)) await setTimeout(100);
  try {
    await act();
  } finally {
    rmSync(lock, { recursive: true });
  }
}

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns the same text for tests that differ only in their folders and the port of their site. */
function fingerprint(project: Project, site: Site): string {
  const contents = [project.folder, site.folder].map((folder) =>
    listFiles(folder).map((name) => [
      name,
      readFileSync(join(folder, name), 'latin1').replaceAll(site.url, 'SITE').replaceAll(project.folder, 'PROJECT'),
    ]),
  );
  const given = [realpathSync(project.path('node_modules')), ...contents];
  return createHash('sha256').update(JSON.stringify(given)).digest('hex');
}
