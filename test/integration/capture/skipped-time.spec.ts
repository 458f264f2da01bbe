import { expect, type Page } from '@playwright/test';
import { take, test, warningsOf } from './settle.js';

const pageWith = (script: string) =>
  `<!doctype html><title>Page</title><h1>Page</h1><p id="late" hidden>late<script>${script}</script>`;

const REVEAL = 'setTimeout(() => { late.hidden = false }, 2_000);';

/** Returns how many milliseconds of a page were skipped. */
const readSkippedMs = (page: Page) => page.evaluate<number>('performance.now() - __proofsheet.native.now()');

/** Reads how much time of a page was skipped, and whether it shows what a timer of 2 s reveals. */
async function readTime(page: Page) {
  const skippedMs = Math.round(await readSkippedMs(page));
  return { isSkipped: skippedMs > 1_000, isReal: skippedMs === 0, isRevealed: await page.locator('#late').isVisible() };
}

for (const [what, isExpected] of Object.entries({ 'equals the baseline': true, differs: false }))
  test(`the timers that are due are skipped and run before a first screenshot that ${what}`, async ({
    browser,
    serve,
  }) => {
    const { url } = await serve(() => pageWith(REVEAL));
    const times: unknown[] = [];
    const after = async (page: Page) => times.push(await readTime(page));
    const { kind } = await take(browser, url, { isExpected: () => isExpected, after });
    expect(kind).toBe('settled');
    expect(times).toEqual([{ isSkipped: true, isReal: false, isRevealed: true }]);
  });

for (const [what, { answer, isRevealed }] of Object.entries({
  'is answered': { answer: 'a response', isRevealed: true },
  'gets no response': { answer: null, isRevealed: false },
}))
  test(`the timers after a request that a skipped timer starts, and that ${what}: they run ${isRevealed}`, async ({
    browser,
    serve,
  }) => {
    const ask =
      "setTimeout(() => { new Image().src = '/ping' }, 500); setTimeout(() => { late.hidden = false }, 4_500);";
    const { url } = await serve(({ url: { pathname } }) => (pathname === '/ping' ? answer : pageWith(ask)));
    const times: unknown[] = [];
    const after = async (page: Page) => times.push((await readTime(page)).isRevealed);
    const startedAt = performance.now();
    await take(browser, url, { isExpected: () => true, after });
    expect(times).toEqual([isRevealed]);
    // 1 s on a quiet machine. All timers in real time take 4.5 s.
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

test('the frames of a page skip the same time, although their timers are due at other moments', async ({
  browser,
  serve,
}) => {
  const frame = '<iframe srcdoc="<script>setTimeout(() => {}, 1_000)</script>"></iframe>';
  const { url } = await serve(() =>
    pageWith(`setTimeout(() => { late.hidden = false }, 4_000)</script>${frame}<script>`),
  );
  const skipped: number[] = [];
  const after = async (page: Page) => {
    for (const frame of page.frames())
      skipped.push(await frame.evaluate<number>('performance.now() - __proofsheet.native.now()'));
  };
  await take(browser, url, { isExpected: () => true, after });
  const [main = 0, inner = 0] = skipped;
  expect(main).toBeGreaterThan(3_000);
  expect(Math.abs(main - inner)).toBeLessThan(1);
});

test('a long timer does not run, however much time is skipped: on a fast machine, it would not run either', async ({
  browser,
  serve,
}) => {
  const restless =
    'let n = 0; const id = setInterval(() => { document.body.append("a"); if (++n === 160) clearInterval(id); }, 50);';
  const { url } = await serve(() => pageWith(`${restless} setTimeout(() => { late.hidden = false }, 6_000);`));
  const times: unknown[] = [];
  await take(browser, url, {
    after: async (page) => times.push(await readTime(page), await page.evaluate('performance.now() > 6_000')),
  });
  expect(times).toEqual([{ isSkipped: true, isReal: false, isRevealed: false }, true]);
});

const REAL_TIME = {
  'has a worker': { script: `new Worker(URL.createObjectURL(new Blob(['onmessage = () => {}'])));`, settle: {} },
  'is not scrolled through': { script: '', settle: { scroll: false } },
};

for (const [what, { script, settle }] of Object.entries(REAL_TIME))
  test(`the timers of a page that ${what} take their real time`, async ({ browser, serve }) => {
    const { url } = await serve(() => pageWith(script + REVEAL));
    const times: unknown[] = [];
    const { kind } = await take(browser, url, { settle, after: async (page) => times.push(await readTime(page)) });
    expect(kind).toBe('settled');
    expect(times).toEqual([{ isSkipped: false, isReal: true, isRevealed: true }]);
  });

test('a page whose timers poll the scroll position is scrolled through in skipped time', async ({ browser, site }) => {
  const url = `${site.url}/scroll/watchers.html?by=${encodeURIComponent('slow interval')}`;
  const times: unknown[] = [];
  const after = async (page: Page) =>
    times.push({ ...(await readTime(page)), unseen: await page.locator('section:not(.seen)').count() });
  await take(browser, url, { isExpected: () => true, after });
  expect(times).toEqual([{ isSkipped: true, isReal: false, isRevealed: false, unseen: 0 }]);
});

test('a page whose timers change it all the time is waited for in skipped time', async ({ browser, serve }) => {
  // It changes as it is loaded, too: a page that has not changed yet is stable.
  const { url } = await serve(() =>
    pageWith("const add = () => document.body.append('more '); addEventListener('load', add); setInterval(add, 20)"),
  );
  let skippedMs = 0;
  const after = async (page: Page) => {
    skippedMs = await readSkippedMs(page);
  };
  const result = await take(browser, url, { isExpected: () => true, after });
  expect(warningsOf(result)).toEqual([`layout: the DOM did not stop changing: ${url}/`]);
  // One wait takes more than its 2 s of real time and at most 10 s, three would take 30 s.
  expect(skippedMs).toBeGreaterThan(2_000);
  expect(skippedMs).toBeLessThan(20_000);
});

test('a text that types itself for 4 s is complete before the first screenshot', async ({ browser, serve }) => {
  // It begins as the page is loaded, as above.
  const { url } = await serve(() =>
    pageWith(`
      const text = [...'.'.repeat(200), 'END'];
      const type = () => {
        document.querySelector('h1').append(text.shift());
        if (text.length === 0) clearInterval(typing);
      };
      const typing = setInterval(type, 20);
      addEventListener('load', type);`),
  );
  const titles: unknown[] = [];
  const after = async (page: Page) => titles.push(await page.locator('h1').textContent());
  const result = await take(browser, url, { isExpected: () => true, after });
  expect(titles).toEqual([`Page${'.'.repeat(200)}END`]);
  expect(warningsOf(result)).toEqual([]);
});
