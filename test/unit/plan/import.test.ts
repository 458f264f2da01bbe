import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readImport } from '../../../src/plan/import/read-import.js';
import { renderList } from '../../../src/plan/import/render-list.js';
import { importSitemap, readSitemap } from '../../../src/plan/import/sitemap.js';
import { readPlan } from '../../../src/plan/read-list.js';

const folder = mkdtempSync(join(tmpdir(), 'proofsheet-import-'));
const specimen = (name: string) => fileURLToPath(new URL(`../../../fixtures/lists/import/${name}`, import.meta.url));

/** Imports a file, and reads what came of it: as text, as YAML, and as a page list that must be right. */
function imported(file: string) {
  const { tool, list } = readImport(file);
  const text = renderList(list);
  const path = join(folder, 'pages.yaml');
  writeFileSync(path, text);
  return { tool, text, list: parse(text), plan: readPlan(path, { env: {}, devices: [] }) };
}

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('BackstopJS', () => {
  const { tool, text, list, plan } = imported(specimen('backstop.json'));
  const [home, product, other] = list.pages;

  test('becomes a list that is right, with a shot for each scenario, viewport and selector', () => {
    expect(tool).toBe('BackstopJS');
    expect(plan.shots.map(({ id }) => id)).toEqual([
      ...['Home / start/phone', 'Home / start/desktop', 'Home / start/tablet'],
      ...['Product/tablet/gallery', 'Product/tablet/price'],
      ...['Product-2/phone', 'Product-2/desktop', 'Product-2/tablet'],
    ]);
    expect(list.viewports).toEqual({
      phone: { width: 320, height: 480 },
      desktop: { width: 1280, height: 800 },
      tablet: { width: 768, height: 1024 },
    });
  });

  test('misMatchThreshold is a percentage there, and a ratio here', () => {
    expect([home.maxDiffPixelRatio, product.maxDiffPixelRatio]).toEqual([0.05, 0.001]);
  });

  test('milliseconds are seconds; what is done is done in the same order', () => {
    expect(home).toMatchObject({ delay: 0.5, before: 'https://www.example.com/', waitFor: ['.ready'], fullSize: true });
    expect(home.actions).toEqual([
      { fill: { selector: '#q', value: 'shoes' } },
      { hover: '.menu a' },
      { click: '.menu' },
      { click: '.menu .more' },
      { wait: 0.25 },
      { scrollTo: '#footer' },
    ]);
    expect(home).toMatchObject({ hide: ['.ads', '#clock'], remove: ['.chat'] });
    expect(product.delay).toBe(10);
    expect(other).toMatchObject({ fullSize: false, url: '/site/about.html' });
  });

  test('what looks like a variable of ours stays the text that it was', () => {
    expect(text).toContain('price=$${low}');
    expect(plan.shots[3]?.url).toMatch(/p\?price=\$\{low\}$/);
  });

  test('each field that has no equivalent is a comment where it stood', () => {
    for (const note of [
      ...['requireSameDimensions', 'cookiePath', 'readyEvent', 'expect: 2', 'madeUp has no equivalent here'],
      ...['onReadyScript', 'paths', 'engine: ', 'asyncCaptureLimit', 'dockerCommandTemplate has no equivalent here'],
      ...['delay: 15000 ms', 'file:///site/about.html is a file', 'another page has the name Product'],
    ]) {
      expect(text).toMatch(new RegExp(`^ *# .*${note}`, 'm'));
    }
  });

  test('the limit of the whole config holds where a scenario has none', () => {
    const scenarios = [
      { label: 'a', url: 'https://a.test/' },
      { label: 'b', url: 'https://a.test/b', misMatchThreshold: 0 },
    ];
    const config = written('limit.json', JSON.stringify({ misMatchThreshold: 2, scenarios }));
    expect(imported(config).list.pages.map((page: object) => Reflect.get(page, 'maxDiffPixelRatio'))).toEqual([
      0.02, 0,
    ]);
  });

  test('the time of one wait never cuts that of the whole shot', () => {
    const timeouts = [2000, 45_000].map((readyTimeout) => {
      const config = { scenarios: [{ label: 'a', url: 'https://a.test/', readyTimeout }] };
      return imported(written('ready.json', JSON.stringify(config))).list.pages[0].timeout;
    });
    expect(timeouts).toEqual([undefined, 45]);
  });

  test('where it has no limit, the note says that it lets pass what we do not', () => {
    const bare = written('bare.json', '{"scenarios":[{"label":"a","url":"https://a.test/"}]}');
    expect(imported(bare).text).toContain('# BackstopJS lets 0.1 % of the pixels differ; here none may');
  });
});

