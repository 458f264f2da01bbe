import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { embedText, extractText } from '../../src/image/metadata.js';
import type { Environment } from '../../src/model/environment.js';
import { decodeBaselineRecord, encodeBaselineRecord } from '../../src/model/environment.js';
import { startServer } from './direct.js';
import { config, expect, html, type Project, SPEC, test } from './project.js';

const PAGES = ['a', 'b', 'c'];
const OLD = { browserVersion: '99.0.1', fonts: '0123456789ab' };

/** Makes a baseline say that it was made in another environment; its picture stays as it is. */
function edit(project: Project, name: string, changes: Partial<Environment>): void {
  const path = project.path(`visual.spec.ts-snapshots/${name}`);
  const { text, bare } = extractText(readFileSync(path), 'png');
  const record = decodeBaselineRecord(text ?? '');
  if (!record) throw new Error(`${name} carries no record`);
  const edited = { ...record, environment: { ...record.environment, ...changes } };
  writeFileSync(path, embedText(bare, 'png', encodeBaselineRecord(edited), name));
}

/** A project with three pages that have a dot more once `changed` is called, with baselines of an older browser. */
async function withOldBaselines(project: Project, rule: string, workers = 1) {
  let dot = '';
  const { server, close } = await startServer(({ url }) => html(`<h1>${url.pathname}</h1>${dot}`));
  project.write({
    'pages.yaml': `baseURL: ${server.url}
defaults: { width: 300, height: 200${rule} }
pages: [${PAGES.map((page) => `/${page}`)}]
`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(`workers: ${workers},`),
  });
  expect(await project.test(['-u'])).toExit(0);
  const change = () => {
    dot = '<div style="width: 4px; height: 4px; background: #f00"></div>';
  };
  return { change, close, url: server.url };
}

/** Gives the environment of the last run. */
function environmentOf(project: Project): Environment {
  const { environment } = project.shot('a');
  if (!environment) throw new Error('nothing was captured');
  return environment;
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

test('a run tells once that its baselines were made elsewhere, and only where something differs', async ({
  project,
}) => {
  const { change, close } = await withOldBaselines(project, '', 2);
  for (const page of PAGES) edit(project, `${page}-linux.png`, OLD);
  const same = await project.test();
  expect(same).toExit(0);
  expect(same.output, 'an image that is equal is right in any environment').not.toContain('made with');

  change();
  const run = await project.test();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(PAGES.map((page) => `${page}: changed`));
  const environment = environmentOf(project);
  expect(project.shot('a').baseline?.environment).toEqual({ ...environment, ...OLD });
  const { browserVersion, fonts, os, arch } = environment;
  const notice = `baselines were made with chromium 99.0.1 on ${os}/${arch}, fonts 0123456789ab, this run with chromium ${browserVersion} on ${os}/${arch}, fonts ${fonts}: rendering may differ`;
  expect(run.output).toContain(`notice    ${notice} (3 shots: a, b, c)`);
  for (const text of [run.output, read(project, 'summary.md').replaceAll('\\', '')])
    expect(countOf(text, 'baselines were made with')).toBe(1);
  // The page says it of the run, and of each shot when that is looked at.
  expect(countOf(read(project, 'index.html'), '(3 shots: a, b, c)')).toBe(1);

  const bare = await project.test(['--reporter=line']);
  expect(bare).toExit(1);
  expect(bare.output, 'without our reporter as well').toContain(`proofsheet: ${notice}`);
  expect(countOf(bare.output, 'baselines were made with')).toBe(1);
  close();
});

test('pixels that differ only by anti-aliasing count within one environment, unless the list says otherwise', async ({
  project,
}) => {
  let radius = 20;
  const { server, close } = await startServer(() =>
    html(`<svg width="96" height="96"><circle cx="48" cy="48" r="${radius}" fill="#2563eb"/></svg>`),
  );
  project.write({
    'pages.yaml': `baseURL: ${server.url}
defaults: { width: 300, height: 200 }
pages:
  - { name: same, url: / }
  - { name: other, url: / }
  - { name: ignored, url: /, antialiasing: ignore }
  - { name: counted, url: /, antialiasing: count }
`,
    'visual.spec.ts': SPEC,
    'own.spec.ts': `import { expect, test } from 'proofsheet';
for (const antialiasing of ['auto', 'ignore'] as const) {
  test(antialiasing, async ({ page }) => {
    await page.goto('${server.url}');
    await expect(page.locator('svg')).toMatchBaseline(antialiasing, { antialiasing });
  });
}
`,
    'playwright.config.ts': config(),
  });
  expect(await project.test(['-u'])).toExit(0);
  for (const name of ['other', 'counted']) edit(project, `${name}-linux.png`, OLD);
  radius = 20.1;
  expect(await project.test()).toExit(1);
  close();
  expect(project.statuses()).toEqual([
    ...['counted: changed', 'ignored: passed', 'other: passed'],
    ...['own/auto: changed', 'own/ignore: passed', 'same: changed'],
  ]);
  const figures = ['same', 'other', 'ignored', 'counted'].map((id) => {
    const { mismatchPixels = 0, antialiasedPixels = 0 } = project.shot(id).summary ?? {};
    return [mismatchPixels + antialiasedPixels > 0, mismatchPixels > 0, antialiasedPixels > 0];
  });
  const [counted, apart] = [
    [true, true, false],
    [true, false, true],
  ];
  expect(figures).toEqual([counted, apart, apart, counted]);
});

test('`environment: fail` judges nothing by a baseline of another environment, until it is made anew', async ({
  project,
}) => {
  const { change, close, url } = await withOldBaselines(project, ', environment: fail, maxDiffPixels: 16');
  edit(project, 'a-linux.png', OLD);
  edit(project, 'b-linux.png', { engine: 'odiff 1.0.0' });
  expect(await project.test(), 'equal to the byte').toExit(0);
  change();
  const run = await project.test();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['a: error', 'b: passed', 'c: passed']);
  expect(project.shot('a').reason).toMatch(
    new RegExp(
      `^${url}/a: its baseline was made with chromium 99\\.0\\.1 on .*, fonts 0123456789ab, this run with chromium .*\\(\`environment: fail\`\\)\\. Run it where the baselines were made, or make them again here: npx playwright test --update-snapshots$`,
    ),
  );
  expect(await project.test(['-u']), 'though it is within its limit').toExit(0);
  expect(project.shot('a').written).toBe(true);
  close();
});

