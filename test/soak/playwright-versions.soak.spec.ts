import { readFileSync } from 'node:fs';
import { installBeside } from '../../scripts/install-package.mjs';
import { look, readImage } from '../e2e/direct.js';
import { config, type Ended, expect, filesOf, html, SPEC, test, withProject } from '../e2e/project.js';

// What other flows do in other versions of Playwright: the end-to-end tests with the tag `@versions`.

const TOO_OLD = ['1.49.1', '1.52.0'];

/** A page with a square for each field, which is lime if the field has its effect, and with a price. */
const shop = (price: string, style = '') =>
  html(
    `${SQUARES.map((id) => `<div id="${id}"></div>`).join('')}<p>${price}</p><script>
      for (const [id, url] of [['mock', '/api/stock'], ['har', 'http://rates.example/eur']])
        fetch(url).then((response) => response.json()).then(({ name }) => document.getElementById(name).className = 'ok');
    </script>`,
    `<style>* { margin: 0 } div { width: 20px; height: 20px; background: red } .ok, #pseudo:hover { background: lime }
      @media (prefers-color-scheme: dark) { #dark { background: lime } } ${style}</style>`,
  );
const SQUARES = ['mock', 'har', 'pseudo', 'dark'];

const HAR_ENTRY = {
  ...{ startedDateTime: '2024-01-01T00:00:00.000Z', time: 1, cache: {}, timings: { send: 0, wait: 1, receive: 0 } },
  request: { method: 'GET', url: 'http://rates.example/eur', headers: [] },
  response: {
    ...{ status: 200, statusText: 'OK', cookies: [], httpVersion: 'HTTP/1.1', redirectURL: '' },
    ...{ headers: [{ name: 'access-control-allow-origin', value: '*' }], headersSize: -1, bodySize: -1 },
    content: { mimeType: 'application/json', text: '{ "name": "har" }', size: 17 },
  },
};

test('fields: serve, modes, pseudo, mock, har, texts, controlled time; compact', {
  tag: '@versions',
}, async ({ project }) => {
  project.write({
    'dist/shop.html': shop('€ 12'),
    'site.har': JSON.stringify({ log: { version: '1.2', creator: { name: 'a', version: '1' }, entries: [HAR_ENTRY] } }),
    'pages.yaml': `serve: dist
modes: { light: {}, dark: { colorScheme: dark } }
pages:
  - url: /shop
    pseudo: { hover: "#pseudo" }
    mock: { "**/api/stock": { body: { name: mock } } }
    har: site.har
    texts: { p: money }
    delay: 9
`,
    'visual.spec.mjs': SPEC,
    'playwright.config.mjs': config().replace(
      /reporter: .*/,
      "reporter: [['proofsheet/reporter', { compact: true }]],",
    ),
  });
  expect(await project.test(['--update-snapshots'])).toExit(0);
  const effects = async (mode: string) => {
    const picture = await look(
      readImage(readFileSync(project.path(`visual.spec.mjs-snapshots/shop/${mode}-linux.png`))),
    );
    return SQUARES.filter((_, index) => picture.at(10, 20 * index + 10) === '#00ff00');
  };
  expect(await effects('light')).toEqual(['mock', 'har', 'pseudo']);
  expect(await effects('dark')).toEqual(SQUARES);

  project.write({ 'dist/shop.html': shop('€ 13.50') });
  expect(await project.test()).toExit(0);
  expect(project.statuses()).toEqual(['shop/dark: passed', 'shop/light: passed']);
  expect(project.shot('shop/dark').durationMs, 'the delay of 9 s passes in the page only').toBeLessThan(9_000);

  project.write({ 'dist/shop.html': shop('€ 13.50', '#pseudo:hover { background: blue }') });
  const changed = await project.test();
  expect(changed).toExit(1);
  expect(changed.output, 'compact prints only this').toMatch(
    /^\nproofsheet: 1 change on 1 of 1 page .*\n.*\n {2}changed +#pseudo: background-color .* 2 shots .*\n {2}report .*\n$/,
  );
});

const OWN = `import { expect, test } from 'proofsheet';
test('own', ({ page }) => expect(page).toMatchBaseline('a'));
`;

for (const version of TOO_OLD)
  test(`Playwright ${version} is below the range: one clear error at the first use`, async ({ site }) => {
    await installBeside(version, version);
    await withProject(version, async (project) => {
      const message = `proofsheet needs @playwright/test 1.53 or later; this project has ${version}.`;
      const expectRefusal = (ended: Ended, code: number) => {
        expect(ended).toExit(code);
        expect(ended.output).toContain(message);
        expect(ended.output).not.toContain('TypeError');
      };
      const files = filesOf(`baseURL: ${site.url}\npages: [/]\n`);
      project.write(files);
      expectRefusal(await project.test(), 1);
      project.write({ 'playwright.config.mjs': config().replace(/reporter: .*/, "reporter: 'list',") });
      const listed = await project.test();
      expectRefusal(listed, 1);
      expect(listed.output.split(message)).toHaveLength(2);
      expectRefusal(await project.proofsheet(['affected']), 2);
      project.write({ 'visual.spec.mjs': OWN });
      expectRefusal(await project.test(), 1);
      project.write({ 'visual.spec.mjs': "import { test } from '@playwright/test';\ntest('own', () => {});\n" });
      expect(await project.test(['--reporter=blob'])).toExit(0);
      project.write(files);
      expectRefusal(await project.playwright(['merge-reports', '--config=playwright.config.mjs', 'blob-report']), 2);
    });
  });