describe('Percy', () => {
  const { tool, text, list, plan } = imported(specimen('percy.yml'));
  const shop = list.pages[1];

  test('becomes a list that is right, its widths viewports, its additional snapshots states', () => {
    expect(tool).toBe('Percy');
    expect(list).toMatchObject({ baseURL: 'http://localhost:8080', defaults: { fullSize: true } });
    expect(list.viewports).toMatchObject({
      '375': { width: 375, height: 1024 },
      '768x900': { width: 768, height: 900 },
    });
    expect(plan.shots.map(({ id }) => id)).toEqual([
      ...['plain.html/375', 'plain.html/1280'],
      ...['Shop/768x900', 'Shop/1280x900', 'Shop/768x900/- menu open', 'Shop/1280x900/- menu open'],
    ]);
  });

  test('converts its words, also those with dashes', () => {
    expect(shop).toMatchObject({ waitFor: ['.loaded'], delay: 1.5, element: 'main', tags: ['smoke', 'checkout'] });
    expect(shop.ignore).toEqual(['.clock']);
    expect(shop.javascriptCode).toBe(
      `document.querySelector('.accept').click()\nwindow.scrollTo(0, 0)\ndocument.head.append(Object.assign(document.createElement('style'), { textContent: ".ad { display: none }" }));`,
    );
  });

  test('says what it cannot', () => {
    for (const note of ['beforeResize', 'regions: 1 of them', 'readiness: ', 'exclude: ']) expect(text).toContain(note);
  });

  test('may be a bare list of URLs', () => {
    const { tool, plan } = imported(written('urls.yml', '- https://a.test/x\n- https://a.test/y\n'));
    expect([tool, plan.shots.length]).toEqual(['Percy', 4]);
  });
});

describe('Lost Pixel', () => {
  const { tool, text, list, plan } = imported(specimen('lostpixel.config.js'));

  test('is read without being run, and becomes a list that is right', () => {
    expect(tool).toBe('Lost Pixel');
    expect(list).toMatchObject({ baseURL: 'http://localhost:3000' });
    expect(list.defaults).toEqual({ fullSize: true, maxDiffPixelRatio: 0.001, engine: 'odiff', mask: ['.ad'] });
    expect(plan.shots.map(({ id }) => id)).toEqual([
      ...['landing/640', 'landing/1280', 'app/640', 'app/1280', 'docs/640'],
    ]);
  });

  test('a threshold below 1 is a share, any other a count', () => {
    const [landing, app] = list.pages;
    expect(landing.maxDiffPixelRatio).toBe(0.05);
    expect(app).toMatchObject({ maxDiffPixels: 40, delay: 2, mask: ['.clock'], url: '/app?tab=a' });
    expect(app.maxDiffPixelRatio).toBe(undefined);
  });

  test('says what it cannot', () => {
    for (const note of ['flakynessRetries', 'beforeScreenshot has no equivalent']) expect(text).toContain(note);
  });

  test.each([
    ['has a variable in it', 'export const config: CustomProjectConfig = { pageShots: { pages: PAGES } };'],
    ['calls something', 'export const config = { pageShots: make() };'],
    ['has no object', 'export default make();'],
    ['does not end', 'export default { pageShots: {'],
  ])('is refused where it %s', (_, text) => {
    expect(() => readImport(written('odd.config.ts', text))).toThrow(/save what it exports as JSON/);
  });
});

describe('shot-scraper', () => {
  const { tool, text, list, plan } = imported(specimen('shots.yml'));
  const [home, chart, about, old] = list.pages;

  test('becomes a list that is right: the file is the name, its ending the format', () => {
    expect(tool).toBe('shot-scraper');
    expect(plan.shots.map(({ id }) => id)).toEqual(['home', 'Chart', 'about', 'old']);
    expect(home).toEqual({ name: 'home', url: 'https://www.example.com', fullSize: true });
    expect(chart).toMatchObject({ format: 'jpeg', quality: 70, width: 900, height: 600, delay: 2 });
    expect(chart.fullSize).toBe(undefined);
    expect(chart.javascriptCode).toMatch(/^while \(!\(document.querySelector\('canvas'\)\)\) await .*\ndocument\.body/);
    expect(about).toMatchObject({ url: '/about.html', element: '.team' });
    expect(old).toMatchObject({ skip: expect.any(String) });
  });

  test('says what it cannot', () => {
    for (const note of [
      'server: start servers by webServer',
      'selectors: one image',
      'padding',
      'omit_background has no',
    ]) {
      expect(text).toContain(note);
    }
  });
});

