import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyFolder, expect, filesOf, root, test } from '../e2e/project.js';

/** Pages that nobody here wrote, out of MIT-licensed packages. */
const PAGES = [
  ...['clean-blog/dist/index', 'clean-blog/dist/about', 'clean-blog/dist/post'],
  ...['business-casual/dist/index', 'business-casual/dist/store', 'freelancer/dist/index', 'landing-page/dist/index'],
  ...['grayscale/dist/index', 'spectre/docs/index', 'spectre/docs/elements/forms', 'spectre/docs/elements/buttons'],
  ...['spectre/docs/components/cards', 'spectre/docs/components/avatars'],
];

const PACKAGES: Record<string, string> = {
  'clean-blog': 'startbootstrap-clean-blog',
  'business-casual': 'startbootstrap-business-casual',
  freelancer: 'startbootstrap-freelancer',
  'landing-page': 'startbootstrap-landing-page',
  grayscale: 'startbootstrap-grayscale',
  spectre: 'spectre.css',
};

/** One real change each, in five pages. */
const CHANGES: Record<string, (html: string) => string> = {
  'clean-blog/dist/about': (html) => html.replace('</head>', '<style>h1 { letter-spacing: 1px; }</style></head>'),
  'business-casual/dist/store': (html) => html.replace(/<p\b/, '<p style="color: #7a1f1f"'),
  'landing-page/dist/index': (html) => html.replace(/<h1\b/, '<p style="background: #fee2e2">Notice</p><h1'),
  'spectre/docs/elements/buttons': (html) =>
    html.replace('</head>', '<style>.btn { border-radius: 6px; }</style></head>'),
  'spectre/docs/components/cards': (html) =>
    html.replace('</head>', '<style>.card-title { color: #7a1f1f; }</style></head>'),
};

test('13 real pages: all pass twice, exactly the five that were changed are found', async ({ project, site }) => {
  test.setTimeout(600_000);
  for (const [name, npm] of Object.entries(PACKAGES))
    copyFolder(join(root, 'node_modules', npm), join(site.folder, name));
  const urls = PAGES.map((page) => `  - { name: ${page}, url: /${page}.html }`);
  project.write(filesOf(`baseURL: ${site.url}\ndefaults: { fullSize: true }\npages:\n${urls.join('\n')}\n`));

  expect(await project.test(['--update-snapshots'])).toExit(0);
  expect(project.results().summary).toMatchObject({ expected: PAGES.length, new: PAGES.length });

  expect(await project.test()).toExit(0);
  expect(project.results().summary).toMatchObject({ compared: PAGES.length, passed: PAGES.length });

  for (const [page, change] of Object.entries(CHANGES)) {
    const before = readFileSync(join(site.folder, `${page}.html`), 'utf8');
    expect(change(before) !== before, `${page} has the place to change`).toBe(true);
    site.write({ [`${page}.html`]: change(before) });
  }
  expect(await project.test()).toExit(1);
  const found = project.results().shots.filter(({ status }) => status !== 'passed');
  expect(found.map(({ id, status }) => `${id}: ${status}`).sort()).toEqual(
    Object.keys(CHANGES)
      .map((page) => `${page}: changed`)
      .sort(),
  );
});
