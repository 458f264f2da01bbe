import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

interface Shown {
  readonly price?: string;
  readonly date?: string;
  readonly style?: string;
  readonly beside?: string;
  readonly inner?: string;
}

/** The script writes a text in parts of any length, and places an element by its width. */
function shop({ price, date, style = '', beside = 'in stock', inner = '' }: Shown): string {
  const page = `<h1>Shop</h1><p>Now <b class="price">€ <i>${price ?? (Math.random() * 1e4).toFixed(2)}</i></b>, ${beside}</p>
    <p style="width: 150px">As of <time>${date ?? new Date(Math.random() * 1e12).toISOString().slice(0, 10)}</time> for all</p>
    <div id="host"></div>
    <p class="note"><style>${inner}</style>${Math.random()}<b id="parts"></b></p>
    <i id="placed" style="position: absolute">placed</i>
    <script>
      for (const part of String(10 ** Math.floor(Math.random() * 9)).match(/.{1,3}/g)) parts.append(part);
      const place = () => { placed.style.left = parts.offsetWidth + 'px'; };
      place();
      addEventListener('resize', place);
      host.attachShadow({ mode: 'open' }).innerHTML = '<span class="count">' + Math.round(Math.random() * 1e6) + '</span> left';
    </script>`;
  return html(page, `<style>body { font: 16px sans-serif } ${style}</style>`);
}

const TEXTS = `{ ".price": "€ \\\\d+([.,]\\\\d\\\\d)?", time: date, ".count": number, ".note": any }`;

test('texts that may change make no alarm, and everything else about them does', async ({ runs, serve }) => {
  let shown: Shown = {};
  const site = await serve(() => shop(shown));
  const list = `baseURL: ${site.url}
defaults: { width: 400, height: 300, texts: ${TEXTS} }
pages:
  - { name: shop, url: / }
  - { name: full, url: /, fullSize: true }
`;
  const run = async (next: Shown) => {
    shown = next;
    return runs.run(list, { mode: 'none' });
  };
  expect((await runs.run(list, { mode: 'changed' })).statuses, 'each load has other texts').toEqual([
    'full: new',
    'shop: new',
  ]);
  for (let index = 0; index < 3; index++) {
    const { shot, statuses } = await run({});
    expect(statuses).toEqual(['full: passed', 'shop: passed']);
    expect(shot('shop').summary?.mismatchPixels).toBe(0);
  }
  for (const change of [
    { style: '.price { color: #222 }' },
    { style: 'time { padding-left: 1px }' },
    { beside: 'sold out' },
    { inner: '.note { color: #222 }' },
  ])
    expect((await run(change)).statuses, JSON.stringify(change)).toEqual(['full: changed', 'shop: changed']);

  const wrong = await run({ price: 'NaN' });
  expect(wrong.statuses).toEqual(['full: changed', 'shop: changed']);
  expect(wrong.shot('shop').reason).toMatch(/^\.price: text "€ NaN" is not allowed by the pattern "€ /);
  expect(wrong.shot('shop').warnings.map(({ code }) => code)).toEqual(['texts-wrong']);
});

test('a page that a test opened gets its own texts again', async ({ runs, page }) => {
  const options = { texts: { '.price': 'money' } };
  await page.setContent(html('<b class="price">€ 12.50</b>'));
  expect((await runs.match(page, 'own', options, 'changed')).record.status).toBe('new');
  await page.setContent(html('<b class="price">€ 99</b>'));
  expect((await runs.match(page, 'own', options, 'none')).record.status).toBe('passed');
  expect(await page.locator('.price').textContent()).toBe('€ 99');
});
