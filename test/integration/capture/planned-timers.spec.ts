import { expect, type Page } from '@playwright/test';
import { createTimerReader } from '../../../src/capture/in-page/timers.js';
import { watchNetwork } from '../../../src/capture/network.js';
import { createStabilizers } from '../../../src/capture/stabilize/stabilizers.js';
import { DEFAULTS } from '../../../src/model/list/defaults.js';
import { test } from '../../e2e/direct.js';
import { take, takeBaseline } from './settle.js';

/** Opens a document with the init scripts, and reads its timers that are due: the repeating ones, and the single ones if they differ. */
async function readAhead(page: Page, url: string, repeatingMs = 2_500, singleMs = repeatingMs): Promise<number> {
  await page.addInitScript(
    createStabilizers(DEFAULTS.settle).initScript({ isHolding: false, time: 'real', lateMs: 0 }),
  );
  await page.goto(url);
  const network = watchNetwork(page);
  const aheadMs = await createTimerReader(page, network)({ singleMs, repeatingMs });
  network.stop();
  return aheadMs;
}

const page = (body: string, script: string) => `<!doctype html><title>Page</title>${body}<script>${script}</script>`;

/** Opens a document without timers whose time can be skipped. */
async function openSkipping(
  opened: Page,
  serve: (respond: () => string) => Promise<{ url: string }>,
  options: { isHolding?: boolean; lateMs?: number } = {},
): Promise<void> {
  const script = { isHolding: false, time: 'skipping', lateMs: 0, ...options } as const;
  await opened.addInitScript(createStabilizers(DEFAULTS.settle).initScript(script));
  const { url } = await serve(() => page('<p>a', ''));
  await opened.goto(url);
}

for (const [what, html] of Object.entries({
  'a repeating timer': page('<p>a', 'setInterval(() => {}, 500)'),
  'a repeating timer of a frame': page('<iframe srcdoc="<script>setInterval(() => {}, 300)</script>"></iframe>', ''),
}))
  test(`${what} is due until the end of the time`, async ({ page: opened, serve }) => {
    const { url } = await serve(() => html);
    expect(await readAhead(opened, url)).toBe(2_500);
  });

test('a timer is due until it runs, and no longer if it is cleared or due later', async ({ page: opened, serve }) => {
  const { url } = await serve(({ url: { pathname } }) =>
    page(
      '<p>a',
      pathname === '/later'
        ? 'clearTimeout(setTimeout(() => {}, 900)); setTimeout(() => {}, 9000)'
        : 'setTimeout(() => {}, 2000)',
    ),
  );
  const aheadMs = await readAhead(opened, url);
  expect(aheadMs).toBeGreaterThan(0);
  expect(aheadMs).toBeLessThanOrEqual(2_020);
  expect(await readAhead(opened, `${url}/later`)).toBe(0);
});

test('single timers are awaited for longer than repeating ones', async ({ page: opened, serve }) => {
  const { url } = await serve(({ url: { pathname } }) =>
    page('<p>a', pathname === '/single' ? 'setTimeout(() => {}, 4500)' : 'setInterval(() => {}, 3000)'),
  );
  expect(await readAhead(opened, url, 2_500, 5_000)).toBe(0);
  expect(await readAhead(opened, `${url}/single`)).toBe(0);
  const aheadMs = await readAhead(opened, `${url}/single`, 2_500, 5_000);
  expect(aheadMs).toBeGreaterThan(3_000);
  expect(aheadMs).toBeLessThanOrEqual(4_520);
});

test('a repeating timer is never overdue, but its next call counts', async ({ page: opened, serve }) => {
  const { url } = await serve(() => page('<p>a', 'setInterval(() => document.body.append("b"), 700)'));
  expect(await readAhead(opened, url, 0)).toBe(0);
  await expect(opened.locator('body')).toContainText('b');
  const readTimers = createTimerReader(opened, watchNetwork(opened));
  expect(await readTimers({ singleMs: 0, repeatingMs: 0 }), 'after its first call').toBe(0);
  expect(await readTimers({ singleMs: 700, repeatingMs: 700 })).toBeGreaterThan(0);
});

