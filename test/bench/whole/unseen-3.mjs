import { IN_FRAME, inner, RIGHT, repeat, SHELL, said, style } from './shared.mjs';

const SAYS = '«Open until six in the evening|Closed until next Monday»';
const SAID = said(SAYS);
const COLOR = '«#36c|#c63»';
const lines = (count) => repeat(count, '<p>Entry #: pack my box with five dozen liquor jugs.</p>');

const DIAGONAL = { turn: [300, 150] };
const UP = { turn: [0, -200] };
const cells = (row, from = 1) =>
  Array.from(
    { length: 30 },
    (_, index) =>
      `<td>${row === 40 && index === 24 ? `<b id="change" style="background:#fd6">${SAYS}</b>` : `${row}.${index + from}`}</td>`,
  ).join('');
const rows = (count) =>
  Array.from({ length: count }, (_, index) => `<tr><th>Row ${index + 1}</th>${cells(index + 1)}</tr>`).join('');
const WIDE =
  'table{border-collapse:separate;border-spacing:0}td,th{min-width:90px;padding:6px 10px;border-bottom:1px solid #ccc;white-space:nowrap;background:#fff}';

/** Pages that were written in a third look by somebody who had not seen the tool. */
export const UNSEEN_3 = {
  'unseen 3: areas that scroll': {
    'third-dashboard': {
      body: `${style(`${SHELL}body{display:grid;grid:50px 1fr 1fr/1fr 1fr;gap:8px}header{grid-column:span 2;background:#ddd}section{min-height:0;overflow:auto;border:1px solid}`)}
<header>Dashboard</header><section>${lines(30)}</section><section>${lines(12)}</section><section>${lines(40)}</section><section>${lines(34)}${SAID}</section>`,
      visitor: { over: [900, 600] },
    },
    'third-chat': {
      body: `${style(`${SHELL}body{display:flex;flex-direction:column}#log{flex:1;min-height:0;overflow-y:auto}form{height:60px;background:#eee}`)}
<div id="log">${lines(40)}</div><form>Write a message</form><script>
log.scrollTop = log.scrollHeight; let loaded = 0;
log.addEventListener('scroll', async () => { if (log.scrollTop > 150 || loaded++) return;
  const height = log.scrollHeight; log.insertAdjacentHTML('afterbegin', await (await fetch('older.html?wait=150')).text()); log.scrollTop += log.scrollHeight - height; });</script>`,
      files: { 'older.html': `${SAID}${lines(5)}` },
      visitor: { ...UP, toEnd: true },
    },
    'third-sticky-table': {
      body: `${style(`${WIDE}#box{height:500px;width:900px;overflow:auto;margin:20px}thead th{position:sticky;top:0;background:#def}th:first-child{position:sticky;left:0;background:#def}`)}
<h1>Prices</h1><div id="box"><table><thead><tr><th>Name</th>${repeat(30, '<th>Column #</th>')}</tr></thead><tbody>${rows(45)}</tbody></table></div>${lines(20)}`,
      visitor: { over: [500, 400], ...DIAGONAL },
    },
    'third-dialog-action': {
      body: `${style('dialog{width:600px;max-height:60vh;padding:0;overflow:hidden}#terms{max-height:45vh;overflow-y:auto;overscroll-behavior:contain}')}
${lines(50)}<button id="open" style="position:fixed;top:330px;left:600px">Terms</button><dialog><h2>Terms</h2><div id="terms">Loading</div></dialog><script>
const dialog = document.querySelector('dialog');
document.querySelector('#open').onclick = async () => { dialog.showModal(); document.querySelector('#terms').innerHTML = await (await fetch('terms.html?wait=300')).text(); };</script>`,
      files: { 'terms.html': `${lines(40)}${SAID}` },
      fields: { actions: [{ click: '#open' }] },
    },
    'third-off-canvas': {
      body: `${style('nav{position:fixed;inset:0 auto 0 0;width:320px;height:100dvh;overflow-y:auto;background:#234;color:#fff;transform:translateX(-100%);transition:transform .3s}.is-open nav{transform:none}.is-open{overflow:hidden}#change{color:#000}')}
<button id="menu" style="margin:350px 0 0 100px">Menu</button><nav>${repeat(45, '<p>Category #</p>')}${SAID}</nav>${lines(40)}<script>
menu.onclick = () => document.documentElement.classList.add('is-open');</script>`,
      fields: { actions: [{ click: '#menu' }] },
      visitor: { over: [100, 400] },
    },
    'third-nested-shadow': `${style('')}${lines(40)}<order-list></order-list>${lines(10)}<script>
customElements.define('order-list', class extends HTMLElement { constructor() { super(); 
  const root = this.attachShadow({ mode: 'open' }); const child = document.createElement('order-rows'); root.append(child); } });
customElements.define('order-rows', class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: 'open' }).innerHTML = \`<style>:host{display:block;height:300px;overflow:auto;border:1px solid}</style>${lines(30)}${SAID}\`; } });</script>`,
    'third-frame-tall': {
      body: `${style('')}${lines(25)}<iframe src="inside.html" width="700" height="400"></iframe>${lines(10)}`,
      files: { 'inside.html': inner(`${lines(60)}${SAID}`) },
      visitor: { ...IN_FRAME },
    },
    'third-frame-foreign': {
      body: `${style('')}${lines(8)}<iframe src="{other}/inside.html" width="700" height="350"></iframe>${lines(30)}`,
      files: { 'inside.html': inner(`${lines(30)}<div style="height:200px;overflow:auto">${lines(20)}${SAID}</div>`) },
      visitor: { ...IN_FRAME, over: [300, 450] },
    },
    'third-columns': {
      body: `${style('html{height:100%}body{height:100vh;box-sizing:border-box;column-width:500px;column-gap:40px;padding:20px;overflow-x:auto;overflow-y:hidden}')}
${lines(120)}${SAID}`,
      visitor: { ...RIGHT },
    },
    'third-rail': {
      body: `${style('.rail{display:flex;gap:16px;overflow-x:auto;padding:16px;scroll-snap-type:x mandatory}.rail>div{flex:0 0 300px;height:200px;scroll-snap-align:start;background:#eef}')}
${lines(5)}<div class="rail">${repeat(10, '<div></div>')}</div>${lines(20)}<script>
const rail = document.querySelector('.rail');
const observer = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all) if (isIntersecting) { observer.unobserve(target);
  target.innerHTML = [...rail.children].indexOf(target) === 7 ? \`${SAID}\` : '<p>Offer</p>'; } }, { root: rail, threshold: 0.5 });
for (const card of rail.children) observer.observe(card);</script>`,
      visitor: { see: '.rail>:nth-child(8)', over: [640, 320], ...RIGHT },
    },
    'third-rtl': {
      body: `${style(`${WIDE}#box{width:800px;overflow-x:auto}`)}<div dir="rtl"><h1>عنوان</h1><div id="box"><table>${rows(42).replaceAll('<tr>', '<tr dir="rtl">')}</table></div></div>`,
      visitor: { over: [900, 400], turn: [-300, 100] },
    },
    'third-zoomed-shell': `${style(`${SHELL}body{zoom:1.25}.app{height:calc(100vh / 1.25);display:flex}nav{width:200px;background:#ddd}main{flex:1;overflow-y:auto}`)}
<div class="app"><nav>Menu</nav><main>${lines(50)}${SAID}</main></div>`,
    'third-kanban': {
      body: `${style(`${SHELL}body{display:flex;flex-direction:column}.board{flex:1;min-height:0;display:flex;gap:12px;overflow-x:auto;padding:12px}.lane{flex:0 0 280px;max-height:100%;display:flex;flex-direction:column;background:#eee}.lane>div{overflow-y:auto}.lane>div>p{background:#fff;padding:20px}`)}
<header>Board</header><div class="board">${repeat(6, `<div class="lane"><h3>Lane #</h3><div>${lines(6)}</div></div>`)}<div class="lane"><h3>Done</h3><div>${lines(3)}${SAID}${lines(8)}</div></div></div>`,
      visitor: { over: [640, 40 + 20], ...RIGHT },
    },
  },
  'unseen 3: comes when seen': {
    'third-feed': {
      body: `${style('article{height:220px;border-bottom:1px solid}')}<div id="feed"></div><p id="end">Loading</p><script>
let next = 1, isBusy = false;
async function more() { if (isBusy || next > 5) return; isBusy = true; feed.insertAdjacentHTML('beforeend', await (await fetch(\`\${next++}.html?wait=120\`)).text()); isBusy = false;
  if (next > 5) end.textContent = 'No more'; else if (end.getBoundingClientRect().top < innerHeight + 200) more(); }
new IntersectionObserver(([one]) => one.isIntersecting && more(), { rootMargin: '200px' }).observe(end);</script>`,
      files: Object.fromEntries(
        [1, 2, 3, 4, 5].map((page) => [
          `${page}.html`,
          repeat(5, `<article><p>Post ${page}.#</p>${page === 4 ? SAID.replace('id="change"', '') : ''}</article>`),
        ]),
      ),
      visitor: { see: 'article:nth-child(17)' },
    },
    'third-tabs': {
      body: `${style('.panel{min-height:300px;border:1px solid}')}${lines(50)}<details open><summary>Opening hours</summary><div class="panel" data-src="hours.html?wait=200">…</div></details>${lines(20)}<script>
const observer = new IntersectionObserver(async ([{ isIntersecting, target }]) => { if (!isIntersecting) return; observer.disconnect();
  target.innerHTML = await (await fetch(target.dataset.src)).text(); }, { threshold: 0.5 });
observer.observe(document.querySelector('.panel'));</script>`,
      files: { 'hours.html': SAID },
      visitor: { see: '.panel' },
    },
    'third-blur-up': {
      body: `${style('figure{position:relative;width:600px;height:300px;overflow:hidden;margin:16px}img{position:absolute;width:100%;height:100%}.tiny{filter:blur(20px)}.full{opacity:0;transition:opacity .6s}.full.in{opacity:1}')}
${lines(60)}<figure id="change"><img class="tiny" src="tiny.svg"><img class="full" loading="lazy" src="full.svg?wait=400" onload="this.classList.add('in')"></figure>${lines(10)}`,
      files: {
        'tiny.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="2" height="1" fill="#9ab"/></svg>',
        'full.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="2" height="1" fill="#9ab"/><circle cx="1" cy=".5" r=".4" fill="${COLOR}"/></svg>`,
      },
    },
    'third-scroll-driven': `${style('@keyframes in{from{opacity:0;transform:translateY(80px)}}@keyframes out{to{opacity:0}}section{height:320px;margin:24px;background:#eef;animation:in linear both,out linear both;animation-timeline:view();animation-range:entry,exit}')}
${lines(20)}${repeat(5, '<section><h2>Part #</h2></section>')}<section>${SAID}</section>${repeat(5, '<section></section>')}`,
    'third-sticky-stack': `${style('.card{position:sticky;top:60px;height:420px;margin:0 40px 40px;border:2px solid;background:#fff}')}
${lines(10)}<div>${repeat(3, '<div class="card"><h2>Card #</h2></div>')}<div class="card">${SAID}</div>${repeat(3, '<div class="card"><h2>After #</h2></div>')}</div>${lines(30)}`,
    'third-counter': `${style('b{font-size:60px}')}${lines(60)}<p><b id="change">0</b> customers</p>${lines(10)}<script>
new IntersectionObserver(([one], observer) => { if (!one.isIntersecting) return; observer.disconnect(); let start;
  requestAnimationFrame(function step(now) { start ??= now; const part = Math.min(1, (now - start) / 1500); change.textContent = Math.round(«4312|9876» * part); if (part < 1) requestAnimationFrame(step); });
}, { rootMargin: '0px 0px -100px' }).observe(change);</script>`,
    'third-parallax': `${style('.band{height:400px;overflow:hidden;position:relative}.band>div{position:absolute;inset:-300px 0;background:linear-gradient(#fff,#eef)}')}
${lines(50)}<div class="band"><div><p id="change" style="position:absolute;top:480px;left:60px;padding:30px;background:#fd6">${SAYS}</p></div></div>${lines(50)}<script>
const band = document.querySelector('.band');
const move = () => { const { top, height } = band.getBoundingClientRect(); band.firstElementChild.style.transform = \`translateY(\${(top + height / 2 - innerHeight / 2) * -0.7}px)\`; };
addEventListener('scroll', () => requestAnimationFrame(move)); move();</script>`,
    'third-webgl': `${style('')}${lines(60)}<canvas id="change" width="600" height="300"></canvas>${lines(20)}<script>
const gl = change.getContext('webgl'); let isSeen = false;
new IntersectionObserver(([one]) => { isSeen = one.isIntersecting; if (isSeen) requestAnimationFrame(draw); }).observe(change);
function draw() { if (!isSeen) return gl.clear(gl.COLOR_BUFFER_BIT); const hex = parseInt('${COLOR}'.slice(1), 16);
  gl.clearColor((hex >> 8) / 15, (hex >> 4 & 15) / 15, (hex & 15) / 15, 1); gl.clear(gl.COLOR_BUFFER_BIT); requestAnimationFrame(draw); }</script>`,
    'third-visibility-state': {
      body: `${style('section{content-visibility:auto;contain-intrinsic-size:auto 500px}section div{min-height:480px}')}
${repeat(6, '<section><h2>Chapter #</h2><div></div></section>')}<section id="last"><div></div></section><script>
last.addEventListener('contentvisibilityautostatechange', async ({ skipped }) => { if (skipped) return; last.firstElementChild.innerHTML = await (await fetch('last.html?wait=250')).text(); });</script>`,
      files: { 'last.html': SAID },
      visitor: { see: '#last' },
    },
    'third-scrollspy': `${style('section{height:600px;border-top:1px solid}.note{opacity:0;transition:opacity .4s}.is-active .note{opacity:1}')}
${repeat(5, '<section><h2>Step #</h2><p class="note">A note to this step</p></section>')}<section><div class="note">${SAID}</div></section>${repeat(3, '<section></section>')}<script>
const observer = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all) target.classList.toggle('is-active', isIntersecting); }, { rootMargin: '-25% 0px -25% 0px' });
for (const one of document.querySelectorAll('section')) observer.observe(one);</script>`,
  },
  'unseen 3: window and length': {
    'third-cqh': `${style('main{container-type:size;height:100dvh}main>div{height:60cqh;background:#eef}@container (max-height: 900px){#change{display:block!important}}')}
<main><div></div><p id="change" style="display:none;background:#fd6;padding:16px">${SAYS}</p></main>${lines(60)}`,
    'third-dvh': `${style('section{min-height:100svh;display:grid;place-content:end center}.hero{height:100dvh;background:#eef}.tall{height:auto;max-height:120lvh;overflow:hidden}')}
<section class="hero"><h1>Hero</h1></section>${repeat(3, '<section><h2>Part #</h2></section>')}<section class="tall">${lines(4)}${SAID}</section>`,
    'third-long': {
      body: `${style('section{height:800px;border-bottom:1px solid}')}${repeat(26, '<section><h2>Clause #</h2></section>')}<section>${SAID}<img loading="lazy" src="/third-blur-up/full.svg" width="300" height="150"></section>${repeat(3, '<section></section>')}`,
      visitor: { turn: [0, 600] },
    },
    'third-canvas-observer': `${style('.split{display:flex;margin-top:40px}.split>div{flex:1;height:50vh}canvas{width:100%;height:100%;display:block}')}
${lines(40)}<div class="split"><div><canvas id="change"></canvas></div><div>${lines(5)}</div></div>${lines(20)}<script>
new ResizeObserver(([{ contentRect: { width, height } }]) => { change.width = width; change.height = height; const context = change.getContext('2d');
  for (let bar = 0; bar < 8; bar++) { context.fillStyle = bar === 5 ? '${COLOR}' : '#9ab'; context.fillRect(bar * width / 8, height * (1 - (bar + 1) / 9), width / 8 - 6, height); } }).observe(change.parentElement);</script>`,
    'third-scroll-header': {
      body: `${style('header{position:sticky;top:0;height:80px;background:#ddd;transition:height .2s}body.is-scrolled header{height:40px}#top{position:fixed;right:20px;bottom:20px;padding:16px;display:none;background:#fd6}body.is-scrolled #top{display:block}')}
<header>Site</header>${lines(90)}<a id="top">${SAYS}</a><script>
addEventListener('scroll', () => document.body.classList.toggle('is-scrolled', scrollY > 300));</script>`,
      visitor: { see: '#top', toEnd: true },
    },
  },
  'unseen 3: arrives': {
    'third-skeleton': {
      body: `${style('.bone{height:60px;margin:16px;background:#ddd;animation:pulse 1s infinite alternate}@keyframes pulse{to{opacity:.4}}')}${lines(8)}<div id="list">${repeat(3, '<div class="bone"></div>')}</div><script>
(async () => { const { next } = await (await fetch('a.json?wait=350')).json(); const { html } = await (await fetch(next)).json(); await new Promise((done) => setTimeout(done, 200));
  list.innerHTML = await (await fetch(html)).text(); })();</script>`,
      files: { 'a.json': '{"next":"b.json?wait=350"}', 'b.json': '{"html":"c.html?wait=500"}', 'c.html': SAID },
      visitor: { see: '#list' },
    },
    'third-transition': {
      body: `${style('::view-transition-old(root),::view-transition-new(root){animation-duration:.8s}#change{view-transition-name:note}')}<div id="app"><p>Start</p></div><script>
setTimeout(() => document.startViewTransition(async () => { app.innerHTML = await (await fetch('next.html?wait=300')).text(); }), 200);</script>`,
      files: { 'next.html': `${SAID}${lines(40)}` },
    },
    'third-events': {
      body: `${style('')}${lines(5)}<ol id="rows"></ol><script>
const source = new EventSource('rows.events?stream=600'); source.onmessage = ({ data }) => { rows.insertAdjacentHTML('beforeend', \`<li>\${data}</li>\`); };</script>`,
      files: { 'rows.events': `data: First\n\ndata: ${SAYS}\n\n` },
      visitor: { see: '#rows' },
    },
    'third-worker': {
      body: `${style('')}${lines(5)}<div id="change" style="padding:16px;background:#fd6">Offline</div><script>
navigator.serviceWorker.register('sw.js').then(() => navigator.serviceWorker.ready).then(async () => {
  if (!navigator.serviceWorker.controller) await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done));
  change.textContent = await (await fetch('news')).text(); });</script>`,
      files: {
        'sw.js': `addEventListener('install', () => skipWaiting()); addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => { if (event.request.url.endsWith('/news')) event.respondWith(new Promise((done) => setTimeout(done, 300)).then(() => new Response('${SAYS}'))); });`,
      },
    },
    'third-database': `${style('')}${lines(50)}<ul id="change"></ul><script>
const request = indexedDB.open('shop', 1); request.onupgradeneeded = () => request.result.createObjectStore('items', { autoIncrement: true });
request.onsuccess = () => { const db = request.result, write = db.transaction('items', 'readwrite'); for (const item of ['Tea', '${SAYS}', 'Salt']) write.objectStore('items').add(item);
  write.oncomplete = () => setTimeout(() => { db.transaction('items').objectStore('items').getAll().onsuccess = ({ target }) => { change.innerHTML = target.result.map((item) => '<li style="background:#fd6">' + item).join(''); }; }, 700); };</script>`,
    'third-font-face': `${style('h2{font-size:50px;margin:20px}')}${lines(60)}<h2 id="change">Grand opening</h2><script>
setTimeout(async () => { const face = new FontFace('Late', 'url(/lib/@fontsource/«pacifico/files/pacifico-latin-400-normal|press-start-2p/files/press-start-2p-latin-400-normal».woff2?wait=700)');
  document.fonts.add(await face.load()); change.style.fontFamily = 'Late'; }, 600);</script>`,
    'third-poster': {
      body: `${style('')}${lines(60)}<video id="change" width="480" height="270" preload="none" controls data-poster="poster.svg?wait=500" src="/clip.webm"></video>${lines(10)}<script>
new IntersectionObserver(([one]) => { if (one.isIntersecting) change.poster = change.dataset.poster; }, { rootMargin: '100px' }).observe(change);</script>`,
      files: {
        'poster.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="270"><rect width="480" height="270" fill="${COLOR}"/></svg>`,
      },
    },
  },
  'unseen 3: libraries': {
    'third-masonry': {
      load: ['masonry-layout/dist/masonry.pkgd.min.js'],
      body: `${style('.item{width:280px;margin:8px;background:#eef}')}<div id="grid"></div><script>
fetch('items.json?wait=400').then((answer) => answer.json()).then((items) => { grid.innerHTML = items.map((height, index) => \`<div class="item" id="item-\${index}" style="height:\${height}px;background:\${index === 17 ? '${COLOR}' : ''}">\${index}</div>\`).join('');
  new Masonry(grid, { itemSelector: '.item', transitionDuration: '0.4s' }); });</script>`,
      files: { 'items.json': JSON.stringify(Array.from({ length: 24 }, (_, index) => 150 + ((index * 97) % 260))) },
      visitor: { see: '#item-17' },
    },
    'third-infinite-scroll': {
      load: ['infinite-scroll/dist/infinite-scroll.pkgd.min.js'],
      body: `${style('.post{height:260px;border-bottom:1px solid}')}<div id="feed">${repeat(4, '<div class="post">Post #</div>')}</div><script>
new InfiniteScroll(feed, { path() { return this.loadCount < 3 ? \`page.html?wait=100&page=\${this.loadCount + 2}\` : undefined; }, append: '.post', history: false, scrollThreshold: 200 });</script>`,
      files: {
        'page.html': inner(
          `${repeat(3, '<div class="post">Older #</div>')}<div class="post">${SAID.replace('id="change"', 'class="said"')}</div>`,
        ),
      },
      visitor: { see: '.said >> nth=1' },
    },
    'third-jarallax': {
      load: ['jarallax/dist/jarallax.min.js', 'jarallax/dist/jarallax.css'],
      body: `${style('.jarallax{height:420px}')}${lines(50)}<div class="jarallax" id="change"><img class="jarallax-img" src="band.svg" alt=""></div>${lines(50)}<script>jarallax(document.querySelectorAll('.jarallax'), { speed: 0.4 });</script>`,
      files: {
        'band.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900" fill="#cde"/><circle cx="800" cy="450" r="200" fill="${COLOR}"/></svg>`,
      },
    },
    'third-lozad': {
      load: ['lozad/dist/lozad.min.js'],
      body: `${style('.pic{height:300px;margin:16px;background-size:cover}')}${lines(40)}${repeat(3, '<div class="lozad pic" data-background-image="/third-lozad/plain.svg?wait=100"></div>')}<div id="change" class="lozad pic" data-background-image="pic.svg?wait=300"></div>${lines(10)}<script>lozad('.lozad', { threshold: 0.3 }).observe();</script>`,
      files: {
        'plain.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><rect width="4" height="1" fill="#9ab"/></svg>',
        'pic.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><rect width="4" height="1" fill="${COLOR}"/></svg>`,
      },
    },
    'third-perfect-scrollbar': {
      load: ['perfect-scrollbar/dist/perfect-scrollbar.min.js', 'perfect-scrollbar/css/perfect-scrollbar.css'],
      body: `${style('#box{position:relative;width:600px;height:350px;border:1px solid}')}${lines(4)}<div id="box">${lines(40)}${SAID}</div>${lines(30)}<script>new PerfectScrollbar('#box');</script>`,
      visitor: { over: [300, 300] },
    },
    'third-uplot': {
      load: ['uplot/dist/uPlot.iife.min.js', 'uplot/dist/uPlot.min.css'],
      body: `${style('')}${lines(50)}<div id="change" style="width:700px;height:360px"></div>${lines(10)}<script>
new IntersectionObserver(([one], observer) => { if (!one.isIntersecting) return; observer.disconnect(); fetch('series.json?wait=300').then((answer) => answer.json()).then((series) =>
  new uPlot({ width: 700, height: 300, series: [{}, { stroke: 'red', fill: '#fcc' }], scales: { x: { time: false } } }, [series.map((_, index) => index), series], change)); }, { threshold: 0.25 }).observe(change);</script>`,
      files: { 'series.json': '[3,5,2,«8|1»,9,4,«7|2»,6]' },
    },
    'third-calendar': {
      load: ['fullcalendar/index.global.min.js'],
      body: `${style(`${SHELL}#calendar{height:100vh}`)}<div id="calendar"></div><script>
new FullCalendar.Calendar(calendar, { initialView: 'timeGridWeek', initialDate: '2025-03-12', height: '100%', scrollTime: '06:00:00', events: [
  { title: 'Stand-up', start: '2025-03-11T09:00:00', end: '2025-03-11T10:00:00' }, { title: '«Backup|Restore»', color: '${COLOR}', classNames: ['said'], start: '2025-03-13T21:00:00', end: '2025-03-13T23:30:00' }] }).render();</script>`,
      visitor: { see: '.said' },
    },
    'third-sal': {
      load: ['sal.js/dist/sal.js', 'sal.js/dist/sal.css'],
      body: `${style('section{height:300px;margin:40px;background:#eef}')}${repeat(7, '<section data-sal="slide-up" data-sal-duration="600">Part #</section>')}<section data-sal="zoom-in" data-sal-delay="300">${SAID}</section>${repeat(2, '<section data-sal="fade"></section>')}<script>sal({ once: false, threshold: 0.4 });</script>`,
    },
  },
};
