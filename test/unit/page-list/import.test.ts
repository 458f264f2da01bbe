import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { renderList } from '../../../src/page-list/import/imported.js';
import { importSitemap, readImport, readSitemap } from '../../../src/page-list/import/read-import.js';
import { readPlan } from '../../../src/page-list/read-list.js';

const folder = mkdtempSync(join(tmpdir(), 'proofsheet-import-'));
const specimen = (name: string) => fileURLToPath(new URL(`../../../fixtures/lists/import/${name}`, import.meta.url));

const SCHEMA = './node_modules/proofsheet/pages.schema.json';

/** Imports a file, and reads what came of it: as text, as YAML, and as a page list that must be right. */
async function imported(file: string) {
  const { tool, list } = await readImport(file, { allowCode: true });
  const text = renderList(list, SCHEMA);
  const path = join(folder, 'pages.yaml');
  writeFileSync(path, text);
  return { tool, text, list: parse(text), plan: readPlan(path, { env: {}, devices: [] }) };
}

const specimens = {
  BackstopJS: await imported(specimen('backstop.json')),
  Percy: await imported(specimen('percy.yml')),
  'Lost Pixel': await imported(specimen('lostpixel.config.js')),
  'shot-scraper': await imported(specimen('shots.yml')),
};

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('BackstopJS', () => {
  const { tool, text, list, plan } = specimens.BackstopJS;
  const [home, product, other] = list.pages;

  test('becomes a list that is right, with a shot for each scenario, viewport and selector', () => {
    expect(tool).toBe('BackstopJS');
    expect(plan.shots.map(({ id }) => id)).toEqual([
      ...['Home / start/phone', 'Home / start/desktop'],
      ...['Product/tablet/gallery', 'Product/tablet/price'],
      ...['Product-2/phone', 'Product-2/desktop'],
    ]);
    expect(list.viewports).toEqual({
      phone: { width: 320, height: 480 },
      desktop: { width: 1280, height: 800 },
      tablet: { width: 768, height: 1024 },
    });
  });

  test('misMatchThreshold is a percentage there, and a ratio here', () => {
    expect(list.defaults).toEqual({ maxDiffPixelRatio: 0.001 });
    expect([home.maxDiffPixelRatio, product.maxDiffPixelRatio]).toEqual([0.05, undefined]);
  });

  test('referenceUrl is a comment, because a page with before has no baseline', () => {
    expect(home.before).toBe(undefined);
    expect(plan.shots.filter(({ before }) => before !== null)).toEqual([]);
    expect(text).toMatch(/^ *# referenceUrl: .* each run instead, add before: https:\/\/www\.example\.com\/$/m);
  });

  test('referenceUrl is shown without its password', async () => {
    const scenarios = [{ label: 'a', url: 'https://a.test/', referenceUrl: 'https://me:hunter2@b.test/' }];
    const { text } = await imported(written('password.json', JSON.stringify({ scenarios })));
    expect(text).toContain('add before: https://***@b.test/');
  });

  test('ignoreAntialiasing is antialiasing: ignore, and other options of resemble.js are named', async () => {
    const scenarios = [{ label: 'a', url: 'https://a.test/' }];
    const options = (resembleOutputOptions: object) =>
      imported(written('resemble.json', JSON.stringify({ resembleOutputOptions, scenarios })));
    const { list, text } = await options({ ignoreAntialiasing: true, usePreciseMatching: true });
    expect(list.defaults).toEqual({ maxDiffPixelRatio: 0.001, antialiasing: 'ignore' });
    expect(text).toContain('# resembleOutputOptions: usePreciseMatching: no equivalent in proofsheet');
    expect(text).not.toContain('ignoreAntialiasing');
    expect((await options({ ignoreAntialiasing: false })).list.defaults).toEqual({ maxDiffPixelRatio: 0.001 });
  });

  test('selectorExpansion is a comment at a page with an element, and no other', async () => {
    const page = (label: string, more: object) => ({ label, url: `https://a.test/${label}`, ...more });
    const scenarios = [
      page('all', { selectors: ['.card'], selectorExpansion: true }),
      page('first', { selectors: ['.card'], selectorExpansion: false }),
      page('whole', { selectors: [], selectorExpansion: true }),
      page('seen', { selectors: ['viewport'], selectorExpansion: 'true' }),
    ];
    const config = written('expansion.json', JSON.stringify({ scenarios }));
    const { list } = await readImport(config, { allowCode: false });
    expect(list.pages.map(({ notes }) => notes)).toEqual([
      ['selectorExpansion: element must match one element; add a state for each element that BackstopJS captures'],
      ['selectorExpansion: element must match one element; BackstopJS captures the first that matches'],
      [],
      [],
    ]);
  });

  test('selectors whose names are equal in files are states of their own', async () => {
    const scenarios = [{ label: 'a', url: 'https://a.test/', selectors: ['.a b', '.a.b', '.a:b'] }];
    const { plan } = await imported(written('alike-selectors.json', JSON.stringify({ scenarios })));
    expect(plan.shots.map(({ id }) => id)).toEqual(['a/a-b', 'a/a.b', 'a/a-b-2']);
  });

  test('a size or a wait out of bounds is limited, with a note', async () => {
    const viewports = [{ label: 'wide', width: 9000, height: 50 }];
    const scenarios = [{ label: 'a', url: 'https://a.test/', clickSelector: '.a', postInteractionWait: 12_000 }];
    const { text, list } = await imported(written('bounds.json', JSON.stringify({ viewports, scenarios })));
    expect(list.viewports).toEqual({ wide: { width: 8000, height: 100 } });
    expect(text).toContain('# viewport wide: 9000x50 is out of range; 8000x100 is used');
    expect(text).toContain('# postInteractionWait: 12000 ms is above the maximum wait of 10 s');
  });

  test('milliseconds are seconds; what is done is done in the same order', () => {
    expect(home).toMatchObject({ delay: 0.5, waitFor: ['.ready'], fullSize: true });
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
      ...['requireSameDimensions', 'cookiePath', 'readyEvent', 'expect: ', 'madeUp: no equivalent in proofsheet'],
      ...[
        'onReadyScript',
        'paths',
        'engine: ',
        'asyncCaptureLimit',
        'dockerCommandTemplate: no equivalent in proofsheet',
      ],
      ...['delay: 15000 ms', 'file:///site/about.html is a file', 'renamed, because another page has the name Product'],
    ]) {
      expect(text).toMatch(new RegExp(`^ *# .*${note}`, 'm'));
    }
  });

  test('the limit of the whole config holds where a scenario has none', async () => {
    const scenarios = [
      { label: 'a', url: 'https://a.test/' },
      { label: 'b', url: 'https://a.test/b', misMatchThreshold: '0' },
    ];
    const config = written('limit.json', JSON.stringify({ misMatchThreshold: 2, scenarios }));
    const { list } = await imported(config);
    expect(list.defaults).toEqual({ maxDiffPixelRatio: 0.02 });
    expect(list.pages.map((page: object) => Reflect.get(page, 'maxDiffPixelRatio'))).toEqual([undefined, 0]);
  });

  test('the time of one wait never cuts that of the whole shot', async () => {
    const scenarios = [2000, 45_000].map((readyTimeout) => ({ label: 'a', url: 'https://a.test/', readyTimeout }));
    const { list } = await imported(written('ready.json', JSON.stringify({ scenarios })));
    expect(list.pages.map((page: object) => Reflect.get(page, 'timeout'))).toEqual([undefined, 45]);
  });

  test('a scenario whose list of selectors is empty captures the whole page', async () => {
    const scenarios = [{ label: 'a', url: 'https://a.test/', selectors: [] }];
    const { list } = await imported(written('empty.json', JSON.stringify({ scenarios })));
    expect(list.pages[0].fullSize).toBe(true);
  });

  test('viewports of a scenario stay its own, also where two scenarios name different sizes alike', async () => {
    const viewports = [{ label: 'desktop', width: 1280, height: 800 }];
    const scenarios = [
      { label: 'a', url: 'https://a.test/' },
      { label: 'b', url: 'https://a.test/b', viewports: [{ label: 'Desktop', width: 1920, height: 1080 }] },
      { label: 'c', url: 'https://a.test/c', viewports: [...viewports, { label: 'phone', width: 320, height: 480 }] },
    ];
    const { list, plan } = await imported(written('sizes.json', JSON.stringify({ viewports, scenarios })));
    expect(plan.shots.map(({ id }) => id)).toEqual(['a/desktop', 'b/Desktop-1920x1080', 'c/desktop', 'c/phone']);
    expect(list.viewports['Desktop-1920x1080']).toEqual({ width: 1920, height: 1080 });
    expect(list.pages[0].viewports).toEqual(['desktop']);
  });

  test('without a limit has the default of BackstopJS, and says that its colors are compared less strictly', async () => {
    const { text, list } = await imported(
      written('bare.json', '{"scenarios":[{"label":"a","url":"https://a.test/"}]}'),
    );
    expect(list.defaults).toEqual({ maxDiffPixelRatio: 0.001 });
    expect(text).toContain('# BackstopJS ignores color differences of less than 16 in each channel; threshold: 0.06');
  });
});

