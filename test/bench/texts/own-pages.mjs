const WORDS = 'The harbour opens at six. Boats leave every half hour, and carry mail and bread.';
const repeat = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join('\n');

/** Puts content into a shadow root by script. */
const inShadow = (id, content) =>
  `<div id="${id}"></div><script>document.getElementById('${id}').attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(content)};</script>`;

/**
 * Pages with texts that differ at each load: `body` gets the values of the load. `texts` and `fields` are fields of the page in the list, `files`
 * further files of the page.
 */
export const OWN_PAGES = {
  table: {
    texts: { '.when': 'date', '.sum': 'money', '.items': 'number' },
    style:
      'table { border-collapse: collapse } td, th { border: 1px solid #ccc; padding: 4px 8px } .sum { text-align: right }',
    body: (v) =>
      `<table><tr><th>Order<th>Date<th>Items<th>Total</tr>${repeat(
        8,
        (row) =>
          `<tr><td>Order ${row}<td class="when">${v.date('en-US', 'medium')}<td class="items">${v.count()}<td class="sum">${v.money()}</tr>`,
      )}</table><p>${WORDS}</p>`,
  },
  cards: {
    texts: { '.card b': 'money', '.card small': 'number' },
    style: '.cards { display: flex; flex-wrap: wrap; gap: 12px } .card { border: 1px solid #ddd; padding: 12px }',
    body: (v) =>
      `<div class="cards">${repeat(9, (card) => `<div class="card"><h3>Boat ${card}</h3><b>${v.money('USD')}</b> <small>${v.count()}</small> views</div>`)}</div>`,
  },
  sentences: {
    texts: { '.price': 'money', time: 'date', '.left': 'number' },
    fields: { fullSize: false },
    style: 'body { max-width: 460px }',
    body: (v) =>
      repeat(
        4,
        () =>
          `<p>From <time>${v.date()}</time> a ticket costs <em class="price">${v.money('GBP')}</em> for adults; only <b class="left">${v.count()}</b> of them are left. ${WORDS}</p>`,
      ),
  },
  lists: {
    texts: { 'li time': 'time', dd: 'number' },
    body: (v) =>
      `<ul>${repeat(6, (item) => `<li>Boat ${item} left <time>${v.ago()}</time>, on the way</li>`)}</ul><dl>${repeat(4, (item) => `<dt>Pier ${item}</dt><dd>${v.percent()}</dd>`)}</dl>`,
  },
  headings: {
    texts: { 'h1 span': 'number', h2: 'date', 'h3 mark': 'number' },
    style: 'h1 { font-size: 48px; text-align: center } h2 { border-bottom: 2px solid #06c }',
    body: (v) =>
      `<h1><span>${v.count()}</span> boats</h1>${repeat(3, () => `<h2>${v.date('en-US', 'full')}</h2><p>${WORDS}</p>`)}<h3>In all <mark>${v.count()}</mark> trips</h3>`,
  },
  grid: {
    texts: { '.value': 'number', '.change': '[+-]\\d+(\\.\\d+)?%' },
    style:
      '.grid { display: grid; grid-template-columns: auto auto 1fr; gap: 16px } .tile { background: #eef; padding: 16px } .value { font-size: 40px } .change { justify-self: end; color: green }',
    body: (v) =>
      `<div class="grid">${repeat(6, (tile) => `<div class="tile"><div class="value">${v.count()}</div><div>Visits of pier ${tile}</div><div class="change">+${v.percent()}</div></div>`)}</div>`,
  },
  rtl: {
    texts: { '.price': 'money', time: 'date', '.count': 'number' },
    attributes: 'dir="rtl" lang="ar"',
    body: (v) =>
      repeat(
        4,
        () =>
          `<p>السعر <b class="price">${v.money('ILS', 'he')}</b> حتى <time>${v.date('ar-EG')}</time> ويبقى <i class="count">${v.count('ar-EG')}</i> تذكرة</p>`,
      ),
  },
  nested: {
    texts: { '.price': 'money', '.per': '/ \\w+' },
    style: '.price b { font-size: 36px } .price sup { font-size: 14px; color: #666 }',
    body: (v) =>
      repeat(5, (plan) => {
        const [whole, cents] = v.price();
        return `<div><span class="price">€<b>${whole}</b>.<sup>${cents}</sup></span> <small class="per">/ month</small> for plan ${plan}</div>`;
      }),
  },
  'react-parts': {
    texts: { '.line': '\\d+ of [\\d,]+ seats, [\\d.]+%', time: 'time' },
    body: (v) =>
      repeat(
        5,
        () =>
          `<p class="line">${v.digits()}<!-- --> of <!-- -->${v.count()}<!-- --> seats, <b>${v.percent()}</b></p><p>Seen <time datetime="${v.iso()}">${v.ago()}</time></p>`,
      ),
  },
  'split-nodes': {
    texts: { '.price': 'money', '.date': 'date' },
    body: (v) => `${repeat(3, () => `<p>Now <b class="price"></b> on <i class="date"></i>, as before</p>`)}<script>
      const write = (selector, texts) => document.querySelectorAll(selector).forEach((element, index) => {
        for (const part of texts[index].match(/.{1,3}/gu) ?? []) element.append(document.createTextNode(part));
      });
      write('.price', ${JSON.stringify([v.money(), v.money(), v.money()])});
      write('.date', ${JSON.stringify([v.date(), v.date(), v.date()])});</script>`,
  },
  'narrow-boxes': {
    texts: { '.date': 'date', '.sum': 'money' },
    style:
      '.box { width: 92px; float: left; border: 1px solid #aaa; margin: 4px; padding: 4px } .sum { overflow-wrap: anywhere; font-size: 24px }',
    body: (v) =>
      `${repeat(8, () => `<div class="box"><span class="date">${v.date('en-US', 'full')}</span><div class="sum">${v.money()}</div></div>`)}<p style="clear: both">${WORDS}</p>`,
  },
  'sticky-header': {
    texts: { '.cart': 'number', '.total': 'money', article: 'any' },
    style: 'header { position: sticky; top: 0; background: #06c; color: #fff; padding: 8px } article { height: 300px }',
    body: (v) =>
      `<header>Cart: <b class="cart">${v.count()}</b> items, <b class="total">${v.money()}</b></header>${repeat(6, (part) => `<h2>Part ${part}</h2><article>${v.date()}</article>`)}`,
  },
  'shadow-dom': {
    texts: { '.count': 'number', '.price': 'money' },
    body: (v) =>
      repeat(3, (part) =>
        inShadow(
          `host-${part}`,
          `<style>.price { color: #a33 }</style><p>Only <span class="count">${v.count()}</span> left at <span class="price">${v.money()}</span> each</p>`,
        ),
      ),
  },
  ticking: {
    texts: { '#clock': 'time', '#visits': 'number' },
    body: (
      v,
    ) => `<p>It is <b id="clock"></b> in the harbour, with <b id="visits">${v.count()}</b> visitors</p><p>${WORDS}</p><script>
      let seconds = ${v.range(0, 80_000)}, guests = ${v.range(1, 99_999)};
      const tick = () => {
        clock.textContent = new Date(++seconds * 1000).toISOString().slice(11, 19);
        visits.textContent = String((guests += 7));
      };
      tick(); setInterval(tick, 1000);</script>`,
  },
  fetched: {
    texts: { '.price': 'money', '.at': 'date' },
    files: {
      'items.json': (v) => JSON.stringify(Array.from({ length: 5 }, () => [v.money('CHF', 'de-CH'), v.moment()])),
    },
    body: () => `<ul id="list"></ul><script>
      fetch('items.json').then((response) => response.json()).then((items) => {
        list.innerHTML = items.map(([price, at], index) => '<li>Item ' + index + ': <b class="price">' + price + '</b>, changed on <i class="at">' + at + '</i></li>').join('');
      });</script>`,
  },
  masonry: {
    texts: { '.note b': 'date', '.note i': 'money' },
    style: '#wall { position: relative } .note { position: absolute; width: 130px; background: #ffd; padding: 6px }',
    body: (v) =>
      `<div id="wall">${repeat(9, (note) => `<div class="note">Note ${note} of <b>${v.date('en-US', 'full')}</b> for <i>${v.money()}</i></div>`)}</div><script>
      const place = () => {
        const heights = [0, 0, 0];
        for (const note of document.querySelectorAll('.note')) {
          const column = heights.indexOf(Math.min(...heights));
          note.style.left = column * 150 + 'px';
          note.style.top = heights[column] + 'px';
          heights[column] += note.offsetHeight + 10;
        }
        wall.style.height = Math.max(...heights) + 'px';
      };
      place(); addEventListener('resize', place);</script>`,
  },
  svg: {
    texts: { 'text.value': 'number', 'text.axis': 'date' },
    body: (v) =>
      `<svg width="600" height="220">${repeat(5, (bar) => `<rect x="${bar * 110}" y="60" width="80" height="100" fill="#9bd"/><text class="value" x="${bar * 110 + 40}" y="50" text-anchor="middle">${v.count()}</text><text class="axis" x="${bar * 110}" y="190" font-size="12">${v.date('en-US', 'short')}</text>`)}</svg>`,
  },
  'font-subsets': {
    texts: { '.price': 'money' },
    fields: { fullSize: false },
    style: `${Array.from({ length: 10 }, (_, digit) => `@font-face { font-family: Own; src: url(/fonts/inter-latin-600-normal.woff2?${digit}); unicode-range: U+3${digit} }`).join('\n')} .price { font: 32px Own, serif }`,
    body: (v) => `<p>Today <b class="price">€ ${v.small()}</b> only</p><p>${WORDS}</p>`,
  },
  clipped: {
    texts: { '.name': 'date', '.clamp span': 'money', '.upper': 'date' },
    style:
      '.name { width: 90px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap } .clamp { width: 200px; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden } .upper { text-transform: uppercase; letter-spacing: 2px } .upper::first-letter { font-size: 30px; color: red }',
    body: (v) =>
      repeat(
        3,
        () =>
          `<div class="name">${v.date('en-US', 'full')}</div><div class="clamp">The price of <span>${v.money()}</span> is that of this week. ${WORDS}</div><p class="upper">${v.date()}</p>`,
      ),
  },
  controls: {
    texts: { '.buy b': 'money', option: 'Size \\d - €[\\d,.]+', '.badge': 'number', summary: 'Details of .*' },
    style: '.badge { background: #c00; color: #fff; border-radius: 9px; padding: 1px 7px } .buy { padding: 8px }',
    body: (v) =>
      `<button class="buy">Buy for <b>${v.money()}</b></button> <select>${repeat(3, (size) => `<option>Size ${size} - ${v.money()}</option>`)}</select> <a href="#">Inbox <span class="badge">${v.digits()}</span></a> <details open><summary>Details of ${v.date()}</summary>${WORDS}</details>`,
  },
};

export function writePage({ attributes = 'lang="en"', style = '', body }, values) {
  return `<!doctype html><html ${attributes}><head><meta charset="utf-8"><title>Harbour</title><link rel="icon" href="data:,">
<style>body { font: 16px/1.5 sans-serif; margin: 24px } ${style}</style></head><body>${body(values)}</body></html>`;
}
