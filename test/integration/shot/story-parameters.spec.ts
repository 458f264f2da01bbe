import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { decodeImage } from '../../../src/image/decode.js';
import { renderSize } from '../../../src/model/text.js';
import { readImage } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';
import { storybook } from '../../storybook.js';
import { writeFiles } from '../../unit/temp-folder.js';
import { test } from '../runs.js';

/** Each story: what it renders into the root, what it adds to the document, and what it sets in `parameters.proofsheet`. */
const STORIES: Record<string, { root?: string; portal?: string; parameters?: object; fails?: true }> = {
  plain: { root: '<b class="box"></b>' },
  dialog: { root: '<b class="box"></b>', portal: '<i class="dialog"></i>' },
  ignored: { root: '<b class="box"></b><b class="secret"></b>' },
  nothing: {},
  // Only one row is drawn: where the page is scrolled to.
  rows: { root: '<b class="box" style="height: 1500px; background: none"></b><b class="row"></b>' },
  tall: { root: '<b class="box" style="height: 900px"></b>' },
  element: { root: '<b class="box"><b class="part"></b></b>', parameters: { element: '.part' } },
  full: { root: '<b class="box"></b>', parameters: { fullSize: true, threshold: 0.3 } },
  early: { root: '<b class="box late"></b>' },
  late: { root: '<b class="box late"></b>', parameters: { delay: 4 } },
  phone: { root: '<b class="box"></b>', parameters: { viewports: ['phone'] } },
  broken: { fails: true, parameters: { skip: 'waits for a server' } },
  wrong: { root: '<b class="box"></b>', parameters: { dealy: 1 } },
};

const ROW = [0, 0x66, 0xcc];

/** What a Storybook shows of a story, as far as it can be seen from outside. */
const PREVIEW = html(
  '<div id="storybook-root"></div>',
  `<style>
    body { margin: 16px; background: #fff } #storybook-root { width: fit-content }
    .box { display: block; width: 90px; height: 40px; background: #0a7d32 }
    .secret { display: block; margin: 20px 0 0 60px; width: 10px; height: 10px; background: #eee }
    .row { position: absolute; left: 16px; top: 100px; width: 90px; height: 40px; background: #0066cc }
    .part { display: block; width: 20px; height: 10px; background: #fff }
    .dialog { position: fixed; right: 30px; top: 100px; width: 120px; height: 50px; background: #eee }
    .late.loaded { width: 200px }
  </style>
  <script>
    const id = new URLSearchParams(location.search).get('id');
    const { root = '', portal = '', parameters, fails } = ${JSON.stringify(STORIES)}[id.slice('box--'.length)];
    const last = { storyPrepared: [{ id, parameters: { layout: 'padded', proofsheet: parameters } }] };
    window.__STORYBOOK_ADDONS_CHANNEL__ = { last: (event) => last[event] };
    addEventListener('DOMContentLoaded', () => {
      document.getElementById('storybook-root').innerHTML = root;
      document.body.insertAdjacentHTML('beforeend', portal);
      if (fails) last.storyThrewException = [new Error('no server')];
      else Object.assign(last, { storyRenderPhaseChanged: [{ newPhase: 'finished' }], storyRendered: [id] });
      addEventListener('scroll', () => document.querySelector('.row')?.style.setProperty('top', scrollY + 100 + 'px'));
      setTimeout(() => document.querySelector('.late')?.classList.add('loaded'), 17_000);
    });
  </script>`,
);

test('the image of a story is its root with all that is painted outside of it, and a story sets fields for itself', async ({
  browser,
  folder,
  runs,
}) => {
  const write = (page: string) => writeFiles(folder, storybook('storybook', 'Box', Object.keys(STORIES), page));
  write(PREVIEW);
  const listOf = (choice: string) => `stories:
  - { folder: storybook, width: 800, height: 600, ${choice} }
  - { folder: storybook, width: 800, height: 600, include: Box/ignored, ignore: .secret }\n`;
  const written = await runs.run(listOf('exclude: "Box/{phone,ignored}"'), { mode: 'missing' });

  const sizeOf = (path: string) => renderSize(readImage(readFileSync(runs.path(path))).size);
  const sizes = runs.baselines().map((path) => [path.slice('Box/'.length, -'.png'.length), sizeOf(path)]);
  expect(Object.fromEntries(sizes)).toEqual({
    plain: '90x40',
    // From the root at 16, 16 to the right end of the dialog.
    dialog: '754x134',
    ignored: '90x70',
    rows: '90x1500',
    tall: '90x900',
    element: '20x10',
    full: '800x600',
    early: '90x40',
    late: '200x40',
  });
  const { data, width } = await decodeImage(readImage(readFileSync(runs.path('Box/rows.png'))));
  const colorAt = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
  // The row is 100 px below the top of the window. The root begins at 16 px.
  expect([colorAt(45, 100), colorAt(45, 700)]).toEqual([ROW, ROW]);
  const limitOf = (id: string) => written.shot(id).limits?.threshold;
  expect([limitOf('Box/plain'), limitOf('Box/full')]).toEqual([0.005, 0.3]);
  expect(written.shot('Box/nothing').reason).toContain('the screenshot has only one color, #ffffff');
  expect(written.shot('Box/wrong').reason).toBe(
    'parameters.proofsheet of the story "box--wrong": unknown option "dealy". Did you mean "delay"?',
  );
  const { verdict, record } = written.of('Box/broken');
  expect([record.status, record.reason, verdict.skipReason, verdict.passed]).toEqual([
    ...['skipped', 'waits for a server', 'waits for a server', true],
  ]);

  write(PREVIEW.replaceAll('#eee', '#ddd'));
  const again = await runs.run(listOf('include: "Box/{plain,dialog}"'));
  expect(again.statuses).toEqual(['Box/dialog: changed', 'Box/ignored: passed', 'Box/plain: passed']);
  expect(again.shot('Box/dialog').causes).toMatchObject([{ element: 'i.dialog', property: 'background-color' }]);

  const named = `viewports: { phone: { width: 400, height: 600 }, desktop: { width: 800, height: 600 } }
stories: { folder: storybook, include: Box/phone, format: jpeg }\n`;
  const { statuses } = await runs.run(named, { mode: 'missing' });
  expect(statuses).toEqual(['Box/phone/desktop: skipped', 'Box/phone/phone: new']);
  expect(sizeOf('Box/phone/phone.jpeg')).toBe('90x40');

  // By the plain driver.
  const webp = `stories: { folder: storybook, width: 800, height: 600, include: Box/dialog, format: webp }\n`;
  expect((await runs.run(webp, { mode: 'missing', browser })).statuses).toEqual(['Box/dialog: new']);
  expect(sizeOf('Box/dialog.webp')).toBe('754x134');
});
