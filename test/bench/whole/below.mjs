import { CHANGE, repeat, TALL, writeDocument } from './shared.mjs';

const LEAFLET = ['leaflet/dist/leaflet.css', 'leaflet/dist/leaflet.js'];
const TABULATOR = ['tabulator-tables/dist/css/tabulator.min.css', 'tabulator-tables/dist/js/tabulator.min.js'];
const CARDS = '<style>.card{height:300px;margin:0 24px 120px;background:#ddd}</style><h1>Specimen</h1>';
const SHELL =
  '<style>html,body{height:100%}body{display:flex;flex-direction:column;background:#eee}header{padding:16px;background:#234;color:#fff}';
const ROWS = repeat(40, '<p>Row #</p>');
const FIXED =
  'style="height:600px;background-image:linear-gradient(90deg,«#f66|#66f»,#fff);background-attachment:fixed"';

/** What lies below the first window. */
export const BELOW = {
  'frames of another site': {
    'frame-eager': {
      body: `${TALL}<iframe src="{other}/frame.html" width="600" height="200"></iframe>`,
      files: { 'frame.html': writeDocument([], CHANGE) },
      visitor: { see: 'iframe' },
    },
    'frame-lazy': {
      body: `${TALL}${TALL}${TALL}<iframe loading="lazy" src="{other}/frame.html" width="600" height="200"></iframe>`,
      files: { 'frame.html': writeDocument([], CHANGE) },
      visitor: { see: 'iframe' },
    },
    'frame-nested': {
      body: `${TALL}<iframe src="{other}/outer.html" width="700" height="400"></iframe>`,
      files: {
        'outer.html': writeDocument(
          [],
          '<h1>Outer</h1><iframe src="{other}/inner.html" width="600" height="200"></iframe>',
        ),
        'inner.html': writeDocument([], CHANGE),
      },
      visitor: { see: 'iframe' },
    },
    'frame-leaflet': {
      body: `${TALL}${TALL}<iframe loading="lazy" src="{other}/map.html" width="700" height="400"></iframe>`,
      files: {
        'map.html': writeDocument(
          LEAFLET,
          `<div id="map" style="height:400px"></div><script>
const map = L.map('map').setView([48, 11], 6);
L.polygon([[47, 9], [49, 10], [48, 13]], { color: '«red|blue»', fillOpacity: 0.8 }).addTo(map);</script>`,
        ),
      },
      visitor: { see: 'iframe' },
    },
  },
  'content-visibility: auto': {
    'visibility-sections': `<style>section{content-visibility:auto;contain-intrinsic-size:auto 500px}</style><h1>Specimen</h1>
${repeat(6, '<section><div style="height:500px;background:#eee">Section</div></section>')}<section>${CHANGE}</section>`,
    'visibility-frame': {
      body: `${TALL}<iframe src="frame.html" width="700" height="1400"></iframe>`,
      files: {
        'frame.html': writeDocument(
          [],
          `<style>section{content-visibility:auto;contain-intrinsic-size:auto 400px}</style>
${repeat(3, '<section><div style="height:400px;background:#eee">Section</div></section>')}<section>${CHANGE}</section>`,
        ),
      },
      visitor: { see: 'iframe' },
    },
    'visibility-chart': {
      load: ['chart.js/dist/chart.umd.min.js'],
      body: `<style>section{content-visibility:auto;contain-intrinsic-size:auto 500px}</style>${TALL}
<section id="change"><div style="width:800px;height:400px"><canvas id="chart"></canvas></div></section><script>
new Chart(chart, { type: 'bar', data: { labels: ['a', 'b', 'c'], datasets: [{ label: 'n', data: [3, «1|5», 2] }] } });</script>`,
    },
    'visibility-table': {
      load: TABULATOR,
      body: `<style>section{content-visibility:auto;contain-intrinsic-size:auto 300px}</style>${TALL}
<section id="change"><div id="table"></div></section><script>
new Tabulator('#table', { layout: 'fitColumns', columns: [{ title: 'Name', field: 'name' }, { title: 'Price', field: 'price' }],
  data: [{ name: 'Tea', price: 3 }, { name: '«Coffee|Chocolate»', price: «4|55555» }, { name: 'Milk', price: 2 }] });</script>`,
    },
  },
  'background-attachment: fixed': {
    'fixed-hero': {
      body: `${TALL}<section id="change" style="height:600px;background:url(hero.svg) center / cover fixed"></section>${TALL}`,
      files: {
        'hero.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"><rect width="1280" height="720" fill="«#c63|#36c»"/><circle cx="640" cy="360" r="200" fill="#fff"/></svg>',
      },
    },
    'fixed-rellax': {
      load: ['rellax/rellax.min.js'],
      body: `${TALL}<section id="change" ${FIXED}><h1 class="rellax" data-rellax-speed="2">Quote</h1></section>${TALL}
<script>new Rellax('.rellax')</script>`,
    },
    'fixed-aos': {
      load: ['aos/dist/aos.css', 'aos/dist/aos.js'],
      body: `${TALL}<section id="change" ${FIXED}><h1 data-aos="fade-up">Quote</h1></section><p>Footer</p><script>AOS.init()</script>`,
    },
  },
  'hides again when scrolled out': {
    'hides-observer': `${CARDS}<style>.card{opacity:0;transition:opacity .4s}.in{opacity:1}</style>${cards()}<script>
const seen = new IntersectionObserver((all) => { for (const one of all) one.target.classList.toggle('in', one.isIntersecting); });
for (const card of document.querySelectorAll('.card')) seen.observe(card);</script>`,
    'hides-position': `${CARDS}${cards()}<script>
addEventListener('scroll', update); update();
function update() {
  for (const card of document.querySelectorAll('.card')) {
    const { top, bottom } = card.getBoundingClientRect();
    card.style.visibility = bottom > 0 && top < innerHeight ? 'visible' : 'hidden';
  }
}</script>`,
    'hides-aos': {
      load: ['aos/dist/aos.css', 'aos/dist/aos.js'],
      body: `${CARDS}${cards('data-aos="fade-up"')}<script>AOS.init({ mirror: true })</script>`,
    },
    'hides-scrollreveal': {
      load: ['scrollreveal/dist/scrollreveal.min.js'],
      body: `${CARDS}${cards()}<script>ScrollReveal().reveal('.card', { reset: true, distance: '40px' })</script>`,
    },
    'hides-gsap': {
      load: ['gsap/dist/gsap.min.js', 'gsap/dist/ScrollTrigger.min.js'],
      body: `${CARDS}${cards()}<script>
for (const card of document.querySelectorAll('.card'))
  gsap.from(card, { opacity: 0, x: -80, scrollTrigger: { trigger: card, toggleActions: 'play reverse play reverse' } });</script>`,
    },
    'hides-wow': {
      load: ['animate.css/animate.compat.css', 'wow.js/dist/wow.min.js'],
      body: `${CARDS}${cards('', 'wow fadeInUp')}<script>
const wow = new WOW({ live: false }); wow.init();
addEventListener('scroll', () => {
  for (const card of document.querySelectorAll('.card.animated')) {
    const { top, bottom } = card.getBoundingClientRect();
    if (bottom > 0 && top < innerHeight) continue;
    card.classList.remove('animated'); card.style.visibility = 'hidden'; card.style.animationName = 'none'; wow.boxes.push(card);
  }
});</script>`,
    },
  },
  'inner scroll areas': {
    'inner-shell': `${SHELL}main{flex:1;overflow:auto}</style><header>App</header><main>${ROWS}${CHANGE}</main>`,
    'inner-panes': {
      body: `${SHELL}div.panes{flex:1;display:flex;min-height:0}nav,main{overflow:auto;flex:1}nav{background:#dde}</style><header>App</header>
<div class="panes"><nav>${ROWS}${CHANGE}</nav><main>${ROWS}</main></div>`,
      visitor: { over: [200, 400] },
    },
    'inner-nested': `${SHELL}#app{flex:1;overflow:auto;min-height:0}#panel{height:90%;overflow:auto;background:#dde}</style><header>App</header>
<div id="app"><p>Toolbar</p><div id="panel">${ROWS}${CHANGE}</div><p>Footer</p></div>`,
    'inner-simplebar': {
      load: ['simplebar/dist/simplebar.css', 'simplebar/dist/simplebar.min.js'],
      // Its documentation asks for an element with a height.
      body: `${SHELL}main{height:calc(100vh - 56px)}</style><header>App</header><main data-simplebar>${ROWS}${CHANGE}</main>`,
    },
    'inner-lenis': {
      load: ['lenis/dist/lenis.css', 'lenis/dist/lenis.min.js'],
      body: `${SHELL}main{flex:1;overflow:auto}</style><header>App</header><main><div>${ROWS}${CHANGE}</div></main>
<script>new Lenis({ wrapper: document.querySelector('main'), content: document.querySelector('main div'), autoRaf: true })</script>`,
    },
  },
  'virtual lists': {
    'virtual-own': `<style>#list{position:relative;height:6000px}#list div{position:absolute;height:60px;width:100%}</style><div id="list"></div><script>
addEventListener('scroll', draw); draw();
function draw() {
  const first = Math.floor(scrollY / 60);
  list.replaceChildren();
  for (let row = first; row <= first + 13 && row < 100; row++) {
    const node = document.createElement('div');
    node.style.top = row * 60 + 'px';
    node.textContent = row === 80 ? '«Price: 10 EUR|Price: 20 EUR»' : 'Row ' + row;
    if (row === 80) { node.id = 'change'; node.style.background = '«#fc6|#6cf»'; }
    list.append(node);
  }
}</script>`,
    'virtual-tanstack': `<style>#list{position:relative}#list div{position:absolute;height:60px;width:100%}</style><div id="list"></div>
<script>window.process = { env: { NODE_ENV: 'production' } }</script><script type="module">
import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '/lib/@tanstack/virtual-core/dist/esm/index.js';
const rows = new Virtualizer({
  count: 100, estimateSize: () => 60, getScrollElement: () => window, initialRect: { width: innerWidth, height: innerHeight },
  observeElementRect: observeWindowRect, observeElementOffset: observeWindowOffset, scrollToFn: windowScroll, onChange: draw,
});
rows._didMount(); rows._willUpdate(); draw();
function draw() {
  list.style.height = rows.getTotalSize() + 'px';
  list.innerHTML = rows.getVirtualItems().map(({ index, start }) => index === 80
    ? \`<div id="change" style="top:\${start}px;background:«#fc6|#6cf»">«Price: 10 EUR|Price: 20 EUR»</div>\`
    : \`<div style="top:\${start}px">Row \${index}</div>\`).join('');
}</script>`,
    'virtual-clusterize': {
      load: ['clusterize.js/clusterize.css', 'clusterize.js/clusterize.min.js'],
      body: `${SHELL}#scroll{flex:1;overflow:auto}</style><header>App</header><div id="scroll"><div id="rows"></div></div><script>
const rows = Array.from({ length: 120 }, (_, row) => row === 90 ? \`${CHANGE}\` : \`<p>Row \${row}</p>\`);
new Clusterize({ rows, scrollElem: document.querySelector('#scroll'), contentElem: document.querySelector('#rows'), rows_in_block: 10 });</script>`,
    },
    'virtual-scroller': {
      load: ['virtual-scroller/bundle/virtual-scroller-dom.js'],
      body: `<h1>Specimen</h1><div id="list"></div><script>
new VirtualScroller(document.querySelector('#list'), Array.from({ length: 100 }, (_, row) => row), (row) => {
  const node = document.createElement('div');
  node.innerHTML = row === 80 ? \`${CHANGE}\` : \`<p style="margin:0;padding:18px">Row \${row}</p>\`;
  return node;
});</script>`,
    },
    'virtual-tabulator': {
      load: TABULATOR,
      body: `<div id="table"></div><script>
new Tabulator('#table', { height: '100vh', layout: 'fitColumns', columns: [{ title: 'Row', field: 'id' }, { title: 'Price', field: 'price', formatter: 'html' }],
  data: Array.from({ length: 120 }, (_, id) => ({ id, price: id === 90 ? \`${CHANGE}\` : '1' })) });</script>`,
    },
    'virtual-grid': {
      load: ['ag-grid-community/dist/ag-grid-community.min.js'],
      body: `<style>body{display:flex;flex-direction:column;height:100vh}</style><p>Orders</p><div id="grid" style="flex:1"></div><script>
agGrid.createGrid(document.querySelector('#grid'), {
  columnDefs: [{ field: 'id' }, { field: 'price', flex: 1, cellRenderer: ({ value }) => value }],
  rowData: Array.from({ length: 120 }, (_, id) => ({ id, price: id === 90 ? '<b id="change" style="display:block;background:«#fc6|#6cf»">«Price: 10|Price: 20»</b>' : '1' })),
});</script>`,
    },
  },
  'closes on scroll': {
    'closes-menu': {
      body: `<h1>Specimen</h1><button id="open">Menu</button><div id="menu" hidden>${CHANGE}</div><div class="tall"></div><script>
document.querySelector('#open').onclick = () => { menu.hidden = false; };
addEventListener('scroll', () => { menu.hidden = true; });</script>`,
      fields: { actions: [{ click: '#open' }] },
    },
    'closes-dialog': {
      body: `<h1>Specimen</h1><button id="open">Settings</button><dialog id="box">${CHANGE}</dialog><div class="tall"></div><script>
document.querySelector('#open').onclick = () => box.show();
addEventListener('scroll', () => box.close(), { passive: true });</script>`,
      fields: { actions: [{ click: '#open' }] },
    },
    'closes-flatpickr': {
      load: ['flatpickr/dist/flatpickr.min.css', 'flatpickr/dist/flatpickr.min.js'],
      body: `<style>.flatpickr-day{background:«#fff|#fd6»}</style><h1>Specimen</h1><p><input id="date"></p><div class="tall"></div><script>
const picker = flatpickr('#date', { defaultDate: '2026-01-15', now: '2026-01-15' });
addEventListener('scroll', () => picker.close());</script>`,
      fields: { actions: [{ click: '#date' }] },
      visitor: { see: '.flatpickr-days' },
    },
    'closes-tippy': {
      load: [
        'tippy.js/dist/tippy.css',
        '@popperjs/core/dist/umd/popper.min.js',
        'tippy.js/dist/tippy-bundle.umd.min.js',
      ],
      body: `<h1>Specimen</h1><p><button id="open">Help</button></p><div class="tall"></div><script>
tippy('#open', { trigger: 'click', allowHTML: true, content: \`${CHANGE}\`,
  onShow: (tip) => addEventListener('scroll', () => tip.hide(), { once: true }) });</script>`,
      fields: { actions: [{ click: '#open' }] },
    },
  },
};

/** Six cards, of which the fifth changes. */
function cards(attributes = '', classes = '') {
  const card = (content) => `<div class="card ${classes}" ${attributes}>${content}</div>`;
  return [card('1'), card('2'), card('3'), card('4'), card(CHANGE), card('6')].join('\n');
}