describe('Percy', () => {
  const { tool, text, list, plan } = specimens.Percy;
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
    for (const note of [
      ...['beforeResize', 'regions: 1 of them', 'readiness: ', 'exclude: '],
      ...['a page without them has the defaults of Percy, 375 and 1280, and 1024; a .percy.yml was not read'],
    ]) {
      expect(text).toContain(note);
    }
  });

  test('discovery has equivalents, of which a secret is not copied', async () => {
    const discovery = {
      ...{ userAgent: 'Bot', 'request-headers': { A: 'hunter2' }, cookies: { s: 'hunter2' }, disableCache: true },
      authorization: { username: 'me', password: 'hunter2' },
    };
    const snapshots = [{ url: 'https://a.test/', widths: [400], minHeight: 500, discovery }];
    const { text, list } = await imported(written('discovery.json', JSON.stringify({ snapshots })));
    expect(list.pages[0].userAgent).toBe('Bot');
    expect(text).toContain(
      '# discovery.requestHeaders: use headers; discovery.cookies: use cookies; discovery.disableCache: no equivalent in proofsheet; discovery.authorization: use httpCredentials\n',
    );
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('.percy.yml');
  });

  test('a size out of bounds is limited, with a note', async () => {
    const { text } = await imported(written('tiny.yml', '- { url: https://a.test/, widths: [50], minHeight: 50 }'));
    expect(text).toContain('# viewport 50x50: 50x50 is out of range; 100x100 is used');
  });

  test('an additional snapshot begins where the page and the snapshots before it ended', async () => {
    const text = `
- name: Shop
  url: https://a.test/shop
  execute: const cart = open(); cart.fill()
  percyCSS: "a{}"
  additionalSnapshots:
    - { suffix: menu, execute: 'const cart = menu(); return', waitForSelector: '#menu' }
    - { suffix: plain }
    - { suffix: paid, execute: pay(), waitForTimeout: 50, percyCSS: "b{}" }
`;
    const [page] = (await imported(written('states.yml', text))).list.pages;
    const code = (state: string) => page.states[state].javascriptCode.replace(/await \(async \(\) => |\)\(\);/g, '');
    const style = (css: string) =>
      `{\ndocument.head.append(Object.assign(document.createElement('style'), { textContent: "${css}" }));\n}`;
    const page1 = '{\nconst cart = open(); cart.fill()\n}';
    const waits = `{\nwhile (!document.querySelector("#menu")) await new Promise((next) => setTimeout(next, 100));\n}`;
    const menu = `${waits}\n{\nconst cart = menu(); return\n}`;
    const paid = '{\nawait new Promise((next) => setTimeout(next, 50));\n}\n{\npay()\n}';
    expect(code('menu')).toBe([page1, menu, style('a{}')].join('\n'));
    expect(code('plain')).toBe([page1, menu, style('a{}')].join('\n'));
    expect(code('paid')).toBe([page1, menu, paid, style('b{}')].join('\n'));
    expect(page.states.menu.waitFor).toBe(undefined);
  });

  test('an additional snapshot may have widths of its own', async () => {
    const text = `
- name: Shop
  url: https://a.test/shop
  widths: [400, 800]
  additionalSnapshots: [{ suffix: narrow, widths: [300] }]
`;
    const { plan } = await imported(written('widths.yml', text));
    expect(plan.shots.map(({ id }) => id)).toEqual(['Shop/400', 'Shop/800', 'Shop/300/narrow']);
  });

  test('may be a bare list of URLs', async () => {
    const { tool, plan } = await imported(written('urls.yml', '- https://a.test/x\n- https://a.test/y\n'));
    expect([tool, plan.shots.length]).toEqual(['Percy', 4]);
  });
});

