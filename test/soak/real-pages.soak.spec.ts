import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { config, copyFolder, expect, root, SPEC, test } from '../e2e/project.js';

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

test('13 real pages: all pass twice, exactly the five that were changed are found, approval makes them pass', async ({
  project,
  site,
}) => {
  test.setTimeout(600_000);
  for (const [name, npm] of Object.entries(PACKAGES))
    copyFolder(join(root, 'node_modules', npm), join(site.folder, name));
  const urls = PAGES.map((page) => `  - { name: ${page}, url: /${page}.html }`);
  project.write({
    'pages.yaml': `baseURL: ${site.url}\ndefaults: { fullSize: true }\npages:\n${urls.join('\n')}\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });

  const baseline = await project.test(['--update-snapshots']);
  expect(baseline).toExit(0);
  expect(project.results().summary).toMatchObject({
    expected: PAGES.length,
    captured: PAGES.length,
    new: PAGES.length,
  });

  const unchanged = await project.test();
  expect(unchanged).toExit(0);
  expect(project.results().summary).toMatchObject({ compared: PAGES.length, passed: PAGES.length });

  for (const [page, change] of Object.entries(CHANGES)) {
    const file = join(site.folder, `${page}.html`);
    const before = readFileSync(file, 'utf8');
    expect(change(before) !== before, `${page} has the place to change`).toBe(true);
    rmSync(file);
    writeFileSync(file, change(before));
  }
  const changed = await project.test();
  expect(changed).toExit(1);
  const found = project.results().shots.filter(({ status }) => status !== 'passed');
  expect(found.map(({ id, status }) => `${id}: ${status}`).sort()).toEqual(
    Object.keys(CHANGES)
      .map((page) => `${page}: changed`)
      .sort(),
  );
  for (const shot of found) {
    for (const image of [shot.before, shot.after, shot.diff]) {
      expect(project.exists(join('proofsheet-report', image?.link ?? 'none')), `${shot.id} has its images`).toBe(true);
    }
  }

  const approved = await project.test(['--update-snapshots']);
  expect(approved).toExit(0);
  expect(project.statuses().filter((status) => !status.endsWith(': passed'))).toEqual(
    Object.keys(CHANGES)
      .map((page) => `${page}: changed`)
      .sort(),
  );
  expect(project.results().summary).toMatchObject({ changed: 5, written: 5, passed: PAGES.length - 5 });

  const again = await project.test();
  expect(again).toExit(0);
  expect(project.results().summary).toMatchObject({ passed: PAGES.length });
});