describe('no field is lost without a word:', () => {
  const backstop = {
    ...{ id: 'x', debug: true, openReport: true, asyncCaptureLimit: 5, asyncCompareLimit: 5, misMatchThreshold: 3 },
    ...{ report: ['CI'], paths: { ci_report: 'x' }, engine: 'playwright', engineOptions: { args: ['-x'] } },
    ...{
      dockerCommandTemplate: 'x',
      resembleOutputOptions: { ignoreAntialiasing: true },
      requireSameDimensions: false,
    },
    ...{ onBeforeScript: 'a.js', onReadyScript: 'b.js', viewports: [{ label: 'phone', width: 320, height: 480 }] },
    scenarioDefaults: { delay: 300 },
    scenarios: [
      {
        ...{ label: 'a', url: 'https://a.test/', referenceUrl: 'https://b.test/', cookiePath: 'c.json', expect: 2 },
        ...{ readyEvent: 'r', readySelector: '.r', readyTimeout: 9000, removeSelectors: ['.x'], hideSelectors: ['.h'] },
        ...{ clickSelector: '.c', clickSelectors: ['.d'], hoverSelector: '.e', hoverSelectors: ['.f'] },
        ...{ postInteractionWait: 50, scrollToSelector: '.s', selectors: ['.t'], selectorExpansion: false },
        ...{
          keyPressSelectors: [{ selector: '#k', keyPress: 'v' }],
          gotoParameters: { waitUntil: 'x' },
          variants: [1],
        },
      },
    ],
  };
  const percy = {
    ...{ version: 2, 'base-url': 'http://a.test', references: { x: 1 }, include: '/a', exclude: '/b', options: [{}] },
    snapshots: [
      {
        ...{ name: 'a', url: '/a', widths: [400], 'min-height': 900, waitForSelector: '.w', waitForTimeout: 50 },
        ...{ percyCSS: 'a{}', scope: '.s', execute: { beforeResize: 'x()' }, labels: 'l', enableJavaScript: true },
        ...{ readiness: { preset: 'strict' }, browsers: ['firefox'], discovery: { disableCache: true }, sync: true },
        regions: [{ elementSelector: { elementCSS: '.ad' }, algorithm: 'ignore' }],
        additionalSnapshots: [{ prefix: 'p', suffix: 's', waitForTimeout: 50, minHeight: 400, domTransformation: 'x' }],
      },
      {},
    ],
  };
  const lostPixel = {
    ...{ lostPixelProjectId: 'x', apiKey: 'x', failOnDifference: true, generateOnly: true, flakynessRetries: 2 },
    ...{ threshold: 0.2, compareEngine: 'odiff', shotConcurrency: 2, browser: 'firefox', waitBeforeScreenshot: 50 },
    ...{ storybookShots: { storybookUrl: 'x' }, imagePathBaseline: 'x', beforeScreenshot: 'x' },
    pageShots: {
      ...{ baseUrl: 'http://a.test', pagesJsonUrl: '/p', mask: [{ selector: '.m' }], breakpoints: [400] },
      pages: [{ path: '/a', name: 'a', id: 'x', threshold: 3, waitBeforeScreenshot: 60, mask: [{ selector: '.n' }] }],
    },
  };
  const shotScraper = [
    { server: 'x', sh: 'y' },
    {
      ...{ url: 'https://a.test', output: 'a.png', width: 500, height: 400, selector: '.a', wait: 50, wait_for: 'x' },
      ...{ javascript: 'y()', js_file: 'z.js', padding: 3, quality: 50, skip_shot: true, leave_server: true },
    },
    { url: 'https://b.test', selector_all: '.b', python: 'x', omit_background: true },
    { url: 'https://c.test', selectors: ['.b'], selectors_all: ['.c'] },
  ];

  test.each([
    ['BackstopJS', backstop],
    ['Percy', percy],
    ['Lost Pixel', lostPixel],
    ['shot-scraper', shotScraper],
  ])('of %s each changes the list or is a comment in it', (tool, source) => {
    const whole = imported(written('whole.json', JSON.stringify(source)));
    expect(whole.tool).toBe(tool);
    const silent = lesser(source).filter(({ value }) => {
      const path = written('less.json', JSON.stringify(value));
      return renderList(readImport(path).list) === whole.text;
    });
    expect(silent.map(({ without }) => without)).toEqual([]);
    expect(whole.text, 'a list is no place for it').not.toContain('apiKey: x');
  });

  /** Gives a list once for each of its fields, without that one: down to the fields of pages, but for what makes it one. */
  function lesser(source: unknown): { without: string; value: unknown }[] {
    if (Array.isArray(source)) {
      return source.flatMap((item, index) =>
        lesser(item).map(({ without, value }) => ({ without, value: source.with(index, value) })),
      );
    }
    if (typeof source !== 'object' || source === null) return [];
    return Object.entries(source).flatMap(([name, value]) => {
      const { [name]: _, ...rest }: Record<string, unknown> = { ...source };
      const inner = LISTS.includes(name) ? lesser(value) : [];
      const around = inner.map((one) => ({ ...one, value: { ...source, [name]: one.value } }));
      return [...(NEEDED.includes(name) ? [] : [{ without: name, value: rest }]), ...around];
    });
  }

  const LISTS = ['scenarios', 'snapshots', 'pageShots', 'pages', 'additionalSnapshots'];
  const NEEDED = ['scenarios', 'snapshots', 'pageShots', 'pages', 'url'];
});