describe('Lost Pixel', () => {
  const { tool, text, list, plan } = specimens['Lost Pixel'];

  test('becomes a list that is right', () => {
    expect(tool).toBe('Lost Pixel');
    expect(list).toMatchObject({ baseURL: 'http://localhost:3000' });
    expect(list.defaults).toEqual({ fullSize: true, engine: 'odiff', mask: ['.ad'] });
    expect(plan.shots.map(({ id }) => id)).toEqual([
      ...['landing/640', 'landing/1280', 'app/640', 'app/1280', 'docs/640'],
    ]);
  });

  test('widths of a page stay its own, and a page without any has the size that it has there', async () => {
    const pages = [
      { path: '/', name: 'a' },
      { path: '/b', name: 'b', breakpoints: [320, 640] },
      { path: '/c', name: 'c', viewport: { width: 900 } },
    ];
    const config = { pageShots: { baseUrl: 'https://a.test', pages } };
    const { plan } = await imported(written('widths.json', JSON.stringify(config)));
    expect(plan.shots.map(({ id }) => id)).toEqual(['a/1280x720', 'b/320', 'b/640', 'c/900x720']);
    const common = { ...config, breakpoints: [1000] };
    const { plan: second } = await imported(written('widths.json', JSON.stringify(common)));
    expect(second.shots.map(({ id }) => id)).toEqual(['a/1000', 'b/320', 'b/640', 'c/1000']);
  });

  test('a threshold below 1 is a share, any other a count', () => {
    const [landing, app, docs] = list.pages;
    expect([landing.maxDiffPixelRatio, docs.maxDiffPixelRatio]).toEqual([0.05, 0.001]);
    expect(app).toMatchObject({ maxDiffPixels: 40, delay: 2, mask: ['.clock'], url: '/app?tab=a' });
    expect(app.maxDiffPixelRatio).toBe(undefined);
  });

  test('says what it cannot', () => {
    for (const note of [
      'flakynessRetries',
      'beforeScreenshot: no equivalent in proofsheet',
      'Lost Pixel also passes images of different sizes; maxSizeDiff',
      'Lost Pixel allows color differences of 0.1 with odiff; threshold: 0.1',
    ])
      expect(text).toContain(note);
  });

  test('a size out of bounds is limited, with a note, with and without widths', async () => {
    const pages = [{ path: '/', name: 'a', viewport: { width: 9000, height: 800 } }];
    const config = (breakpoints: number[]) =>
      JSON.stringify({ pageShots: { baseUrl: 'https://a.test', pages, breakpoints } });
    expect((await imported(written('one.json', config([])))).text).toContain(
      'width: 9000 is out of range; 8000 is used',
    );
    const { text } = await imported(written('two.json', config([50])));
    expect(text).toContain('# viewport 50: 50x720 is out of range; 100x720 is used');
    expect(text).toContain('antialiasing: ignore in defaults');
  });
});