test('an open request counts as a timer', async ({ page: opened, serve }) => {
  const { url } = await serve(({ url: { pathname } }) =>
    pathname === '/never' ? null : page('<p>a', "setInterval(() => fetch('/never'), 900)"),
  );
  expect(await readAhead(opened, url)).toBeGreaterThan(0);
});

for (const time of ['real', 'skipping'] as const)
  test(`pages cannot distinguish the timers from those of the browser, in ${time} time`, async ({
    page: opened,
    serve,
  }) => {
    const names = ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'];
    names.push('requestAnimationFrame', 'cancelAnimationFrame');
    const describe = (names: string[]) =>
      names.map((name) => {
        const value = Reflect.get(window, name);
        return [value.name, value.length, /^function \w*\(\) { \[native code\] }$/.test(String(value))];
      });
    const { url } = await serve(() => page('<p>a', ''));
    await opened.goto(url);
    const native = await opened.evaluate(describe, names);
    await opened.addInitScript(createStabilizers(DEFAULTS.settle).initScript({ isHolding: false, time, lateMs: 0 }));
    await opened.goto(url);
    expect(await opened.evaluate(describe, names)).toEqual(native);
    const behavior = await opened.evaluate(async () => {
      const calls: unknown[] = [];
      const note = function (this: unknown, ...values: unknown[]) {
        calls.push([this === window, ...values]);
      };
      const id = setTimeout(note, 10, 1, 'two');
      // Both functions clear both kinds of timers, and an unknown id is ignored.
      clearInterval(setTimeout(note, 10, 'cleared'));
      clearTimeout(setInterval(note, 10, 'cleared'));
      clearTimeout(undefined);
      setTimeout("document.title = 'Text'", 10);
      const frame = await new Promise((resolve) => requestAnimationFrame(resolve));
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { calls, id: typeof id, frame: typeof frame, title: document.title };
    });
    expect(behavior).toEqual({ calls: [[true, 1, 'two']], id: 'number', frame: 'number', title: 'Text' });
  });

test('time that is skipped runs the timers that are due, and they are then no longer active', async ({
  page: opened,
  serve,
}) => {
  await openSkipping(opened, serve);
  const skipped = await opened.evaluate(async () => {
    const calls: string[] = [];
    const repeating = setInterval(() => calls.push('interval'), 2_000);
    setTimeout(() => calls.push('timeout'), 5_000);
    setTimeout(() => calls.push('later'), 60_000);
    const timers = window.__proofsheet?.timers;
    const [startedAt, realStart] = [performance.now(), performance.timeOrigin + performance.now()];
    let ms = 0;
    while (ms < 6_500) ms += (await timers?.skip?.(500, 500, Number.POSITIVE_INFINITY))?.ms ?? 6_500;
    clearInterval(repeating);
    const tookMs = new Event('now').timeStamp + performance.timeOrigin - realStart;
    return {
      calls,
      passed: performance.now() - startedAt >= 6_500,
      isFast: tookMs < 3_000,
      left: timers?.active?.size,
    };
  });
  expect(skipped).toEqual({
    calls: ['interval', 'interval', 'timeout', 'interval'],
    passed: true,
    isFast: true,
    left: 1,
  });
});

test('a skip goes to the first timer at once, and ends one step after it; while an animation runs, it is one step', async ({
  page: opened,
  serve,
}) => {
  await openSkipping(opened, serve);
  const skips = await opened.evaluate(async () => {
    const skip = async (drawnFromMs: number) => {
      const skipped = await window.__proofsheet?.timers?.skip?.(5_000, 100, drawnFromMs);
      return { toTheTenth: Math.round((skipped?.ms ?? 0) / 100), isDrawn: skipped?.isDrawn };
    };
    setTimeout(() => {}, 4_000);
    const toTimer = await skip(5_000);
    const toEnd = await skip(5_000);
    document.body.animate({ opacity: [0, 1] }, 60_000);
    setTimeout(() => {}, 4_000);
    return { toTimer, toEnd, animated: await skip(5_000) };
  });
  expect(skips).toEqual({
    toTimer: { toTheTenth: 41, isDrawn: false },
    toEnd: { toTheTenth: 50, isDrawn: true },
    animated: { toTheTenth: 1, isDrawn: true },
  });
});