describe('a file that is no list of these', () => {
  test.each([
    ['nope.json', null, 'there is no such file'],
    ['a.json', '{"a":1}', 'it is no list of BackstopJS, Percy, Lost Pixel or shot-scraper'],
    ['b.json', '{', 'it cannot be read'],
    ['c.yml', '', 'it is no list of'],
    ['d.json', '{"scenarios":[]}', 'this list of BackstopJS has no pages'],
    ['e.yml', '- &a [*a]', 'this list of Percy has no pages'],
    ['f.json', '{"scenarios":"x"}', 'has no pages'],
    ['g.json', '{"pageShots":[]}', 'has no pages'],
  ])('is refused by name: %s', (name, text, found) => {
    const path = text === null ? join(folder, name) : written(name, text);
    expect(() => readImport(path)).toThrow(found);
  });

  test('of hostile shapes makes no list that is wrong, or none', () => {
    const odd = [
      null,
      5,
      'x',
      [],
      {},
      [null],
      { label: {} },
      { url: {} },
      { url: '/', label: 'a\nb', delay: 'soon', viewports: 3 },
    ];
    for (const scenario of odd) {
      expect(
        () => imported(written('odd.json', JSON.stringify({ scenarios: [scenario] }))),
        JSON.stringify(scenario),
      ).not.toThrow(TypeError);
    }
  });
});

describe('a sitemap', () => {
  const urlset = (urls: readonly string[]) =>
    `<?xml version="1.0"?><urlset xmlns="x">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

  test('gives the pages of its own site, each once, as paths', () => {
    const { kind, urls } = readSitemap(
      urlset([
        ...[
          'https://a.test/',
          ' https://a.test/shop?x=1&amp;y=2 ',
          '<![CDATA[https://a.test/docs/]]>',
          'https://a.test/',
        ],
        ...['https://b.test/', 'javascript:alert(1)', 'nonsense'],
      ]),
    );
    expect(kind).toBe('pages');
    const list = importSitemap('https://a.test/sitemap.xml', urls);
    expect(list.pages.map(({ page }) => page.url)).toEqual(['/', '/shop?x=1&y=2', '/docs/']);
    expect(renderList(list)).toBe(`# yaml-language-server: $schema=./node_modules/proofsheet/pages.schema.json
# the sitemap names 1 page of other sites, which were left out
baseURL: https://a.test
defaults:
  fullSize: true
pages:
  - /
  - /shop?x=1&y=2
  - /docs/
`);
  });

  test('may be an index of others, or plain text', () => {
    expect(readSitemap('<sitemapindex><sitemap><loc>https://a.test/1.xml</loc></sitemap></sitemapindex>')).toEqual({
      kind: 'sitemaps',
      urls: ['https://a.test/1.xml'],
    });
    expect(readSitemap('https://a.test/x\nhttps://a.test/y\n').urls).toHaveLength(2);
  });
});
