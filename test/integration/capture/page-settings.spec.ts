import { expect } from '@playwright/test';
import { decodeImage } from '../../../src/image/decode.js';
import { look, test } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';

test('delay with its fractions, hide and javascriptCode take effect', async ({ serve, shoot }) => {
  const late =
    '<p id="late"></p><script>setTimeout(() => { late.style.cssText = "background:#f00;height:20px" }, 6_200)</script>';
  const site = await serve(() =>
    html(`<style>body{margin:0}div{height:20px;width:200px}</style>
      <div id="a" style="background:#f00"></div><div class="b" style="background:#0f0"></div>
      <div id="c"></div><div>Text</div>${late}`),
  );
  const shots = await shoot(`baseURL: ${site.url}
pages:
  - { name: plain, url: /, width: 200, height: 100 }
  - { name: hidden, url: /, width: 200, height: 100, hide: "#a, .b, .absent" }
  - { name: script, url: /, width: 200, height: 100, javascriptCode: "const c = document.querySelector('#c'); await 0; c.style.background = '#f0f'" }
  - { name: early, url: /, width: 200, height: 120, delay: 0.35 }
  - { name: delayed, url: /, width: 200, height: 120, delay: 6.35 }
`);
  const ids = ['plain', 'hidden', 'script', 'early', 'delayed'];
  const pictures = new Map(
    await Promise.all(ids.map(async (id) => [id, await look(shots.capture(id).image)] as const)),
  );
  const color = (id: string, y: number) => pictures.get(id)?.at(100, y);
  expect(color('plain', 10)).toBe('#ff0000');
  expect(color('plain', 30)).toBe('#00ff00');
  expect(color('hidden', 10)).toBe('#ffffff');
  expect(color('hidden', 30)).toBe('#ffffff');
  expect(shots.capture('hidden').warnings).toEqual([
    { code: 'hide-no-match', message: '`hide`: no element matches ".absent"' },
  ]);
  expect(color('script', 50)).toBe('#ff00ff');
  expect([color('early', 106), color('delayed', 106)]).toEqual(['#ffffff', '#ff0000']);
});

test('an element between two pixels has the same size every time', async ({ serve, shoot }) => {
  const site = await serve(() =>
    html(
      `<div id="card" style="position: absolute; left: 288.33px; top: 381.38px; width: 198.3px; height: 114px; background: #36c; color: #fff">Card</div>`,
    ),
  );
  const formats = ['png', 'png', 'jpeg', 'webp'];
  const pages = formats.map(
    (format, index) => `  - { name: "${index}", url: /, element: "#card", format: ${format} }\n`,
  );
  const shots = await shoot(`baseURL: ${site.url}\ndefaults: { width: 500, height: 500 }\npages:\n${pages.join('')}`);
  const sizes = formats.map((_, index) => shots.capture(`${index}`).image.size);
  expect(sizes).toEqual(formats.map(() => ({ width: 199, height: 115 })));
  expect(shots.capture('1').image.bytes.equals(shots.capture('0').image.bytes)).toBe(true);
});

test('the page sees the clock, the colors, the zone, the browser, the language and the screen that the list says', async ({
  serve,
  shoot,
}) => {
  const seen = new Map<string, Record<string, unknown>>();
  const site = await serve(({ url, headers }) => {
    const id = url.pathname.slice(1);
    if (url.search) {
      seen.set(id, JSON.parse(url.searchParams.get('seen') ?? ''));
      return { status: 204 };
    }
    return html(`<h1>Seen by ${id}</h1><script>
      const seen = { now: Date.now(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone, dark: matchMedia('(prefers-color-scheme: dark)').matches,
        agent: navigator.userAgent, language: navigator.language, width: innerWidth, height: innerHeight, density: devicePixelRatio, touch: navigator.maxTouchPoints > 0,
        reduced: matchMedia('(prefers-reduced-motion: reduce)').matches, forced: matchMedia('(forced-colors: active)').matches,
        contrast: matchMedia('(prefers-contrast: more)').matches, print: matchMedia('print').matches, sent: ${JSON.stringify([headers['user-agent'], headers['accept-language']])} };
      setTimeout(async () => { seen.camera = (await navigator.permissions.query({ name: 'camera' })).state; seen.later = Date.now(); fetch('?seen=' + encodeURIComponent(JSON.stringify(seen))) }, 300);
    </script>`);
  });
  const shots = await shoot(`baseURL: ${site.url}
viewports: { phone: { device: iPhone 15 }, small: { width: 300, height: 200 }, dense: { device: Desktop Chrome HiDPI } }
defaults: { viewports: [small], waitFor: { response: "**/*seen=*" } }
pages:
  - { name: plain, url: /plain }
  - { name: own, url: /own, clock: 2024-05-01, colorScheme: dark, userAgent: Probe/1.0, language: de-DE }
  - { name: zone, url: /zone, timezone: Pacific/Auckland, clock: "2024-05-01T09:30:00+02:00" }
  - { name: moving, url: /moving, settle: { motion: false } }
  - { name: unreduced, url: /unreduced, reducedMotion: no-preference }
  - { name: forced, url: /forced, forcedColors: active, contrast: more }
  - { name: print, url: /print, media: print, permissions: [camera] }
  - { name: phone, url: /phone, viewports: [phone] }
  - { name: dense, url: /dense, viewports: [dense] }
`);
  expect(shots.capture('plain/small').viewport).toEqual({ width: 300, height: 200 });
  const may = Date.UTC(2024, 4, 1);
  const plain = { dark: false, reduced: true, forced: false, contrast: false, print: false, camera: 'prompt' };
  const own = { now: may, later: may, dark: true, agent: 'Probe/1.0', language: 'de-DE' };
  for (const [id, expected] of Object.entries({
    plain: { ...plain, width: 300, height: 200, density: 1, touch: false },
    own: { ...own, sent: ['Probe/1.0', 'de-DE'] },
    zone: { now: Date.UTC(2024, 4, 1, 7, 30), zone: 'Pacific/Auckland' },
    moving: { reduced: false },
    unreduced: { reduced: false },
    forced: { forced: true, contrast: true },
    print: { print: true, camera: 'granted' },
    phone: { width: 980, density: 3, touch: true, agent: expect.stringContaining('iPhone') },
    dense: { width: 1280, height: 720, density: 2 },
  }))
    expect(seen.get(id), id).toMatchObject(expected);
  expect(Math.abs(Number(seen.get('plain')?.now) - Date.now())).toBeLessThan(60_000);
  expect(shots.capture('phone/phone').viewport).toEqual({ width: 393, height: 659 });
});

