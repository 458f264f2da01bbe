import { expect } from '@playwright/test';
import type { Answer } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

test('a page that keeps changing is unstable, has both images, and never becomes a baseline', async ({
  browser,
  runs,
  serve,
}) => {
  const clock = `<h1>Clock</h1><p id="p">0</p><script>
    const source = 'let n = 0; setInterval(() => postMessage(++n), 20)';
    const worker = new Worker(URL.createObjectURL(new Blob([source])));
    worker.onmessage = ({ data }) => { p.textContent = data; };
  </script>`;
  const site = await serve(() => html(clock));
  const run = await runs.run(
    `baseURL: ${site.url}\ndefaults: { width: 400, height: 300 }\npages:\n  - { name: clock, url: /, timeout: 8 }\n`,
    // A page whose frames are controlled moves only when it is told to.
    { mode: 'all', browser },
  );
  expect(run.passed).toBe(false);
  const shot = run.shot('clock');
  expect(shot).toMatchObject({ status: 'unstable', written: false, unsteady: false, summary: null });
  expect(shot.reason).toMatch(
    /^page did not become stable; 1 region: \S+ px at \(.*\); #p: differs between the last two screenshots$/,
  );
  expect(shot.causes).toMatchObject([{ kind: 'changing', element: '#p', regions: [0] }]);
  expect(run.of('clock').verdict.message).toContain('mask: ["#p"], or hide: ["#p"]');
  expect(shot.regions).toHaveLength(1);
  expect(shot.before?.link && shot.after?.link && shot.diff?.link).toBeTruthy();
  expect(runs.baselines()).toEqual([]);
});

test('a page whose frames take long is drawn, although its time stands', async ({ browser, runs, serve }) => {
  const page = `<h1>Busy</h1><script>
    const frame = () => { for (let n = 0; n < 5e6; n++) Math.sqrt(n); requestAnimationFrame(frame); };
    frame();
  </script>`;
  const site = await serve(() => html(page));
  const list = `baseURL: ${site.url}\npages: [{ name: page, url: /, width: 640, height: 480 }]\n`;
  expect((await runs.run(list, { mode: 'missing', browser })).statuses).toEqual(['page: new']);
});

test('animations and transitions that end before or after a late script lead to no alarm', async ({ runs, serve }) => {
  const page = `<style>
      @keyframes rise { from { opacity: 0; translate: 0 16px } } h1 { animation: rise 0.3s forwards }
      p { transition: translate 0.3s }
    </style>
    <h1>Rising</h1><p>Moving</p>
    <script>
      const text = document.querySelector('p');
      text.addEventListener('transitionend', () => { text.textContent = 'Moved'; });
      requestAnimationFrame(() => requestAnimationFrame(() => { text.style.translate = '40px'; }));
    </script>
    <script src="/script.js"></script>`;
  const body = `document.querySelector('h1').addEventListener('animationend', ({ target }) => {
    target.textContent = 'Risen';
  })`;
  let afterMs = 0;
  const site = await serve(({ url: { pathname } }) => {
    if (pathname === '/') return html(page);
    return { headers: { 'content-type': 'text/javascript' }, body, afterMs };
  });
  const list = `baseURL: ${site.url}\npages: [{ name: page, url: /, width: 640, height: 480 }]\n`;
  expect((await runs.run(list, { mode: 'missing' })).statuses).toEqual(['page: new']);
  // Time is paused while a script loads, so its listener is never too late.
  afterMs = 700;
  expect((await runs.run(list)).shot('page')).toMatchObject({ status: 'passed', unsteady: false });
});

test('a page that navigates away during the capture is an error, whenever it navigates', async ({ runs, serve }) => {
  const site = await serve(restless());
  const delays = [0, 50, 100, 200];
  const run = await runs.run(
    `baseURL: ${site.url}
defaults: { timeout: 15, width: 400, height: 300 }
pages:
${delays.map((ms) => `  - { name: login-${ms}, url: /to-login/${ms}, delay: 0.3 }\n`).join('')}  - { name: script, url: /by-script, delay: 0.3 }
  - { name: turned-bad, url: /turned-bad, delay: 0.5 }
  - { name: reloads-once, url: /reloads-once, delay: 0.7, hide: .clock }
  - { name: reloads-always, url: /reloads-always, delay: 0.7 }
`,
    { mode: 'changed' },
  );
  expect(run.passed).toBe(false);
  for (const ms of delays) {
    expect(run.shot(`login-${ms}`).status, `after ${ms} ms`).toBe('error');
    expect(run.shot(`login-${ms}`).reason).toContain('/login, expected');
  }
  expect(run.shot('script').reason).toContain('/login, expected');
  expect(run.shot('turned-bad').reason).toContain('HTTP status 500');
  expect(run.shot('reloads-always').reason).toContain('the page reloaded 4 times during the capture');
  // Captured anew after its reload, and hidden there too.
  expect(run.shot('reloads-once')).toMatchObject({ status: 'new', warnings: [] });
  expect(runs.baselines()).toHaveLength(1);
});

/** Serves pages that do not stay what they were when they were opened. */
function restless(): (request: { url: URL }) => Answer {
  const navigations = new Map<string, number>();
  return ({ url: { pathname: path } }) => {
    const visit = (navigations.get(path) ?? 0) + 1;
    navigations.set(path, visit);
    const later = (script: string, ms: number) =>
      html(`<h1>${path}</h1><script>setTimeout(() => { ${script} }, ${ms})</script>`);
    if (path.startsWith('/to-login/')) return later("location = '/login'", Number(path.split('/')[2]));
    if (path === '/by-script')
      return later("history.replaceState({}, '', '/login'); document.body.textContent = 'Log in'", 200);
    const isFirst = visit === 1;
    if (path === '/turned-bad')
      return isFirst ? later('location.reload()', 100) : { status: 500, body: html('<h1>Internal error</h1>') };
    if (path === '/reloads-once')
      return isFirst ? later('location.reload()', 300) : html('<h1>Stays</h1><p class="clock">now</p>');
    return path === '/reloads-always' ? later('location.reload()', 300) : html('<h1>Log in</h1>');
  };
}

test('a change that nothing in the structure of the page explains is loaded again', async ({ runs, serve }) => {
  const colors = ['green', 'green', 'red', 'green', 'red', 'red'];
  const site = await serve(({ url: { pathname } }) => {
    if (pathname === '/frame') return html(`<body style="background: ${colors.shift() ?? 'blue'}">`);
    return html(
      `<h1>Map</h1><script>document.write('<iframe src=http://localhost:' + location.port + '/frame>')</script>`,
    );
  });
  const list = `baseURL: ${site.url}\npages:\n  - { name: page, url: / }\n`;
  expect((await runs.run(list, { mode: 'missing' })).statuses).toEqual(['page: new']);
  expect((await runs.run(list)).shot('page')).toMatchObject({ status: 'passed', unsteady: true });
  expect((await runs.run(list)).shot('page')).toMatchObject({ status: 'changed', unsteady: false });
  expect(colors).toEqual([]);
});
