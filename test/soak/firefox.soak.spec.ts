import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findFirefox } from '../../src/page/browser/find-browser.js';
import { config, expect, html, SPEC, test } from '../e2e/project.js';
import { WEBKIT_CONFIG, webKitOptions } from '../webkit-window.mjs';

// Firefox as Mozilla and Debian ship it, driven over WebDriver BiDi.
test.beforeAll(() => {
  if (findFirefox(process)) return;
  try {
    execFileSync('apt-get', ['install', '-y', 'firefox-esr'], { stdio: 'ignore', timeout: 300_000 });
  } catch (cause) {
    throw new Error('This test needs Firefox: `apt-get install firefox-esr` failed, and none is in the PATH.', {
      cause,
    });
  }
});

const CANVAS = `<canvas width="300" height="150"></canvas><script>
const pen = document.querySelector('canvas').getContext('2d');
pen.arc(80, 80, 60, 0, 7); pen.fillStyle = '#06c'; pen.fill();
</script>`;

const PAGES: Record<string, string> = {
  text: '<h1>Text</h1><pre>monospace</pre><p lang="ar">عربي</p><p lang="ja">文字</p><p>😀</p>',
  tall: '<h1>Tall</h1><div style="height: 3000px; background: linear-gradient(#fff, #06c)"></div><p>End</p>',
  form: '<form><input value="name"><input type="checkbox" checked><select><option>One</select><textarea>t</textarea></form>',
  sticky:
    '<header style="position: sticky; top: 0; background: #eee">Head</header><div style="height: 1800px">Body</div>',
  table: `<table border="1">${'<tr><td>cell</td><td>another cell</td></tr>'.repeat(20)}</table>`,
  moving:
    '<style>@keyframes turn { to { rotate: 360deg } } b { display: block; width: 90px; animation: turn 1s infinite }</style><b>Turns</b>',
  chain: `<style>b { display: block; width: 90px; transition: translate 0.4s linear }</style><b>0</b><script>
    const slide = document.querySelector('b');
    const go = () => { slide.textContent++; slide.style.translate = slide.textContent + '0px' };
    slide.ontransitionend = () => setTimeout(go, 150);
    setTimeout(go, 200);
  </script>`,
  margin:
    '<style>body { margin: 0; height: 100vh; display: flex } p { margin: 20px; height: 1500px }</style><p>Text</p>',
  cards: '<section class="card"><h2>Free plan</h2></section><section class="card"><h2>Pro plan</h2></section>',
  canvas: CANVAS,
  visited: '<a href="">Link</a>',
  other: '<a href="/other-page.html">Link</a>',
  menu: '<details><summary>Menu</summary><p>Entry</p></details>',
};

test('Firefox captures every page to the same bytes twice, and one real change is all that is found', async ({
  project,
  site,
}) => {
  const write = (pages: Record<string, string>) =>
    site.write(Object.fromEntries(Object.entries(pages).map(([name, body]) => [`${name}.html`, html(body)])));
  write(PAGES);
  const pages = Object.keys(PAGES).map((name) => {
    const more = { menu: ', actions: [{ click: summary }]', cards: ', element: .card, each: true' }[name] ?? '';
    return `  - { name: ${name}, url: /${name}.html${more} }\n`;
  });
  project.write({
    'pages.yaml': `baseURL: ${site.url}
defaults: { fullSize: true }
viewports: { wide: { width: 1280, height: 720 }, narrow: { width: 400, height: 600 } }
pages:
${pages.join('')}`,
    'visual.spec.ts': `${SPEC}import { expect, test } from 'proofsheet';
test('own', async ({ page }) => {
  await page.goto('${site.url}/text.html');
  await expect(page).toMatchBaseline('page');
  await expect(page.locator('h1')).toMatchBaseline('heading');
});
`,
    'playwright.config.ts': config(
      "workers: 2, fullyParallel: true, timeout: 120_000, projects: [{ name: 'firefox', use: { browserName: 'firefox', channel: 'moz-firefox', launchOptions: {} } }],",
    ),
  });
  const first = await project.test(['-u']);
  expect(first).toExit(0);
  expect(first.output.match(/cannot emulate media/g), 'one notice says what does not work').toHaveLength(1);

  expect(await project.test()).toExit(0);
  const { shots } = project.results();
  // Two viewports, two cards, and two images of an own test.
  expect(shots).toHaveLength((Object.keys(PAGES).length + 1) * 2 + 2);
  expect(shots.filter(({ status, summary }) => status !== 'passed' || summary?.mismatchPixels !== 0)).toEqual([]);
  const imageOf = (shotId: string) => {
    const link = shots.find(({ id }) => id === shotId)?.after?.link;
    return readFileSync(project.path(`proofsheet-report/${link}`));
  };
  expect(imageOf('visited/wide').equals(imageOf('other/wide')), 'a link to the page itself looks like others').toBe(
    true,
  );
  expect(shots[0]?.environment).toMatchObject({ browser: 'firefox', fonts: expect.stringMatching(/^[0-9a-f]{12}$/) });

  write({ form: String(PAGES.form).replace(' checked', '') });
  expect(await project.test()).toExit(1);
  const changed = project.statuses().filter((one) => !one.endsWith(': passed'));
  expect(changed).toEqual(['form/narrow: changed', 'form/wide: changed']);
});

test('one list in three browsers has baselines of each, and one group for a change that has one cause in all', async ({
  project,
  site,
}) => {
  const write = (color: string) => {
    site.write({
      'site.css': `/* Colors */\n.buy { color: ${color} }`,
      'shop.html': html('<link rel="stylesheet" href="/site.css"><h1>Shop</h1><button class="buy">Buy</button>'),
    });
  };
  write('#3b82f6');
  const browsers = ['chromium', 'firefox', 'webkit'];
  project.write({
    'pages.yaml': `baseURL: ${site.url}\ndefaults: { scale: device }\npages: [{ name: shop, url: /shop.html, width: 600, height: 300 }]\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': `${WEBKIT_CONFIG}${config(
      `workers: 1, timeout: 120_000, projects: [
        { name: 'chromium', use: { browserName: 'chromium' } },
        { name: 'firefox', use: { browserName: 'firefox', channel: 'moz-firefox', launchOptions: {} } },
        { name: 'webkit', use: ${JSON.stringify(webKitOptions())} },
      ],`,
    )}`,
  });
  expect(await project.test(['-u'])).toExit(0);
  expect(project.files('visual.spec.ts-snapshots')).toHaveLength(browsers.length);
  write('#1d4ed8');
  expect(await project.test()).toExit(1);
  const { shots } = project.results();
  expect(shots.map(({ project: name, status }) => `${name}: ${status}`).sort()).toEqual(
    browsers.map((name) => `${name}: changed`),
  );
  for (const { causes } of shots) {
    expect(causes).toMatchObject([
      {
        ...{ kind: 'restyled', element: 'button.buy', property: 'color', certain: true },
        ...{ before: 'rgb(59, 130, 246)', after: 'rgb(29, 78, 216)' },
        source: { selector: '.buy', file: '/site.css', line: 2 },
      },
    ]);
  }
  expect(new Set(shots.map(({ group }) => group)), 'one decision').toEqual(new Set([expect.any(String)]));
});
