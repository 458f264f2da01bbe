import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, listFiles, type Project, root, type Site } from './project.js';

/** Where baselines are kept for the tests of a run; the set-up empties it. */
export const KEPT = join(root, '.tmp', 'e2e-baselines');

/**
 * Gives a project the baselines of its pages: by a run that has to be green or, where a test before it had the very same
 * files, pages and Playwright, what that run wrote.
 *
 * It is for tests that begin with baselines. Those that look at how baselines are made, or at the report, make a run.
 */
export async function makeBaselines(project: Project, site: Site): Promise<void> {
  const kept = join(KEPT, `${fingerprint(project, site)}.json`);
  if (existsSync(kept)) {
    const files: [string, string][] = JSON.parse(readFileSync(kept, 'utf8'));
    project.write(Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.from(bytes, 'base64')])));
    return;
  }
  expect(await project.test(['--update-snapshots'])).toExit(0);
  const written = project.files('.').filter((name) => name.includes('-snapshots/'));
  expect(written.length).toBeGreaterThan(0);
  mkdirSync(KEPT, { recursive: true });
  // Another test may write the same at this moment: a file is moved there as a whole.
  const own = project.path('kept.json');
  writeFileSync(own, JSON.stringify(written.map((name) => [name, readFileSync(project.path(name), 'base64')])));
  renameSync(own, kept);
}

/** Is the same for tests that differ in nothing but their folders and the port of their site. */
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