test('`environment: separate` keeps baselines of its own for every environment, told apart by their fonts too', async ({
  project,
}) => {
  const { close, url } = await withOldBaselines(project, ', environment: separate');
  const { os, arch, browserVersion, headless, fonts } = environmentOf(project);
  expect(['shell', 'new']).toContain(headless);
  const here = [os, arch, 'chromium', browserVersion, headless, fonts].join('-');
  expect(project.files('visual.spec.ts-snapshots')).toEqual(PAGES.map((page) => `${here}/${page}-linux.png`));
  project.write({
    'own.spec.ts': `import { expect, test } from 'proofsheet';
test('own', async ({ page }) => {
  await page.goto('${url}/a');
  await expect(page).toMatchBaseline('own', { environment: 'separate' });
});
`,
    'fonts.conf': withoutFont(execFileSync('fc-match', ['-f', '%{family[0]}', 'sans-serif'], { encoding: 'utf8' })),
  });
  expect(await project.test(['own.spec.ts', '-u'])).toExit(0);
  expect(project.files('own.spec.ts-snapshots')).toEqual([`${here}/own-linux.png`]);

  const elsewhere = await project.test(['--update-snapshots=none'], { FONTCONFIG_FILE: project.path('fonts.conf') });
  expect(elsewhere).toExit(1);
  expect(project.statuses()).toEqual([...PAGES.map((page) => `${page}: new`), 'own/own: new']);
  expect(environmentOf(project).fonts).toMatch(/^[0-9a-f]{12}$/);
  expect(environmentOf(project).fonts).not.toBe(fonts);
  expect(await project.test(), 'and here all is as it was').toExit(0);
  close();
});

/** A configuration of fonts that lacks one family. */
function withoutFont(family: string): string {
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include>/etc/fonts/fonts.conf</include>
<selectfont><rejectfont><pattern><patelt name="family"><string>${family}</string></patelt></pattern></rejectfont></selectfont>
</fontconfig>`;
}

function read(project: Project, name: string): string {
  return readFileSync(project.path(`proofsheet-report/${name}`), 'utf8');
}
