import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

/** A script moves the slides. The image shows the first one. */
const slides = (second: string) =>
  `<div style="overflow: hidden; width: 200px"><div style="display: flex; transform: translateX(0)">
    ${['first', second].map((text) => `<p class="slide" style="flex: 0 0 200px; margin: 0; height: 40px">${text}</p>`).join('')}
  </div></div>`;

/** Pages in two versions that look the same, and what is said of the second one. */
const PAGES: Record<string, { page: (isOther: boolean) => string; found?: string; fields?: string }> = {
  slide: {
    page: (isOther) => slides(isOther ? '19 EUR' : '12 EUR'),
    found: 'new: "19 EUR" (p.slide); 1 text not there any more',
  },
  removed: { page: (isOther) => slides(isOther ? '' : 'last'), found: '1 text not there any more' },
  moved: {
    page: (isOther) => slides(isOther ? 'first' : 'second'),
    found: 'new: "first" (p.slide); 1 text not there any more',
  },
  frame: {
    page: (isOther) => `<iframe srcdoc='${slides(isOther ? 'b' : 'a')}'></iframe>`,
    found: 'new: "b" (p.slide); 1 text not there any more',
  },
  closedRoot: {
    page: (isOther) =>
      `<x-a></x-a><script>document.querySelector('x-a').attachShadow({ mode: 'closed' }).innerHTML = \`${slides(isOther ? 'b' : 'a')}\`</script>`,
    found: 'new: "b" (p.slide); 1 text not there any more',
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

test('a text that the image does not show is a warning if it differs from the baseline, until the baseline is written again', async ({
  runs,
  serve,
}) => {
  let isOther = false;
  const site = await serve(({ url }) =>
    html(`<h1>Page</h1>${PAGES[url.pathname.slice(1)]?.page(isOther)}`, '<style>body { margin: 0 }</style>'),
  );
  const pages = Object.entries(PAGES).map(
    ([name, { fields }]) => `  - { name: ${name}, url: /${name}${fields ? `, ${fields}` : ''} }`,
  );
  const list = `baseURL: ${site.url}\ndefaults: { width: 300, height: 200, fullSize: true, strict: false }\npages:\n${pages.join('\n')}\n`;
  const foundIn = ({ shot }: Awaited<ReturnType<typeof runs.run>>) =>
    Object.fromEntries(
      Object.keys(PAGES).map((name) => {
        const { status, warnings } = shot(name);
        const texts = warnings.filter(({ code }) => code === 'baseline-texts');
        return [name, [status, ...texts.map(({ message }) => message.split(/does not show: |; to accept/)[1])]];
      }),
    );
  const silent = Object.fromEntries(Object.keys(PAGES).map((name) => [name, ['passed']]));
  const expected = Object.fromEntries(
    Object.entries(PAGES).map(([name, { found }]) => [name, ['passed', ...(found ? [found] : [])]]),
  );
  await runs.run(list, { mode: 'changed' });
  expect(foundIn(await runs.run(list))).toEqual(silent);
  isOther = true;
  expect(foundIn(await runs.run(list))).toEqual(expected);
  const strict = list.replace('strict: false', 'strict: true').replace(/(?<=\/slide }\n).*$/s, '');
  expect((await runs.run(strict)).statuses).toEqual(['slide: error']);
  await runs.run(list, { mode: 'changed' });
  expect(foundIn(await runs.run(list))).toEqual(silent);
});
