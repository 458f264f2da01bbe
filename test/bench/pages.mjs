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
const SETS = {
  known: { folder: 'bench-pages', bring: bringPages },
  ...Object.fromEntries(
    ['unseen', 'unseen-2', 'unseen-3', 'unseen-4', 'unseen-5'].map((name) => [
      name,
      { folder: `${name}-pages`, bring: (folder) => bringUnseenPages(folder, name) },
    ]),
  ),
};

/**
 * Brings the pages of a set into a folder of the project, once.
 *
 * @param name `known`, `unseen`, `unseen-2`, `unseen-3`, `unseen-4` or `unseen-5`
 * @returns the folder, and the paths of the pages below it
 */
export async function bringSet(name) {
  const set = SETS[name];
  if (!set) throw new Error(`--pages is ${name}: use ${Object.keys(SETS).join(', ')}`);
  const folder = join(root, '.tmp', set.folder);
  return { folder, pages: await set.bring(folder) };
}

/** Encodes the path of a page for a URL. */
export function urlPathOf(page) {
  return page.split('/').map(encodeURIComponent).join('/');
}

/**
 * Brings 119 real pages from the npm registry into a folder, once.
 *
 * @returns their paths below the folder, sorted.
 */
export async function bringPages(folder) {
  mkdirSync(folder, { recursive: true });
  for (const spec of PACKAGES) {
    const place = join(folder, spec);
    if (!existsSync(place)) await unpack(spec, folder, place);
  }
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.html') && !NO_PAGE.test(`/${path}`))
    .sort();
}

async function unpack(spec, folder, place) {
  const code = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder, spec], {
    quiet: true,
  });
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  if (code !== 0 || !archive) throw new Error(`${spec} cannot be had from the npm registry`);
  await run('tar', ['xzf', join(folder, archive), '-C', folder], { quiet: true });
  renameSync(join(folder, 'package'), place);
  rmSync(join(folder, archive));
}