test('`geolocation` is where the page is, and `offline` disconnects it once it has loaded its data', async ({
  serve,
  shoot,
}) => {
  const site = await serve(({ url }) =>
    url.pathname === '/data'
      ? { status: 200, type: 'application/json', body: '{}' }
      : html(
          `<div id="where" style="height: 20px"></div><div id="net" style="height: 20px; background: #f00"></div><script>
        navigator.geolocation.getCurrentPosition(({ coords }) => {
          where.style.background = coords.latitude === 52.5 && coords.longitude === 13.4 ? '#00f' : '#999';
        }, () => { where.style.background = '#ff0' });
        setTimeout(() => fetch('/data').then(() => { net.style.background = '#0f0' }), 300);
        addEventListener('offline', () => fetch('/data').catch(() => { net.style.borderLeft = '90px solid #f0f' }));
      </script>`,
          '<style>body { margin: 0 }</style>',
        ),
  );
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 200, height: 100 }
pages:
  - { name: here, url: /, geolocation: { latitude: 52.5, longitude: 13.4 } }
  - { name: nowhere, url: / }
  - { name: offline, url: /, offline: true }
`);
  const colors = async (id: string) => {
    const picture = await look(shots.capture(id).image);
    return [picture.at(150, 10), picture.at(40, 30), picture.at(150, 30)];
  };
  expect(await colors('here')).toEqual(['#0000ff', '#00ff00', '#00ff00']);
  expect(await colors('nowhere')).toEqual(['#ffff00', '#00ff00', '#00ff00']);
  expect(await colors('offline')).toEqual(['#ffff00', '#ff00ff', '#00ff00']);
});

test('`quality` is that of jpeg and webp, and webp is lossless by default', async ({ serve, shoot }) => {
  const bars = Array.from(
    { length: 60 },
    (_, index) => `<i style="background: hsl(${index * 6} 80% 50%)">${index}</i>`,
  );
  const site = await serve(() => html(bars.join(' ')));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 200 }
pages:
  - { name: png, url: / }
  - { name: webp, url: /, format: webp }
  - { name: webp-30, url: /, format: webp, quality: 30 }
  - { name: jpeg, url: /, format: jpeg }
  - { name: jpeg-80, url: /, format: jpeg, quality: 80 }
  - { name: jpg-20, url: /, format: jpg, quality: 20 }
`);
  const bytes = (id: string) => shots.capture(id).image.bytes;
  const pixels = async (id: string) => Buffer.from((await decodeImage(shots.capture(id).image)).data);
  expect((await pixels('webp')).equals(await pixels('png'))).toBe(true);
  expect((await pixels('webp-30')).equals(await pixels('png'))).toBe(false);
  expect(bytes('webp-30').length).toBeLessThan(bytes('webp').length);
  expect(bytes('jpeg').equals(bytes('jpeg-80'))).toBe(true);
  expect(bytes('jpg-20').length).toBeLessThan(bytes('jpeg').length / 1.5);
});

test('`pseudo` forces states on all matches, with their transitions, and without events', async ({ serve, shoot }) => {
  const site = await serve(() =>
    html(
      `<button class="buy">1</button><button class="buy">2</button><input><div id="host"></div><script>
        for (const type of ['mouseover', 'mousemove', 'mousedown', 'focusin'])
          addEventListener(type, () => { document.body.style.background = '#000' });
        host.attachShadow({ mode: 'open' }).innerHTML = '<style>b { display: block; height: 20px } b:hover { background: #0ff }</style><b class="buy"></b>';
      </script>`,
      `<style>body { margin: 0; background: #fff } button, input { all: unset; display: block; height: 20px; width: 100%; background: #999; transition: background 0.4s }
        .buy:hover { background: #00f } .buy:active { background: #f0f } input:focus { border-left: 80px solid #f00 } input:focus-visible { background: #0f0 }</style>`,
    ),
  );
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 200, height: 100 }
pages:
  - { name: plain, url: / }
  - { name: hover, url: /, pseudo: { hover: .buy } }
  - { name: other, url: /, fullSize: true, pseudo: { active: ".buy:first-child", focus-visible: input } }
  - { name: none, url: /, pseudo: { hover: .absent } }
`);
  const colors = async (id: string) => {
    const picture = await look(shots.capture(id).image);
    return [10, 30, 50, 70, 90].map((y) => picture.at(150, y));
  };
  expect(await colors('plain')).toEqual(['#999999', '#999999', '#999999', '#ffffff', '#ffffff']);
  expect(await colors('hover')).toEqual(['#0000ff', '#0000ff', '#999999', '#00ffff', '#ffffff']);
  expect(await colors('other')).toEqual(['#ff00ff', '#999999', '#00ff00', '#ffffff', '#ffffff']);
  expect((await look(shots.capture('other').image)).at(40, 50)).toBe('#ff0000');
  expect(shots.error('none')).toContain('`pseudo: hover`: no element matches ".absent"');
});