for (const { lateMs, called } of [
  { lateMs: 0, called: [2_000, 5_000] },
  { lateMs: 7_000, called: [2_000, 5_000, 6_000] },
])
  test(`of single timers, those of more than 5 s and more than \`late\` are held: ${lateMs}`, async ({
    page: opened,
    serve,
  }) => {
    await openSkipping(opened, serve, { isHolding: true, lateMs });
    const calls = await opened.evaluate(async () => {
      const calls: number[] = [];
      for (const ms of [2_000, 5_000, 6_000, 8_000]) setTimeout(() => calls.push(ms), ms);
      const timers = window.__proofsheet?.timers;
      for (let ms = 0; ms < 9_000; ) ms += (await timers?.skip?.(500, 500, Number.POSITIVE_INFINITY))?.ms ?? 9_000;
      return calls;
    });
    expect(calls).toEqual(called);
  });

test('a slow timer that is held is not called', async ({ page: opened, serve }) => {
  const { url } = await serve(() => page('<p>a', 'window.n = 0; setInterval(() => window.n++, 1000)'));
  await opened.addInitScript('addEventListener("load", () => { window.__proofsheet.timers.isHolding = true; })');
  expect(await readAhead(opened, url)).toBe(0);
  expect(await opened.evaluate('window.n')).toBe(0);
});

test('what a single timer of up to 5 s breaks is found, although the page equaled its baseline before', async ({
  browser,
  serve,
}) => {
  const { url } = await serve(({ url: { pathname } }) => {
    const ms = Number(pathname.slice(1));
    return page(
      '<h1>Shop</h1><main>open',
      ms ? `setTimeout(() => document.querySelector('main').remove(), ${ms})` : '',
    );
  });
  const baseline = await takeBaseline(browser, `${url}/`);
  const isExpected = (bytes: Buffer) => bytes.equals(baseline);
  const isFound = async (ms: number) => {
    const { capture } = await take(browser, `${url}/${ms}`, { isExpected });
    return !isExpected(capture.image.bytes);
  };
  const found = await Promise.all([300, 1_500, 2_700, 4_900, 5_500].map(async (ms) => [ms, await isFound(ms)]));
  // Longer ones are held.
  expect(Object.fromEntries(found)).toEqual({ 300: true, 1500: true, 2700: true, 4900: true, 5500: false });
});

test('a slider of timeouts shows the same slide, however long the page took to load', async ({ browser, serve }) => {
  const { url } = await serve(({ url: { pathname } }) =>
    page(
      '<h1>slide 1</h1>',
      `let slide = 1;
      const move = () => { document.querySelector('h1').textContent = 'slide ' + ++slide; setTimeout(move, 4000); };
      setTimeout(move, 4000);
      const end = performance.now() + ${Number(pathname.slice(1))};
      while (performance.now() < end);`,
    ),
  );
  const images = await Promise.all([0, 1_800].map((busyMs) => takeBaseline(browser, `${url}/${busyMs}`)));
  expect(images[1]?.equals(images[0] ?? Buffer.alloc(0))).toBe(true);
});

test('what is revealed after some calls is in every image, however early the first was taken', async ({
  serve,
  shoot,
}) => {
  const script =
    'let n = 0; const id = setInterval(() => { if (++n === 4) { a.hidden = false; clearInterval(id); } }, 500)';
  const { url } = await serve(() => page('<h1>Page</h1><p id="a" hidden>revealed', script));
  const shots = await shoot(
    `baseURL: ${url}\npages:\n${[1, 2, 3].map((n) => `  - { name: p${n}, url: / }\n`).join('')}`,
  );
  const images = [1, 2, 3].map((n) => shots.capture(`p${n}`).image.bytes);
  for (const image of images) expect(image.equals(images[0] ?? Buffer.alloc(0))).toBe(true);
});
