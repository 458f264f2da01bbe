import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

/** A script moves the slides. The image shows the first one. */
const slides = (second: string) =>
  `<div style="overflow: hidden; width: 200px"><div style="display: flex; transform: translateX(0)">
    ${['first', second].map((text) => `<p class="slide" style="flex: 0 0 200px; margin: 0; height: 40px">${text}</p>`).join('')}
  </div></div>`;

/** A visitor scrolls to the last row. The area keeps its size, because its content follows it. */
const rows = (last: string) =>
  `<div style="height: 60px; overflow: auto"><div style="height: 300%; position: relative">
    <p>first</p><p class="row" style="position: absolute; margin: 0; bottom: 0">${last}</p>
  </div></div>`;

interface TwoVersions {
  page: (isOther: boolean) => string;
  /** @default the text is not looked at */
  warning?: string;
  reason?: string;
  fields?: string;
}

/** Pages in two versions that look the same, and what is said of the second one. */
const PAGES: Record<string, TwoVersions> = {
  slide: {
    page: (isOther) => slides(isOther ? '19 EUR' : '12 EUR'),
    warning: 'new: "19 EUR" (p.slide); 1 text not there any more',
  },
  removed: { page: (isOther) => slides(isOther ? '' : 'last'), warning: '1 text not there any more' },
  moved: {
    page: (isOther) => slides(isOther ? 'first' : 'second'),
    warning: 'new: "first" (p.slide); 1 text not there any more',
  },
  frame: {
    page: (isOther) => `<iframe srcdoc='${slides(isOther ? 'b' : 'a')}'></iframe>`,
    warning: 'new: "b" (p.slide); 1 text not there any more',
  },
  closedRoot: {
    page: (isOther) =>
      `<x-a></x-a><script>document.querySelector('x-a').attachShadow({ mode: 'closed' }).innerHTML = \`${slides(isOther ? 'b' : 'a')}\`</script>`,
    warning: 'new: "b" (x-a > div > div > p.slide); 1 text not there any more',
  },
  area: {
    page: (isOther) => rows(isOther ? '19 EUR' : '12 EUR'),
    reason:
      'p.row: text "19 EUR" is new, where the image does not show it; 1 text that the image does not show: removed; 0 px',
  },
  areaInFrame: {
    page: (isOther) => `<iframe srcdoc='${rows(isOther ? '' : 'b')}'></iframe>`,
    reason: '1 text that the image does not show: removed; 0 px',
  },
  ignored: { page: (isOther) => slides(isOther ? 'b' : 'a'), fields: 'ignore: .slide' },
  masked: { page: (isOther) => slides(isOther ? 'b' : 'a'), fields: 'mask: .slide' },
  viewport: { page: (isOther) => slides(isOther ? 'b' : 'a'), fields: 'fullSize: false' },
  unexpanded: { page: (isOther) => slides(isOther ? 'b' : 'a'), fields: 'expand: false' },
  closedMenu: { page: (isOther) => `<p>Menu</p><ul hidden><li>${isOther ? 'b' : 'a'}</ul>` },
  script: { page: (isOther) => `<p>Text</p><script>var version = ${isOther ? 2 : 1}</script>` },
  time: { page: (isOther) => slides(isOther ? 'updated 14:05' : 'updated 13:20').replaceAll('updated ', '') },
  chance: {
    page: () => `${slides('a')}<script>document.querySelectorAll('p')[1].textContent = crypto.randomUUID()</script>`,
  },
};

test('a text that the image does not show is a change if a visitor can scroll to it, else a warning, until the baseline is written again', async ({
  runs,
  serve,
}) => {
  let isOther = false;
  const site = await serve(({ url }) =>
    html(`<h1>Page</h1>${PAGES[url.pathname.slice(1)]?.page(isOther)}`, '<style>body { margin: 0 }</style>'),
  );
  const listOf = (names: readonly string[]) => {
    const pages = names.map((name) => {
      const { fields } = PAGES[name] ?? {};
      return `  - { name: ${name}, url: /${name}${fields ? `, ${fields}` : ''} }`;
    });
    return `baseURL: ${site.url}\ndefaults: { width: 300, height: 200, fullSize: true, strict: false }\npages:\n${pages.join('\n')}\n`;
  };
  const names = Object.keys(PAGES);
  const list = listOf(names);
  const written = await runs.run(list, { mode: 'changed' });
  expect(written.statuses).toEqual(names.map((name) => `${name}: new`).sort());
  isOther = true;
  const { shot } = await runs.run(list);
  const said = names.map((name) => {
    const { status, warnings, reason } = shot(name);
    const texts = warnings.filter(({ code }) => code === 'baseline-texts');
    const quoted = texts.map(({ message }) => message.split(/does not show: |; to accept/)[1]);
    return { name, said: [status, ...quoted, ...(reason ? [reason.replace(/ \(0 %.*$/, '')] : [])] };
  });
  expect(said).toEqual(
    Object.entries(PAGES).map(([name, { warning, reason }]) => ({
      name,
      said: [reason ? 'changed' : 'passed', ...[warning ?? reason ?? []].flat()],
    })),
  );
  const strict = listOf(['slide']).replace('strict: false', 'strict: true');
  expect((await runs.run(strict)).statuses).toEqual(['slide: error']);
  const some = listOf(['slide', 'area']);
  await runs.run(some, { mode: 'changed' });
  const accepted = await runs.run(some);
  expect(accepted.statuses).toEqual(['area: passed', 'slide: passed']);
  expect(accepted.shot('slide').warnings).toEqual([]);
});
