import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../../scripts/run.mjs';
import { bringUnseenPages } from './unseen/install.mjs';

/** Packages of real pages that nobody here wrote: themes, and the documentation of style sheets and widgets. */
const PACKAGES = [
  'argon-design-system-free@1.2.0',
  'material-kit@2.0.4',
  'owl.carousel@2.3.4',
  'spectre.css@0.5.9',
  'startbootstrap-business-casual@7.0.9',
  'startbootstrap-clean-blog@6.0.9',
  'startbootstrap-freelancer@7.0.7',
  'startbootstrap-grayscale@7.0.6',
  'startbootstrap-landing-page@6.0.6',
  'startbootstrap-new-age@6.0.7',
];

/** What are no pages: parts of some, tests, sources. */
const NO_PAGE = /node_modules|\/plugins\/|\/partials\/|\/test\/|\/src\//;

/** The sets of real pages. Those of the unseen sets were not used during development. */
const SETS = ['known', 'unseen', 'unseen-2', 'unseen-3', 'unseen-4', 'unseen-5'];

export const CORPUS = join(root, '.tmp', 'bench-pages');

/** Names of pages that move by themselves. */
const MOVING = /carousel|owl|animat|viewer-360|loading/i;

export function emptyFolder(name) {
  const folder = join(root, '.tmp', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Brings the pages of a set into a folder of the project, once.
 *
 * @param name `known`, `unseen`, `unseen-2`, `unseen-3`, `unseen-4` or `unseen-5`
 * @returns the folder, and the paths of the pages below it
 */
export async function bringSet(name) {
  if (!SETS.includes(name)) throw new Error(`--pages is ${name}: use ${SETS.join(', ')}`);
  if (name === 'known') return { folder: CORPUS, pages: await bringPages() };
  const folder = join(root, '.tmp', `${name}-pages`);
  return { folder, pages: bringUnseenPages(folder, name) };
}

export function urlPathOf(page) {
  return page.split('/').map(encodeURIComponent).join('/');
}

/**
 * Brings 119 real pages from the npm registry, once.
 *
 * @returns their paths below {@link CORPUS}, sorted.
 */
export async function bringPages() {
  mkdirSync(CORPUS, { recursive: true });
  for (const spec of PACKAGES) {
    const place = join(CORPUS, spec);
    if (!existsSync(place)) await unpack(spec, CORPUS, place);
  }
  return readdirSync(CORPUS, { recursive: true })
    .filter((path) => path.endsWith('.html') && !NO_PAGE.test(`/${path}`))
    .sort();
}

/** Brings the pages of them that do not move by themselves: what is measured on them is the comparison. */
export async function bringStillPages() {
  return (await bringPages()).filter((path) => !MOVING.test(path));
}

/** Unpacks a package of the npm registry to `place`, by way of a folder. */
export async function unpack(spec, folder, place) {
  const code = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder, spec], {
    quiet: true,
  });
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  if (code !== 0 || !archive) throw new Error(`${spec} cannot be had from the npm registry`);
  mkdirSync(join(folder, 'package'));
  await run('tar', ['xzf', join(folder, archive), '-C', join(folder, 'package'), '--strip-components=1'], {
    quiet: true,
  });
  renameSync(join(folder, 'package'), place);
  rmSync(join(folder, archive));
}
