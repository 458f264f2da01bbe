import { readFileSync } from 'node:fs';
import { dangersIn, HOSTILE_TEXT, withoutOwnColors } from '../hostile-texts.js';
import { expect, filesOf, html, LAUNCH_OPTIONS, test } from './project.js';

test.use({ launchOptions: LAUNCH_OPTIONS });

/** The texts as an expression: Playwright also prints the lines of a list and of a spec, which are no text of a page. */
const TEXT = `decodeURIComponent(${JSON.stringify(encodeURIComponent(HOSTILE_TEXT).replaceAll("'", '%27'))})`;

/** Runs in the page and throws an error whose message and stack have all hostile texts. */
const THROWS = `const error = new Error(${TEXT}); error.stack = error.message; throw error;`;

const LIST = (url: string) => `baseURL: ${url}
pages:
  - { name: script, url: /, javascriptCode: ${JSON.stringify(THROWS)} }
  - { name: title, url: /named.html, strict: true }
  - { name: skipped, url: /, skip: not now }
`;

/** A page whose title looks like an error message, which is a warning that names it. */
const NAMED = html(`<h1>Fine</h1><script>document.title = '404 not found ' + ${TEXT};</script>`);

test('no text of a page is a terminal control or a command of a CI runner in what Playwright and the reporter print', {
  tag: '@quick',
}, async ({ project, site, page }) => {
  site.write({ 'index.html': html('<h1>Home</h1>'), 'named.html': NAMED });
  project.write({
    ...filesOf(LIST(site.url)),
    'own.spec.mjs': `import { expect, test } from 'proofsheet';
test('own', async ({ page }) => {
  await page.goto('${site.url}/');
  await expect(page).toMatchBaseline('thrown', { javascriptCode: ${JSON.stringify(THROWS)} });
});
test('unexpected', async ({ page }) => {
  await page.goto('${site.url}/');
  await page.evaluate((text) => {
    const fail = () => { throw new Error(text); };
    for (const name of ['querySelector', 'querySelectorAll', 'createTreeWalker', 'getAnimations'])
      Object.defineProperty(Document.prototype, name, { value: fail });
    window.getComputedStyle = fail;
  }, ${TEXT});
  await expect(page).toMatchBaseline('broken');
});
`,
  });
  const reporters = 'proofsheet/reporter,list,line,dot,github,junit,html';
  const run = await project.test([`--reporter=${reporters}`], {
    ...{ FORCE_COLOR: '1', NO_COLOR: '', GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: project.path('job.md') },
    GITHUB_WORKSPACE: project.folder,
    PLAYWRIGHT_JUNIT_OUTPUT_FILE: project.path('junit.xml'),
    PLAYWRIGHT_HTML_OPEN: 'never',
  });
  expect(run).toExit(1);
  // Annotations are commands to the runner, by intention.
  const [own, commands] = [/^::(?:error|notice|warning) [^:]*::/, withoutOwnColors(run.output).split('\n')];
  const lines = commands.map((line) => line.replace(own, ''));
  expect(lines.filter((line) => line.includes('evil.test')).length).toBeGreaterThan(10);
  expect(dangersIn(lines.join('\n'))).toEqual([]);
  expect(
    commands.filter((line) => line.startsWith('::error file=pages.yaml,line=4,title=error%3A title::')),
  ).toHaveLength(1);
  expect(readFileSync(project.path('job.md'), 'utf8').trim()).toBe(
    readFileSync(project.path('proofsheet-report/summary.md'), 'utf8').trim(),
  );
  const junit = readFileSync(project.path('junit.xml'), 'utf8');
  expect(dangersIn(junit.replace(/<!\[CDATA\[\n/g, ''))).toEqual([]);
  expect(junit, 'annotations are for our reporter alone').not.toContain('_proofsheet');
  const tags = await page.evaluate((xml) => {
    const document = new DOMParser().parseFromString(xml, 'text/xml');
    return [...document.querySelectorAll('parsererror, failure, error')].map(({ tagName, textContent }) => {
      return `${tagName} ${textContent?.includes('evil.test')}`;
    });
  }, junit);
  expect(tags).toEqual(Array(4).fill('error true'));
});
