import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

test('every format has its size and file header, passes in the second run, and both engines find a change in it', async ({
  runs,
  serve,
}) => {
  let notice = '';
  const tall = '<h1>Formats</h1><div style="height: 1500px; background: linear-gradient(#fff, #39f)"></div>';
  const site = await serve(() => html(`${notice}${tall}`));
  const pages = ['png-view', 'png-full', 'jpeg-full', 'jpg-view', 'webp-full'].map((name, index) => {
    const [format, size] = name.split('-');
    const engine = index % 2 === 0 ? 'odiff' : 'pixelmatch';
    return `  - { name: ${name}, url: /, format: ${format}, engine: ${engine}, width: 640, height: 400, fullSize: ${size === 'full'} }`;
  });
  const list = `baseURL: ${site.url}\npages:\n${pages.join('\n')}\n`;
  expect((await runs.run(list, { mode: 'changed' })).passed).toBe(true);
  const run = await runs.run(list);
  expect(run.passed).toBe(true);
  expect(run.statuses).toHaveLength(pages.length);
  for (const id of run.statuses.map((status) => status.replace(': passed', ''))) {
    const { capture, after } = run.shot(id);
    const [format = '', size] = id.split('-');
    expect(capture).toMatchObject({ status: 'success', url: `${site.url}/`, width: 640, height: 400 });
    expect(capture?.link).toMatch(new RegExp(`^screenshots/127\\.0\\.0\\.1/[0-9a-f-]{36}/\\d{13}\\.${format}$`));
    expect(after).toMatchObject({ width: 640 });
    if (size === 'view') expect(after?.height).toBe(400);
    else expect(after?.height).toBeGreaterThan(1500);
    const head = run.of(id).image('after').subarray(0, 12).toString('latin1');
    expect(head).toMatch({ png: /^.PNG/, webp: /^RIFF....WEBP/s }[format] ?? /^\xff\xd8\xff/);
  }
  notice = '<p style="background: #fee2e2">A notice.</p>';
  const changed = await runs.run(list);
  expect(changed.statuses).toEqual(run.statuses.map((status) => status.replace('passed', 'changed')));
  for (const id of ['png-view', 'png-full', 'webp-full'])
    expect(changed.shot(id).summary?.mismatchPixels, id).toBeGreaterThan(10_000);
});

test('a device is captured at its own size, the viewport and all that scrolls', async ({ serve, shoot }) => {
  const body = '<h1>Tall</h1><div style="height: 1000px"></div>';
  const site = await serve(() => html(body, '<meta name="viewport" content="width=device-width">'));
  const list = `baseURL: ${site.url}
viewports:
  iphone: { device: iPhone 15 }
  plain: { width: 500, height: 400 }
pages:
  - { name: view, url: / }
  - { name: full, url: /, fullSize: true }
  - { name: dense, url: /, scale: device, viewports: [iphone, plain] }
`;
  const shots = await shoot(list);
  const sizeOf = (id: string) => shots.capture(id).image.size;
  const size = (id: string) => `${sizeOf(id).width}x${sizeOf(id).height}`;
  expect(['view/iphone', 'view/plain'].map(size)).toEqual(['393x659', '500x400']);
  expect(['full/iphone', 'full/plain'].map((id) => sizeOf(id).width)).toEqual([393, 500]);
  for (const id of ['full/iphone', 'full/plain']) expect(sizeOf(id).height, id).toBeGreaterThan(1000);
  expect(['dense/iphone', 'dense/plain'].map(size)).toEqual(['1179x1977', '500x400']);
});