describe('shot-scraper', () => {
  const { tool, text, list, plan } = specimens['shot-scraper'];
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

  test('a size out of bounds is changed, with a note', async () => {
    const { text, list } = await imported(written('small.yml', '- { url: https://a.test/, height: 50, width: 9000 }'));
    expect(list.pages[0]).toMatchObject({ height: 100, width: 8000 });
    expect(text).toContain('# height: 50 is out of range; 100 is used');
  });

  test('says what it cannot', () => {
    for (const note of [
      'server: start servers with webServer',
      'selectors: only the first element',
      'padding',
      'omit_background: no',
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
      pages: [
        { path: '/a', name: 'a', id: 'x', threshold: 3, waitBeforeScreenshot: 60, mask: [{ selector: '.n' }] },
        { path: '/b' },
      ],
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
  ])('of %s each changes the list or is a comment in it', async (tool, source) => {
    const whole = await imported(written('whole.json', JSON.stringify(source)));
    expect(whole.tool).toBe(tool);
    const silent: string[] = [];
    for (const { without, value } of lesser(source)) {
      const { list } = await readImport(written('less.json', JSON.stringify(value)), { allowCode: false });
      if (renderList(list, SCHEMA) === whole.text) silent.push(without);
    }
    expect(silent).toEqual([]);
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
    ['nope.json', null, 'the file does not exist'],
    ['a.json', '{"a":1}', 'the file is not a list of BackstopJS, Percy, Lost Pixel or shot-scraper'],
    ['b.json', '{', 'the file cannot be read'],
    ['c.yml', '', 'the file is not a list of'],
    ['d.json', '{"scenarios":[]}', 'the BackstopJS list has no pages'],
    ['e.yml', '- [*a]', 'the file cannot be read'],
    ['f.json', '{"scenarios":"x"}', 'has no pages'],
    ['g.json', '{"pageShots":[]}', 'has no pages'],
  ])('is refused by name: %s', async (name, text, found) => {
    const path = text === null ? join(folder, name) : written(name, text);
    await expect(readImport(path, { allowCode: false })).rejects.toThrow(found);
  });

  test('of hostile shapes makes no list that is wrong, or none', async () => {
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
      const made = imported(written('odd.json', JSON.stringify({ scenarios: [scenario] })));
      const fault: unknown = await made.catch((cause: unknown) => cause);
      expect(fault, JSON.stringify(scenario)).not.toBeInstanceOf(TypeError);
    }
  });
});

describe('a config that is code', () => {
  const run = (name: string, text: string) => readImport(written(name, text), { allowCode: true });
  const BACKSTOP = `
const viewports=[{label:'phone',width:320,height:480}];
const page=(label,path)=>({label,url:'https://a.test'+path,viewports});
module.exports={viewports:[{label:'desktop',width:1280,height:800}],scenarios:[page('a','/'),page('b','/b'),{label:'c',url:'https://a.test/c'}]};
`;

  test('is refused unless it is allowed to run', async () => {
    const refused = readImport(written('backstop.cjs', BACKSTOP), { allowCode: false });
    await expect(refused).rejects.toThrow(
      /backstop\.cjs: the file is code, and --allow-code is not set\. Add --allow-code/,
    );
  });

  test('of BackstopJS loses nothing, whatever its spaces are', async () => {
    const { plan } = await imported(written('backstop.cjs', BACKSTOP));
    expect(plan.shots.map(({ id }) => id)).toEqual(['a/phone', 'b/phone', 'c/desktop']);
  });

  test.each([
    [
      'lostpixel.config.ts',
      `import { CustomProjectConfig } from 'lost-pixel';
import { PAGES } from './lost-pages';
export const config: CustomProjectConfig = { pageShots: { baseUrl: 'https://a.test', pages: PAGES }, beforeScreenshot: async () => {} };`,
      'Lost Pixel',
    ],
    [
      'lostpixel.config.mjs',
      `export default { pageShots: { baseUrl: 'x', pages: [{ path: '/', name: 'a' }] } };`,
      'Lost Pixel',
    ],
    ['snapshots.js', `export default async () => [{ url: 'https://a.test/', execute() {} }];`, 'Percy'],
    ['snapshots.cjs', `module.exports = () => ['https://a.test/'];`, 'Percy'],
  ])('may be %s', async (name, text, tool) => {
    written('lost-pages.ts', `export const PAGES: { path: string; name: string }[] = [{ path: '/', name: 'a' }];`);
    const made = await run(name, text);
    expect([made.tool, made.list.pages.length]).toEqual([tool, 1]);
    const notes = [...made.list.notes, ...made.list.pages.flatMap((page) => page.notes)].join('\n');
    if (text.includes('beforeScreenshot')) expect(notes).toContain('beforeScreenshot: no equivalent in proofsheet');
    if (text.includes('execute')) expect(notes).toContain('execute: copy the body of its function');
  });

  test.each([
    ['throws', `throw new Error('no token');`, 'the config cannot be run (no token)'],
    ['does not parse', 'module.exports = {', 'the config cannot be run ('],
    ['ends its process', 'process.exit(3);', 'the config cannot be run (the process ended early)'],
    ['exports a circle', 'const a = []; a.push(a); module.exports = a;', 'cannot be converted to JSON'],
    ['exports too much', `module.exports = 'x'.repeat(6e6);`, 'the exported value has more than 5,000,000 bytes'],
    ['exports nothing', '', 'the file is not a list of'],
  ])('that %s is refused with the reason', async (_, text, found) => {
    await expect(run('bad.cjs', text)).rejects.toThrow(found);
  });

  test('reaches no network, file, process, thread or variable of the environment', async () => {
    const server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    let connections = 0;
    server.on('connection', () => connections++);
    const { port } = server.address() as AddressInfo;
    const [marker, at] = [join(folder, 'marker'), `'127.0.0.1', ${port}`];
    vi.stubEnv('PROOFSHEET_SECRET', 'hunter2');
    const attempts = {
      http: `new Promise((yes, no) => require('http').get('http://127.0.0.1:${port}', yes).on('error', no))`,
      fetch: `fetch('http://127.0.0.1:${port}')`,
      net: `new Promise((yes, no) => require('net').connect(${port}, '127.0.0.1', yes).on('error', no))`,
      socket: `new Promise((yes, no) => new (require('net').Socket)().connect(${port}, '127.0.0.1', yes).on('error', no))`,
      tls: `new Promise((yes, no) => require('tls').connect(${port}, '127.0.0.1', yes).on('error', no))`,
      http2: `new Promise((yes, no) => require('http2').connect('http://127.0.0.1:${port}').on('connect', yes).on('error', no))`,
      dgram: `require('dgram').createSocket('udp4').send('x', ${port}, '127.0.0.1')`,
      dns: `require('dns').promises.lookup('localhost')`,
      resolver: `new Promise((yes, no) => new (require('dns').Resolver)().resolve4('localhost', (e) => e ? no(e) : yes()))`,
      imported: `import('node:net').then(({ connect }) => connect({ host: ${at.replace(',', ', port:')} }))`,
      binding: `new (process.binding('tcp_wrap').TCP)(0)`,
      process: `require('child_process').execFileSync(process.execPath, ['-v'])`,
      thread: `new (require('worker_threads').Worker)('', { eval: true })`,
      file: `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`,
      restored: `(delete require('net').Socket.prototype.connect, new Promise((yes, no) => require('net').connect(${port}, '127.0.0.1', yes).on('error', no)))`,
    };
    const tries = Object.entries(attempts).map(
      ([name, code]) => `try { await (${code}); done.push('${name}'); } catch { }`,
    );
    const text = `module.exports = async () => { const done = []; ${tries.join('\n')}
  return [{ url: 'https://a.test/', name: JSON.stringify({ done, env: process.env }) }]; };`;
    const { list } = await run('hostile.cjs', text);
    vi.unstubAllEnvs();
    server.close();
    expect(list.pages[0]?.page.name).toBe('{"done":[],"env":{}}');
    expect([connections, existsSync(marker)]).toEqual([0, false]);
  });
});

describe('a file that is too much', () => {
  const read = (name: string, text: string) => readImport(written(name, text), { allowCode: false });
  const aliases = (last: number) =>
    Array.from({ length: last }, (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index},`.repeat(10)}]`).join(
      '\n',
    );

  test.each([
    ['is larger than its bound', ' '.repeat(5_000_001), '5,000,001 bytes, expected at most 5,000,000'],
    [
      'is nested deep',
      `{"scenarios":${'['.repeat(3000)}${']'.repeat(3000)}}`,
      /more than 50 levels of nesting|cannot be read/,
    ],
    ['is nested so deep that no parser reads it', '['.repeat(200_000), 'the file cannot be read'],
    ['contains itself', 'scenarios: &a\n  - url: /\n    label: *a\n', 'the list has more than 50 levels of nesting'],
    ['multiplies by its aliases', `l0: &l0 x\n${aliases(9)}\nscenarios: *l9\n`, 'the file cannot be read'],
  ])('is refused where it %s', async (_, text, found) => {
    await expect(read('much.yml', text)).rejects.toThrow(found);
  });

  test('in keys of prototypes is data like any other', async () => {
    const scenario =
      '{"label":"a","url":"/","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x"}';
    const { list } = await read(
      'proto.json',
      `{"__proto__":{"polluted":1},"viewports":[{"label":"__proto__","width":400,"height":400}],"scenarios":[${scenario}]}`,
    );
    expect(Reflect.get({}, 'polluted')).toBe(undefined);
    expect(list.pages[0]?.notes).toContain('toString: no equivalent in proofsheet');
    expect(Object.keys(list.viewports)).toEqual(['__proto__']);
  });

  test('with 20,000 pages of one name gets a name for each', async () => {
    const scenarios = Array.from({ length: 20_000 }, (_, index) => ({ label: index % 2 ? 'a' : 'A', url: '/' }));
    const { list } = await read('alike.json', JSON.stringify({ scenarios }));
    expect(renderList(list, SCHEMA)).toContain('name: a-20000');
  });
});

describe('a sitemap', () => {
  const urlset = (urls: readonly string[]) =>
    `<?xml version="1.0"?><urlset xmlns="x">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

  test('gives the sitemap its own site, each once, as paths', () => {
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
    expect(renderList(list, SCHEMA)).toBe(`# yaml-language-server: $schema=./node_modules/proofsheet/pages.schema.json
# 1 page of other sites skipped
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
