import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { look, test } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';

const PAGE = html(
  `<div id="a" style="height: 20px"></div><div id="b" style="height: 20px"></div><div id="c" style="height: 20px"></div>
  <img src="/ads/banner.png" alt="" width="50" height="20"><script src="/ads/ad.js"></script>
  <script>
    const paint = (id, url) => fetch(url).then((response) => response.ok ? response.json() : { color: '#f00' })
      .then(({ color }) => { document.querySelector(id).style.background = color; });
    paint('#a', '/api/one');
    paint('#b', '/api/two');
    paint('#c', '/api/three');
  </script>`,
  '<style>body { margin: 0 }</style>',
);

test('`block`, `mock` and `har` keep requests from the server, without a warning', async ({ serve, shoot }, info) => {
  const asked = new Set<string>();
  const site = await serve(({ url }) => {
    asked.add(url.pathname);
    if (url.pathname.startsWith('/api/'))
      return { status: 200, type: 'application/json', body: '{ "color": "#999999" }' };
    return url.pathname === '/' ? PAGE : { status: 404 };
  });
  const file = (name: string, content: object) => {
    const path = join(info.outputDir, name);
    writeFileSync(info.outputPath(name), JSON.stringify(content));
    return path;
  };
  const one = file('one.json', { color: '#0000ff' });
  const entry = {
    request: { method: 'GET', url: `${site.url}/api/three`, headers: [] },
    response: {
      ...{ status: 200, statusText: 'OK', headers: [], cookies: [], httpVersion: 'HTTP/1.1', redirectURL: '' },
      content: { mimeType: 'application/json', text: '{ "color": "#ff00ff" }', size: 22 },
      ...{ headersSize: -1, bodySize: -1 },
    },
    ...{ startedDateTime: '2024-01-01T00:00:00.000Z', time: 1, cache: {}, timings: { send: 0, wait: 1, receive: 0 } },
  };
  const har = file('site.har', { log: { version: '1.2', creator: { name: 'a', version: '1' }, entries: [entry] } });
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 200, height: 100 }
pages:
  - name: ruled
    url: /
    block: "**/ads/**"
    har: ${har}
    mock: { "**/api/one": ${one}, "**/api/two": { body: { color: "#00ff00" } } }
  - { name: failing, url: /, block: ["**/ads/**"], mock: { "**/api/*": { status: 500 } } }
  - { name: hidden, url: /, headers: { X-Own: a }, block: ["**/ads/**"], mock: { "**/api/*": ${one} } }
  - { name: plain, url: / }
`);
  const colors = async (id: string) => {
    const picture = await look(shots.capture(id).image);
    return [10, 30, 50].map((y) => picture.at(100, y));
  };
  expect(await colors('ruled')).toEqual(['#0000ff', '#00ff00', '#ff00ff']);
  expect(await colors('failing')).toEqual(['#ff0000', '#ff0000', '#ff0000']);
  expect(await colors('hidden')).toEqual(['#0000ff', '#0000ff', '#0000ff']);
  expect(await colors('plain')).toEqual(['#999999', '#999999', '#999999']);
  for (const id of ['ruled', 'failing', 'hidden']) expect(shots.capture(id).warnings, id).toEqual([]);
  expect(
    shots
      .capture('plain')
      .warnings.map(({ code }) => code)
      .sort(),
  ).toEqual(['broken-image', 'broken-script']);
});
