import { IN_FRAME, inner, RIGHT, repeat, SHELL, said, style } from './shared.mjs';

const SAYS = '«Delivery takes two days|Delivery takes nine weeks»';
const SAID = said(SAYS);
const COLOR = '«#3c3|#c33»';
const COLUMN = `${SHELL}body{display:flex;flex-direction:column}main{flex:1;min-height:0;overflow:auto}`;
const lines = (count) => repeat(count, '<p>Paragraph #: the quick brown fox jumps over the lazy dog.</p>');

const LEFT = { turn: [-400, 0] };

const row = (said) => `<div style="height:29px;border-bottom:1px solid">${said}</div>`;
/** A table in JSON, of which one cell changes. */
const cell = (isChanging) => `${isChanging} ? '${SAYS}' : r + '-' + c`;

/** Pages that were written in a second look by somebody who had not seen the tool. */
export const UNSEEN_2 = {
  'unseen 2: areas that scroll': {
    'second-split-panes': {
      body: `${style(`${SHELL}.split{display:grid;grid-template-columns:1fr 1fr;height:100vh}.split>*{overflow-y:auto}`)}
<div class="split"><main>${lines(60)}</main><aside>${lines(70)}${SAID}${lines(10)}</aside></div>`,
      visitor: { over: [900, 400] },
    },
    'second-dialog': `${style('dialog{max-height:70vh;overflow:auto;width:500px}')}${lines(8)}<dialog>${lines(40)}${SAID}</dialog>
<script>document.querySelector('dialog').showModal()</script>`,
    'second-popover': `${style('#pop{max-height:300px;overflow:auto;width:400px}')}${lines(30)}<div popover="manual" id="pop">${lines(40)}${SAID}</div>
<script>pop.showPopover()</script>`,
    'second-details-shadow': {
      body: `${style('')}${lines(3)}<faq-box></faq-box><script>
customElements.define('faq-box', class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: 'open' }).innerHTML = \`<details open><summary>Question</summary><div style="height:250px;overflow-y:scroll">${lines(30)}${SAID}</div></details>\`; } });</script>`,
      visitor: { over: [400, 250] },
    },
    'second-slotted-shell': `${style(SHELL)}<app-shell><div>${lines(60)}${SAID}</div></app-shell><script>
customElements.define('app-shell', class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: 'open' }).innerHTML = '<header>Top</header><div style="position:absolute;top:50px;left:0;right:0;height:calc(100vh - 50px);overflow:auto"><slot></slot></div>'; } });</script>`,
    'second-snap-pages': {
      body: `${style(`${SHELL}main{height:100vh;overflow-y:auto;scroll-snap-type:y mandatory}section{height:100vh;scroll-snap-align:start;border-bottom:2px solid}`)}
<main>${repeat(5, '<section><h2>Section #</h2><div></div></section>')}</main><script>
const fourth = document.querySelectorAll('section')[3];
new IntersectionObserver(([one]) => { if (one.isIntersecting) fourth.lastElementChild.innerHTML = \`${SAID}\`; }, { threshold: 0.8 }).observe(fourth);</script>`,
      visitor: { see: 'section:nth-child(4) div', turn: [0, 720] },
    },
    'second-fixed-aside': {
      body: `${style('aside{position:fixed;left:0;top:0;bottom:0;width:300px;overflow:auto;background:#eef}article{margin-left:300px}')}
<aside>${lines(50)}${SAID}</aside><article>${lines(40)}</article>`,
      visitor: { over: [100, 400] },
    },
    'second-zoomed': `${style('html{zoom:1.25;height:80vh;overflow:hidden}body{height:100%;display:flex;flex-direction:column}main{flex:1;overflow:auto}')}
<header>Top</header><main>${lines(60)}${SAID}</main>`,
    'second-chat-reverse': {
      body: `${style(`${SHELL}main{height:100vh;overflow:auto;display:flex;flex-direction:column-reverse}main>*{flex:none;height:50px}`)}
<main>${repeat(77, '<p>Message #</p>')}${SAID}<p>First</p></main>`,
      visitor: { turn: [0, -400] },
    },
    'second-foreign-object': {
      body: `${style('')}${lines(3)}<svg width="600" height="300"><foreignObject width="600" height="300"><div style="height:300px;overflow:auto">${lines(30)}${SAID}</div></foreignObject></svg>`,
      visitor: { over: [300, 250] },
    },
    'second-late-shell': {
      body: `${style(`${SHELL}main{height:100vh;overflow:auto}`)}<div id="app">Loading</div><script>
setTimeout(async () => { app.innerHTML = await (await fetch('data.html?wait=900')).text(); }, 1500);</script>`,
      files: { 'data.html': `<main>${lines(80)}${SAID}</main>` },
    },
    'second-simplebar': {
      load: ['simplebar/dist/simplebar.min.css', 'simplebar/dist/simplebar.min.js'],
      body: `${style('')}${lines(3)}<div data-simplebar style="height:300px">${lines(40)}${SAID}</div>`,
      visitor: { over: [400, 250] },
    },
    'second-overlayscrollbars': {
      load: [
        'overlayscrollbars/styles/overlayscrollbars.css',
        'overlayscrollbars/browser/overlayscrollbars.browser.es6.min.js',
      ],
      body: `${style('')}<div id="area" style="height:100vh">${lines(60)}${SAID}</div>
<script>OverlayScrollbarsGlobal.OverlayScrollbars(area, {})</script>`,
    },
    'second-chart-in-pane': {
      load: ['chart.js/dist/chart.umd.min.js'],
      body: `${style(`${SHELL}main{height:100vh;overflow:auto}`)}<main>${lines(60)}<div style="width:600px;height:300px"><canvas id="change"></canvas></div></main><script>
new IntersectionObserver(([one], observer) => {
  if (!one.isIntersecting) return;
  observer.disconnect();
  new Chart(change, { type: 'bar', data: { labels: ['a', 'b', 'c'], datasets: [{ label: 'n', data: [3, «4|9», 6] }] } });
}).observe(change);</script>`,
    },
  },
  'unseen 2: frames that scroll': {
    'second-frame-in-shadow': {
      body: `${style('')}${lines(3)}<x-embed></x-embed><script>
customElements.define('x-embed', class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: 'open' }).innerHTML = '<iframe src="{other}/frame.html" width="600" height="300"></iframe>'; } });</script>`,
      files: { 'frame.html': inner(`${lines(40)}${SAID}`) },
      visitor: { ...IN_FRAME },
    },
    'second-frame-sandbox': {
      body: `${style('')}${lines(3)}<iframe sandbox width="600" height="300" srcdoc="${inner(`${lines(40)}${SAID}`).replaceAll('"', '&quot;')}"></iframe>`,
      visitor: { ...IN_FRAME },
    },
    'second-frame-lazy-in-pane': {
      body: `${style(`${SHELL}main{height:100vh;overflow:auto}`)}<main>${lines(90)}<iframe loading="lazy" src="frame.html" width="600" height="200"></iframe></main>`,
      files: { 'frame.html': inner(SAID) },
      visitor: { see: 'iframe' },
    },
    'second-frame-object': {
      body: `${style('')}${lines(3)}<object type="text/html" data="inner.html" width="600" height="300"></object>`,
      files: { 'inner.html': inner(`${lines(40)}${SAID}`) },
      visitor: { ...IN_FRAME, see: 'object >> internal:control=enter-frame >> #change' },
    },
    'second-frame-shell': {
      body: `${style('')}<h1>Portal</h1><iframe src="{other}/app.html" style="width:100%;height:500px"></iframe>${lines(3)}`,
      files: { 'app.html': inner(`<header>Top</header><main>${lines(60)}${SAID}</main>`, COLUMN) },
      visitor: { ...IN_FRAME },
    },
    'second-frame-dialog': {
      body: `${style('')}${lines(50)}<dialog><iframe src="{other}/app.html" width="600" height="300"></iframe></dialog>
<script>setTimeout(() => document.querySelector('dialog').showModal(), 1500);</script>`,
      files: { 'app.html': inner(`<main>${lines(40)}${SAID}</main>`, `${SHELL}main{height:100vh;overflow:auto}`) },
      visitor: { ...IN_FRAME, over: [600, 350], waitMs: 2000 },
    },
    'second-frame-height-late': {
      body: `${style('')}<h1>Portal</h1><iframe id="widget" src="{other}/app.html" scrolling="no" style="width:100%;height:100px"></iframe>${lines(3)}
<script>onmessage = ({ data }) => { widget.style.height = data + 'px'; };</script>`,
      files: {
        'app.html': inner(
          `${lines(20)}${SAID}<script>setTimeout(() => parent.postMessage(document.documentElement.scrollHeight, '*'), 2500);</script>`,
        ),
      },
      visitor: { see: 'iframe', waitMs: 3000 },
    },
  },
  'unseen 2: sideways': {
    'second-carousel-lazy': {
      body: `${style('.row{display:flex;overflow-x:auto;scroll-snap-type:x mandatory;width:620px}.row img{flex:none;scroll-snap-align:start}')}
<div class="row">${repeat(12, '<img loading="lazy" src="i#.svg" width="600" height="300" alt="">')}</div>`.replace(
        'src="i11.svg"',
        'id="change" src="change.svg"',
      ),
      files: {
        ...Object.fromEntries(
          Array.from({ length: 12 }, (_, index) => [
            `i${index + 1}.svg`,
            `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><text y="60">Slide ${index}</text></svg>`,
          ]),
        ),
        'change.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><text y="60" font-size="30">${SAYS}</text></svg>`,
      },
      visitor: { over: [300, 200], ...RIGHT },
    },
    'second-swiper-css': {
      load: ['swiper/swiper-bundle.min.css', 'swiper/swiper-bundle.min.js'],
      body: `${style('.swiper{height:300px}.swiper-slide{background:#eef;border:1px solid}')}
<div class="swiper"><div class="swiper-wrapper">${repeat(6, '<div class="swiper-slide">Slide #</div>')}<div class="swiper-slide">${SAID}</div><div class="swiper-slide">8</div></div></div>
<script>new Swiper('.swiper', { cssMode: true, slidesPerView: 2 })</script>`,
      visitor: { over: [600, 200], ...RIGHT },
    },
    'second-table-right-to-left': {
      body: `<html dir="rtl">${style('td{min-width:160px;border:1px solid}')}${lines(3)}<div style="overflow-x:auto"><table>${repeat(6, `<tr>${repeat(20, '<td>Cell</td>')}</tr>`)}<tr>${repeat(18, '<td>Cell</td>')}<td>${SAID}</td><td>Cell</td></tr></table></div>`,
      visitor: { over: [600, 250], ...LEFT },
    },
    'second-page-right-to-left': {
      body: `<html dir="rtl">${style('')}${lines(3)}<div style="width:3000px;height:200px;position:relative;background:#eef"><div style="position:absolute;left:30px">${SAID}</div></div>`,
      visitor: { ...LEFT },
    },
    'second-page-vertical': {
      body: `${style('html{writing-mode:vertical-rl}')}${lines(60)}${SAID}${lines(3)}`,
      visitor: { ...LEFT },
    },
    'second-columns': {
      body: `${style('article{height:500px;column-width:400px;column-gap:30px;overflow-x:auto}')}<h1>Book</h1><article>${lines(200)}${SAID}</article>`,
      visitor: { over: [600, 300], turn: [900, 0] },
    },
    'second-long-line': {
      body: `${style('pre{overflow-x:auto;max-width:600px;background:#eef}')}${lines(3)}<pre>const a = 1;
const text = "${'lorem ipsum '.repeat(40)}"; // <b id="change">${SAYS}</b>
const b = 2;</pre>`,
      visitor: { over: [200, 150], ...RIGHT },
    },
  },
  'unseen 2: late': {
    'second-visibility-data': {
      body: `${style('section{content-visibility:auto;contain-intrinsic-size:auto 400px;min-height:400px}')}${repeat(12, '<section data-part="#"><h2>Part #</h2></section>')}<script>
for (const section of document.querySelectorAll('section'))
  section.addEventListener('contentvisibilityautostatechange', async ({ skipped }) => {
    if (skipped || section.dataset.done) return;
    section.dataset.done = 1;
    const file = section.dataset.part === '12' ? 'last.html' : 'part.html';
    section.insertAdjacentHTML('beforeend', await (await fetch(file + '?wait=400')).text());
  });</script>`,
      files: { 'last.html': SAID, 'part.html': '<p>Text</p>' },
      visitor: { see: 'section:last-of-type' },
    },
    'second-canvas-worker': {
      body: `${style('')}${lines(30)}<canvas id="change" width="600" height="200"></canvas><script>
const canvas = change.transferControlToOffscreen();
new Worker('worker.js').postMessage(canvas, [canvas]);</script>`,
      files: {
        'worker.js': `onmessage = async ({ data }) => {
  const context = data.getContext('2d');
  const text = await (await fetch('data.html?wait=1500')).text();
  context.font = '24px sans-serif';
  context.fillText(text, 20, 60);
};`,
        'data.html': SAYS,
      },
    },
    'second-service-worker': {
      body: `${style('')}<h1>News</h1><div id="change">Loading</div><script>(async () => {
await navigator.serviceWorker.register('worker.js');
if (!navigator.serviceWorker.controller) await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done));
change.innerHTML = await (await fetch('virtual')).text(); })();</script>`,
      files: {
        'worker.js': `oninstall = () => skipWaiting();
onactivate = (event) => event.waitUntil(clients.claim());
onfetch = (event) => { if (event.request.url.endsWith('virtual')) event.respondWith(new Promise((done) => setTimeout(() => done(new Response('${SAYS}', { headers: { 'content-type': 'text/html' } })), 1200))); };`,
      },
    },
    'second-imports': {
      body: `${style('')}<h1>News</h1><div id="change">Loading</div><script type="importmap">{"imports":{"step/":"./"}}</script><script type="module">import('step/1.js?wait=500')</script>`,
      files: {
        ...Object.fromEntries(
          [1, 2, 3, 4].map((step) => [`${step}.js`, `setTimeout(() => import('step/${step + 1}.js?wait=500'), 200)`]),
        ),
        '5.js': `document.querySelector('#change').innerHTML = '${SAYS}'`,
      },
    },
    'second-style-imports': {
      body: `${style('')}${lines(40)}<div id="change" class="tail">Tail</div><script>addEventListener('load', () => setTimeout(() => {
document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '1.css?wait=500' })); }, 700));</script>`,
      files: {
        ...Object.fromEntries([1, 2, 3].map((step) => [`${step}.css`, `@import "${step + 1}.css?wait=500";`])),
        '4.css': `.tail{background:${COLOR};padding:20px}`,
      },
    },
    'second-broadcast': {
      body: `${style('')}<h1>News</h1><div id="change">Waiting</div><iframe src="feed.html" hidden></iframe><script>
new BroadcastChannel('news').onmessage = ({ data }) => { change.innerHTML = data; };</script>`,
      files: {
        'feed.html': `<script>setTimeout(async () => { const text = await (await fetch('data.html?wait=600')).text();
setTimeout(() => new BroadcastChannel('news').postMessage(text), 800); }, 1500);</script>`,
        'data.html': SAYS,
      },
    },
    'second-animation-end': `${style('')}<h1>News</h1><div id="change">Unfolding</div><script>
change.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 3500 }).onfinish = () => { change.innerHTML = '${SAYS}'; };</script>`,
    'second-view-transition': {
      body: `${style('::view-transition-group(root){animation-duration:1.5s}')}<h1>News</h1><div id="change">Old</div><script>setTimeout(async () => {
const text = await (await fetch('data.html?wait=800')).text();
document.startViewTransition(() => { change.innerHTML = text; }); }, 1000);</script>`,
      files: { 'data.html': SAYS },
    },
    'second-scrollend': {
      body: `${style('')}${lines(60)}<div id="change" style="min-height:80px"></div>${lines(20)}<script>
addEventListener('scrollend', async () => {
  const { top, bottom } = change.getBoundingClientRect();
  if (top < innerHeight && bottom > 0 && !change.textContent) change.innerHTML = await (await fetch('data.html?wait=700')).text();
});</script>`,
      files: { 'data.html': SAYS },
    },
    'second-pane-grows': {
      body: `${style(`${SHELL}main{height:100vh;overflow:auto}`)}<main id="area">${lines(60)}<div id="place">Loading</div></main><script>
new IntersectionObserver(([one], observer) => {
  if (!one.isIntersecting) return;
  observer.disconnect();
  setTimeout(async () => { place.innerHTML = await (await fetch('data.html?wait=700')).text(); }, 2000);
}, { root: area }).observe(place);</script>`,
      files: { 'data.html': `${lines(5)}${SAID}` },
      visitor: { turn: [0, 100] },
    },
    'second-turbo-frame': {
      load: ['@hotwired/turbo/dist/turbo.es2017-umd.js'],
      body: `${style(`${SHELL}main{height:100vh;overflow:auto}`)}<main>${lines(60)}<turbo-frame id="late" src="data.html?wait=900" loading="lazy">Loading</turbo-frame></main>`,
      files: { 'data.html': `<turbo-frame id="late">${SAID}</turbo-frame>` },
      visitor: { see: '#late' },
    },
    'second-motion-in-view': {
      load: ['motion/dist/motion.js'],
      body: `${style('')}${lines(60)}<div id="change" style="opacity:0">${SAYS}</div><script>
Motion.inView('#change', () => { Motion.animate('#change', { opacity: 1, x: [-100, 0] }, { duration: 1.2, delay: 0.5 }); }, { amount: 0.8 });</script>`,
    },
  },
  'unseen 2: virtual lists': {
    'second-list-variable': {
      body: `${style(`${COLUMN}#rows{position:relative}`)}<header>Top</header><main id="area"><div id="rows"></div></main><script>
const tops = []; let total = 0;
for (let row = 0; row < 300; row++) { tops.push(total); total += 30 + (row * 37) % 70; }
rows.style.height = total + 'px';
const draw = () => { rows.textContent = ''; for (const [row, top] of tops.entries()) if (top > area.scrollTop - 200 && top < area.scrollTop + area.clientHeight + 100) {
  const one = document.createElement('div');
  one.style.cssText = 'position:absolute;left:0;right:0;border-bottom:1px solid;top:' + top + 'px';
  one.textContent = row === 163 ? '${SAYS}' : 'Row ' + row;
  if (row === 163) one.id = 'change';
  rows.append(one); } };
area.onscroll = () => requestAnimationFrame(draw); draw();</script>`,
      visitor: { turn: [0, 400] },
    },
    'second-list-recycled': {
      body: `${style('.box{height:320px}')}${repeat(24, '<div class="box"><img data-src="photo.svg" width="600" height="300" alt=""></div>')}<div class="box"><img id="change" data-src="change.svg" width="600" height="300" alt=""></div>${lines(40)}<script>
const seen = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) isIntersecting ? target.src = target.dataset.src : target.removeAttribute('src'); });
document.querySelectorAll('img').forEach((image) => seen.observe(image));</script>`,
      files: {
        'photo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><text y="60">Photo</text></svg>',
        'change.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><text y="60" font-size="30">${SAYS}</text></svg>`,
      },
      visitor: { turn: [0, 400] },
    },
    'second-canvas-grid': {
      body: `${style('main{width:820px;height:500px;overflow:auto}canvas{position:sticky;top:0;display:block}')}<main id="area"><div style="height:4000px"><canvas id="change" width="800" height="500"></canvas></div></main><script>
const context = change.getContext('2d');
const draw = () => { context.clearRect(0, 0, 800, 500); context.font = '16px sans-serif';
  for (let row = Math.floor(area.scrollTop / 30); row * 30 < area.scrollTop + 500; row++) context.fillText(row === 130 ? '${SAYS}' : 'Row ' + row, 10, row * 30 - area.scrollTop + 20); };
area.onscroll = draw; draw();</script>`,
      visitor: { over: [400, 300], toEnd: true },
    },
    'second-clusterize': {
      load: ['clusterize.js/clusterize.css', 'clusterize.js/clusterize.min.js'],
      body: `${style('')}<div id="area" class="clusterize-scroll" style="max-height:400px"><div id="rows" class="clusterize-content"></div></div><script>
new Clusterize({ rows: Array.from({ length: 400 }, (_, at) => at === 150 ? \`<div id="change" style="height:29px">${SAYS}</div>\` : \`${row('Row')}\`), scrollId: 'area', contentId: 'rows' });</script>`,
      visitor: { over: [400, 200], turn: [0, 150] },
    },
    'second-ag-grid': {
      load: ['ag-grid-community/dist/ag-grid-community.min.js'],
      body: `<h1>Orders</h1><div id="grid" style="height:450px;width:900px"></div><script>
agGrid.ModuleRegistry.registerModules([agGrid.AllCommunityModule]);
agGrid.createGrid(grid, { columnDefs: [0, 1, 2, 3].map((c) => ({ field: 'c' + c })), rowData: Array.from({ length: 150 }, (_, r) =>
  Object.fromEntries([0, 1, 2, 3].map((c) => ['c' + c, ${cell('r === 120 && c === 2')}]))) });</script>`,
      visitor: { see: '[row-index="120"] [col-id="c2"]', over: [400, 300] },
    },
  },
  'unseen 2: other positions': {
    'second-timeline-middle': `${style(`#change{height:200px;background:#eee;animation:see linear both;animation-timeline:view()}@keyframes see{0%,30%{background:#eee}45%,100%{background:${COLOR}}}`)}${lines(30)}<div id="change">Card</div>${lines(30)}`,
    'second-timeline-header': {
      body: `${style(`#change{position:fixed;top:0;left:0;right:0;height:60px;animation:see linear both;animation-timeline:scroll(root)}@keyframes see{from{background:#fff}to{background:${COLOR}}}`)}<header id="change">Head</header>${lines(80)}`,
      visitor: { toEnd: true },
    },
    'second-scroll-story': {
      body: `${style('.story{display:grid;grid-template-columns:1fr 1fr}figure{position:sticky;top:100px;height:300px;background:#eef;margin:0}.step{height:600px;border-top:1px solid}')}${lines(6)}<div class="story"><figure>Chart 0</figure><div>${repeat(4, '<div class="step">Step #</div>')}</div></div>${lines(20)}<script>
const figure = document.querySelector('figure');
addEventListener('scroll', () => { for (const [step, one] of document.querySelectorAll('.step').entries()) {
  const { top, bottom } = one.getBoundingClientRect();
  if (top < 360 && bottom > 360) figure.innerHTML = step === 2 ? '<b id="change">${SAYS}</b>' : 'Chart ' + step; } });</script>`,
      visitor: { over: [1000, 400] },
    },
    'second-header-later': `${style('#change{position:fixed;top:0;left:0;right:0;background:#fd6;padding:16px}')}<div id="change" hidden>${SAYS}</div>${lines(80)}<script>
addEventListener('scroll', () => { change.hidden = scrollY < 400; });</script>`,
    'second-back-to-top': {
      body: `${style('#change{position:fixed;bottom:20px;right:20px;background:#369;color:#fff;padding:16px;opacity:0;transition:opacity .3s}#change.on{opacity:1}')}<a id="change">«To the top|Go up again»</a>${lines(80)}<script>
new IntersectionObserver(([one]) => change.classList.toggle('on', !one.isIntersecting)).observe(document.querySelector('p'));</script>`,
      visitor: { toEnd: true },
    },
    'second-seen-midway': `${style('#change{position:fixed;top:0;left:0;right:0;background:#fd6;padding:16px}')}<div id="change">${SAYS}</div>${lines(100)}<script>
const show = () => { change.style.display = scrollY > 900 && scrollY < 1800 ? 'block' : 'none'; };
addEventListener('scroll', show); show();</script>`,
    'second-sticky-stack': `${style('section{position:sticky;top:0;height:100vh;overflow:hidden;background:#eef;border-top:1px solid}')}<div><section>1</section><section><div style="height:300px"></div>${SAID}</section><section>3</section></div>${lines(20)}`,
  },
  'unseen 2: wheel, size of the window': {
    'second-wheel-sections': `${style(`${SHELL}#deck{transition:transform .4s}section{height:100vh;background:#eef;border-bottom:2px solid}`)}<div id="deck"><section>1</section><section>2</section><section>${SAID}</section><section>4</section></div><script>
let at = 0; let last = 0;
addEventListener('wheel', ({ deltaY }) => { if (Date.now() - last < 700) return; last = Date.now();
  at = Math.max(0, Math.min(3, at + Math.sign(deltaY))); deck.style.transform = 'translateY(' + -100 * at + 'vh)'; });</script>`,
    'second-fullpage': {
      load: ['fullpage.js/dist/fullpage.min.css', 'fullpage.js/dist/fullpage.min.js'],
      body: `<div id="deck"><div class="section">1</div><div class="section">2</div><div class="section">${SAID}</div><div class="section">4</div></div><script>
new fullpage('#deck', { licenseKey: 'gplv3-license', credits: { enabled: false }, scrollingSpeed: 400 });</script>`,
    },
    'second-container-height': `${style(`${COLUMN}main{container-type:size}#change{display:none}@container (max-height:900px){#change{display:block}}`)}<header>Top</header><main>${SAID}${lines(60)}</main>`,
    'second-media-height': `${style(`${COLUMN}#change{display:none}@media (max-height:900px){#change{display:block}}`)}<header>Top</header><main>${SAID}${lines(60)}</main>`,
    'second-resize-script': `${style('')}<div id="change">Big window</div>${lines(80)}<script>
const show = () => { change.textContent = innerHeight > 900 ? 'Big window' : '${SAYS}'; };
addEventListener('resize', show); show();</script>`,
  },
};
