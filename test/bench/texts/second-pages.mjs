const WORDS = 'Der Hafen öffnet um sechs. Boote legen jede halbe Stunde ab und bringen Post und Brot.';
const repeat = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join('\n');

/** More pages of the kind of `OWN_PAGES`. They were written when the code was complete. */
export const SECOND_PAGES = {
  columns: {
    texts: { time: 'date', '.prix': 'money' },
    style: 'article { columns: 3; column-rule: 1px solid #ccc }',
    body: (v) =>
      `<article>${repeat(8, () => `<p>Depuis le <time>${v.date('fr-FR')}</time>, le billet coûte <b class="prix">${v.money('EUR', 'fr-FR')}</b>.</p>`)}</article>`,
  },
  vertical: {
    texts: { time: 'date', '.price': 'money' },
    style: 'main { writing-mode: vertical-rl; height: 320px }',
    body: (v) =>
      `<main>${repeat(5, () => `<p>期限は<time>${v.date('ja-JP')}</time>で、料金は<b class="price">${v.money('JPY', 'ja-JP')}</b>です。</p>`)}</main>`,
  },
  receipt: {
    texts: { '.sum': 'money', 'h2 small': 'date' },
    style: '.row { display: flex; max-width: 360px } .row i { flex: 1; border-bottom: 1px dotted #888; margin: 0 6px }',
    body: (v) =>
      `<h2>Rachunek <small>${v.date('pl-PL', 'full')}</small></h2>${repeat(7, (row) => `<div class="row"><span>Bilet ${row}</span><i></i><span class="sum">${v.money('PLN', 'pl-PL')}</span></div>`)}`,
  },
  calendar: {
    texts: { '.day b': 'number', caption: 'date' },
    style: 'td { width: 60px; height: 40px; border: 1px solid #ddd; vertical-align: top }',
    body: (v) =>
      `<table><caption>${v.date('it-IT', 'full')}</caption>${repeat(4, () => `<tr>${repeat(7, (day) => `<td class="day">${day} <b>${v.small()}</b></td>`)}</tr>`)}</table>`,
  },
  chat: {
    texts: { '.at': 'time' },
    style:
      '.bubble { width: fit-content; max-width: 240px; padding: 8px; border-radius: 10px; background: #def; margin: 6px } .mine { margin-left: auto; background: #dfd } .at { float: right; font-size: 11px; margin-left: 10px }',
    body: (v) =>
      repeat(
        7,
        (one) =>
          `<div class="bubble ${one % 2 ? 'mine' : ''}">Hola, barco ${one}<span class="at">${v.ago('es')}</span></div>`,
      ),
  },
  stickers: {
    texts: { '.sticker': 'money' },
    style:
      '.sticker { display: inline-block; transform: rotate(-8deg); background: #fd0; padding: 10px; margin: 24px; border-radius: 50%; filter: drop-shadow(2px 2px 2px #888) }',
    body: (v) => repeat(6, () => `<span class="sticker">${v.money('USD')}</span>`),
  },
  spans: {
    texts: { '.n': 'number', '.w': 'date' },
    style: 'table { border-collapse: collapse } td { border: 1px solid #999; padding: 3px }',
    body: (v) =>
      `<table>${repeat(3, (row) => `<tr><td rowspan="2">Pier ${row}</td><td class="n">${v.count('de-DE')}</td><td class="w">${v.moment('de-DE')}</td></tr><tr><td class="n" colspan="2">${v.percent()}</td></tr>`)}</table>`,
  },
  'fit-text': {
    texts: { '.fit': 'number' },
    style:
      '.box { width: 200px; overflow: hidden; border: 1px solid } .fit { white-space: nowrap; display: inline-block }',
    body: (
      v,
    ) => `${repeat(3, () => `<div class="box"><span class="fit">${v.count()}</span></div>`)}<p>${WORDS}</p><script>
      const fit = (element) => {
        element.style.fontSize = '20px';
        element.style.fontSize = Math.min(60, Math.floor((20 * 190) / element.scrollWidth)) + 'px';
      };
      for (const element of document.querySelectorAll('.fit')) {
        fit(element);
        new ResizeObserver(() => fit(element)).observe(element);
      }</script>`,
  },
  labels: {
    texts: { 'text.label': 'number' },
    body: (
      v,
    ) => `<svg width="500" height="200">${repeat(4, (bar) => `<g><rect class="plate" y="${bar * 45}" height="30" fill="#fea"/><text class="label" x="10" y="${bar * 45 + 20}">${v.count()}</text><text class="unit" y="${bar * 45 + 20}">boats</text></g>`)}</svg><script>
      const draw = () => document.querySelectorAll('g').forEach((group) => {
        const label = group.querySelector('.label');
        if (!label) return;
        const { width } = label.getBBox();
        group.querySelector('.plate').setAttribute('width', width + 20);
        group.querySelector('.unit').setAttribute('x', width + 30);
      });
      draw();
      let timer;
      addEventListener('resize', () => { clearTimeout(timer); timer = setTimeout(draw, 150); });</script>`,
  },
  balanced: {
    texts: { 'h2 span': 'date', '.box b': 'money' },
    attributes: 'lang="de"',
    style: 'h2 { text-wrap: balance; width: 420px } .box { width: 130px; hyphens: auto; text-align: justify }',
    body: (v) =>
      repeat(
        3,
        () =>
          `<h2>Fahrplanauskunft vom <span>${v.date('de-DE', 'full')}</span> für alle Anlegestellen</h2><div class="box">Beförderungsbedingungen gelten ab <b>${v.money('EUR', 'de-DE')}</b> je Fahrgast.</div>`,
      ),
  },
  tooltip: {
    texts: { '#target': 'money' },
    fields: { fullSize: false },
    style:
      '#target { display: inline-block } #tip { position: absolute; background: #333; color: #fff; padding: 4px 8px; border-radius: 4px }',
    body: (
      v,
    ) => `<p>The ticket costs <b id="target">${v.money()}</b> at the pier.</p><div id="tip">with tax</div><script>
      const place = () => requestAnimationFrame(() => {
        const { left, bottom, width } = target.getBoundingClientRect();
        tip.style.cssText = 'left:' + (left + width / 2) + 'px;top:' + (bottom + 6) + 'px';
      });
      place(); new ResizeObserver(place).observe(target);</script>`,
  },
  slots: {
    texts: { '.amount': 'money', '.when': 'date' },
    body: (
      v,
    ) => `<template id="shape"><style>::slotted(b) { color: #a30 } div { border: 1px solid #ccc; padding: 8px; width: fit-content }</style><div><slot name="amount"></slot> until <slot></slot></div></template>
      ${repeat(3, () => `<x-offer><b slot="amount" class="amount">${v.money()}</b><span class="when">${v.date()}</span></x-offer>`)}<script>
      customElements.define('x-offer', class extends HTMLElement {
        connectedCallback() { this.attachShadow({ mode: 'open' }).append(shape.content.cloneNode(true)); }
      });</script>`,
  },
  'nested-shadow': {
    texts: { '.count': 'number' },
    body: (v) => `<x-outer></x-outer><p>${WORDS}</p><script>
      const counts = ${JSON.stringify([v.count(), v.count(), v.count()])};
      customElements.define('x-inner', class extends HTMLElement {
        connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<em>Seats: <span class="count">' + counts[this.dataset.at] + '</span> free</em>'; }
      });
      customElements.define('x-outer', class extends HTMLElement {
        connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = counts.map((_, at) => '<p><x-inner data-at="' + at + '"></x-inner></p>').join(''); }
      });</script>`,
  },
  figures: {
    texts: { 'figcaption span': 'date', 'legend b': 'number', 'label i': 'money' },
    style: 'figure { display: inline-block; background: #eee; padding: 8px }',
    body: (v) =>
      `${repeat(3, () => `<figure><svg width="120" height="60"><rect width="120" height="60" fill="#7ab"/></svg><figcaption>Taken on <span>${v.date('en-GB')}</span></figcaption></figure>`)}<fieldset><legend><b>${v.count()}</b> options</legend>${repeat(3, (option) => `<label><input type="radio" name="a"> Option ${option} for <i>${v.money('GBP')}</i></label><br>`)}</fieldset>`,
  },
  'fixed-bar': {
    texts: { '.total': 'money', '.row b': 'number' },
    style:
      '.bar { position: fixed; inset: auto 0 0; background: #222; color: #fff; padding: 12px; display: flex; justify-content: space-between } .row { height: 160px }',
    body: (v) =>
      `${repeat(8, (row) => `<div class="row">Crate ${row}: <b>${v.count()}</b> kg</div>`)}<div class="bar"><span>Total</span><b class="total">${v.money()}</b></div>`,
  },
  rewritten: {
    texts: { '#feed b': 'number', '#feed time': 'time' },
    body: (
      v,
    ) => `<ul id="feed">${repeat(3, (line) => `<li>Line ${line}: <b></b> trips, <time></time>, all on time</li>`)}</ul><p>${WORDS}</p><script>
      let count = ${v.range(1, 90_000)};
      const write = () => {
        count += 3;
        for (const [line, item] of [...feed.children].entries()) {
          for (const number of item.querySelectorAll('b')) number.textContent = count * (line + 1);
          for (const time of item.querySelectorAll('time')) time.textContent = count % 50 + 2 + ' minutes ago';
        }
      };
      write(); setInterval(write, 700);</script>`,
  },
  late: {
    texts: { '.late': 'money' },
    body: (v) => `<p>The fare is <span id="place">…</span> today</p><p>${WORDS}</p><script>
      setTimeout(() => { place.innerHTML = '<b class="late">${v.money('SEK', 'sv-SE')}</b>'; }, 2000);</script>`,
  },
  scrolled: {
    texts: { '.note': 'date', '.seats': 'number' },
    fields: { actions: [{ scrollTo: '#timetable' }] },
    style: '.note { width: 120px; font-size: 22px } section { height: 700px; background: #f4f4ff }',
    body: (v) =>
      `${repeat(8, () => `<div class="note">${v.date('en-US', 'full')}</div>`)}<h2 id="timetable">Timetable</h2><section>There are <b class="seats">${v.count()}</b> seats</section><section>${WORDS}</section>`,
  },
  languages: {
    texts: { td: 'date' },
    style: 'td { border-bottom: 1px solid #ddd; padding: 4px 12px }',
    body: (v) =>
      `<table>${repeat(1, () => ['cs', 'da', 'el', 'es', 'fi', 'hi', 'hu', 'ko', 'nl', 'pt-BR', 'ru', 'sv', 'th', 'tr', 'uk', 'zh-CN'].map((language) => `<tr><th>${language}</th><td>${v.date(language, 'full')}</td><td>${v.ago(language)}</td><td>${v.moment(language)}</td></tr>`).join(''))}</table>`,
  },
  reduced: {
    texts: { del: 'money', ins: 'money', 'data span': 'number' },
    style:
      'del { color: #888 } ins { color: #c00; text-decoration: none; font-weight: bold } dialog { position: static }',
    body: (v) =>
      `${repeat(5, (line) => `<p>Line ${line}: <del>${v.money('BRL', 'pt-BR')}</del> <ins>${v.money('INR', 'en-IN')}</ins>, <data value="1"><span>${v.count('en-IN')}</span> sold</data></p>`)}<dialog open>Sale ends soon</dialog>`,
  },
};
