import { expect, type Page } from '@playwright/test';
import { createPlannedTimers, type PlannedTimers } from '../../../src/capture/in-page/timers.js';
import { watchNetwork } from '../../../src/capture/network.js';
import { createStabilizers } from '../../../src/capture/stabilize/stabilizers.js';
import { DEFAULTS } from '../../../src/model/list/defaults.js';
import { test } from '../../e2e/direct.js';

/** Opens a document with our scripts in it, and asks for its plans within two and a half seconds. */
async function look(page: Page, url: string): Promise<PlannedTimers> {
  await page.addInitScript(createStabilizers(DEFAULTS.settle).initScript({ isHolding: false, skips: false }));
  await page.goto(url);
  const network = watchNetwork(page);
  const plans = createPlannedTimers(page, network);
  const plannedTimers = await plans(2_500);
  network.stop();
  return plannedTimers;
}

const NO_DIFFERENCE = { aheadMs: 0, periodMs: null };

const page = (body: string, script: string) => `<!doctype html><title>Page</title>${body}<script>${script}</script>`;

test.describe('a timer that comes again is called ahead, as often as it would be', () => {
  for (const [what, html] of Object.entries({
    'looks for what is not there': page('<p>a', "setInterval(() => document.querySelector('.none')?.remove(), 500)"),
    'is one of several that do': page('<p>a', 'let n = 0; setInterval(() => n++, 50); setInterval(() => n--, 700)'),
    'has done its work when it was called often enough': page(
      '<p>a',
      'let n = 0; const id = setInterval(() => { if (++n > 2) clearInterval(id); }, 500)',
    ),
    'is in a frame': page('<iframe srcdoc="<script>setInterval(() => {}, 300)</script>"></iframe>', ''),
  }))
    test(`and is not waited for where it ${what}`, async ({ page: opened, serve }) => {
      const { url } = await serve(() => html);
      expect(await look(opened, url)).toEqual(NO_DIFFERENCE);
    });

  for (const [what, html, periodMs] of [
    ['changes a text', page('<p id="a">0', 'setInterval(() => { a.textContent++; }, 500)'), 500],
    ['comes and goes', page('<p id="a">a', 'setInterval(() => { a.hidden = !a.hidden; }, 300)'), 300],
    [
      'changes it in the next frame',
      page('<p id="a">0', 'setInterval(() => requestAnimationFrame(() => { a.textContent++; }), 500)'),
      500,
    ],
    [
      'changes a shadow root',
      page(
        '<p id="a">',
        "const root = a.attachShadow({ mode: 'open' }); setInterval(() => { root.textContent += '.'; }, 400)",
      ),
      400,
    ],
    ['may paint', page('<canvas></canvas>', 'setInterval(() => {}, 500)'), 500],
    ['fails', page('<p>a', "setInterval(() => { throw new Error('no'); }, 500)"), 500],
    [
      'takes its time',
      page('<p>a', 'setInterval(() => { const end = Date.now() + 60; while (Date.now() < end); }, 500)'),
      500,
    ],
  ] as const)
    test(`and is waited for where it ${what}`, async ({ page: opened, serve }) => {
      const { url } = await serve(() => html);
      expect(await look(opened, url)).toEqual({ aheadMs: 2_500, periodMs });
    });

  test('what it plans is waited for, and not it', async ({ page: opened, serve }) => {
    const script = 'let n = 0; setInterval(() => { if (++n === 3) setTimeout(() => {}, 2000); }, 500)';
    const { url } = await serve(() => page('<p>a', script));
    const { aheadMs, periodMs } = await look(opened, url);
    expect(periodMs).toBeNull();
    expect(aheadMs).toBeGreaterThan(0);
    expect(aheadMs).toBeLessThanOrEqual(2_020);
  });

  test('what it asks for is waited for', async ({ page: opened, serve }) => {
    const { url } = await serve(({ url: { pathname } }) =>
      pathname === '/never' ? null : page('<p>a', "setInterval(() => fetch('/never'), 900 / 2)"),
    );
    expect((await look(opened, url)).aheadMs).toBeGreaterThan(0);
  });
});

for (const skips of [false, true])
  test(`pages cannot tell the timers from those of the browser, ${skips ? 'with' : 'without'} a clock that skips time`, async ({
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
    await opened.addInitScript(createStabilizers(DEFAULTS.settle).initScript({ isHolding: false, skips }));
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
  const { url } = await serve(() => page('<p>a', ''));
  await opened.addInitScript(createStabilizers(DEFAULTS.settle).initScript({ isHolding: false, skips: true }));
  await opened.goto(url);
  const skipped = await opened.evaluate(async () => {
    const calls: string[] = [];
    const repeating = setInterval(() => calls.push('interval'), 2_000);
    setTimeout(() => calls.push('timeout'), 5_000);
    setTimeout(() => calls.push('later'), 60_000);
    const timers = window.__proofsheet?.timers;
    const [startedAt, realStart] = [performance.now(), performance.timeOrigin + performance.now()];
    let ms = 0;
    while (ms < 6_500) ms += (await timers?.skip?.(500, false)) ?? 6_500;
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

test('a slow timer that is held is not called', async ({ page: opened, serve }) => {
  const { url } = await serve(() => page('<p>a', 'window.n = 0; setInterval(() => window.n++, 1000)'));
  await opened.addInitScript('addEventListener("load", () => { window.__proofsheet.timers.isHolding = true; })');
  expect(await look(opened, url)).toEqual(NO_DIFFERENCE);
  expect(await opened.evaluate('window.n')).toBe(0);
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
