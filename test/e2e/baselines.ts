import { rmSync } from 'node:fs';
import { expect, filesOf, html, type Project, type Site } from './project.js';

/** Snapshot folder of the spec that {@link prepareTwoPages} writes. */
export const SNAPSHOTS = 'visual.spec.mjs-snapshots';

/**
 * Returns a list with the pages `about` and `home`. `more` is more pages. Tests change `home`, which is
 * the last one: after a failed test, Playwright starts another worker and browser.
 */
export function twoPages(site: Site, more = ''): string {
  return `baseURL: ${site.url}\npages:\n  - { name: about, url: /about.html }\n  - { name: home, url: / }\n${more}`;
}

/** Writes a project with the pages `home` and `about`, and their baselines. */
export async function prepareTwoPages(project: Project, site: Site): Promise<void> {
  site.write({ 'index.html': html('<h1>Home</h1>'), 'about.html': html('<h1>About</h1>') });
  project.write(filesOf(twoPages(site)));
  await makeBaselines(project);
}

/** Gives a project the baselines of its pages by a run that must pass, and removes what else that run wrote. */
export async function makeBaselines(project: Project): Promise<void> {
  expect(await project.test(['--update-snapshots'])).toExit(0);
  for (const folder of ['proofsheet-report', 'test-results'])
    rmSync(project.path(folder), { recursive: true, force: true });
}
