import { writeLottie } from './late.mjs';
import { CHANGE, repeat, SVG, TALL, writeDocument } from './shared.mjs';

const SHOP = '<style>main{max-width:960px;margin:auto}.card{height:320px;margin:0 24px 80px;background:#ddd}</style>';
const HERO =
  '<header style="height:100vh;background:#234;color:#fff;display:grid;place-items:center"><h1>Autumn</h1></header>';
const SHELL = '<style>html,body{height:100%;overflow:hidden}h1,p{margin:12px 24px}</style>';
const ROWS = repeat(40, '<p>Row #</p>');
const AFTER = '<footer style="height:260px;background:#234;color:#fff"><p>Footer</p></footer>';
const COLOR = '«#fc6|#6cf»';
const PRICE = '«Price: 10 EUR|Price: 20 EUR»';
const REACT = ['react/umd/react.production.min.js', 'react-dom/umd/react-dom.production.min.js'];

/** A script that a page loads after its own text, as most do. */
const deferred = (path) => `<script defer src="/lib/${path}"></script>`;

/** Where bare names of modules are. */
const importMap = (imports) =>
  `<script type="importmap">${JSON.stringify({ imports: Object.fromEntries(Object.entries(imports).map(([name, path]) => [name, `/lib/${path}`])) })}</script>`;

/** Sections as high as the window, of which the fourth changes. */
const sections = (content = (number) => (number === 4 ? CHANGE : `<h1>${number}</h1>`)) =>
  [1, 2, 3, 4, 5].map((number) => `<section>${content(number)}</section>`).join('\n');

/** Pages that were written without a look at the tool. */
export const UNSEEN = {
  'unseen: below the first window': {
    // As with iframe-resizer: the frame tells its height once it knows it.
    'unseen-frame-resizer': {
      body: `${TALL}<iframe id="widget" loading="lazy" src="{other}/reviews.html" style="width:700px;height:150px"></iframe>${AFTER}<script>
addEventListener('message', ({ data }) => { if (data?.type === 'resize') widget.style.height = data.height + 'px'; });</script>`,
      files: {
        'reviews.html': writeDocument(
          [],
          `<h1>Reviews</h1><div id="list"></div><script>
new ResizeObserver(() => parent.postMessage({ type: 'resize', height: document.documentElement.offsetHeight }, '*')).observe(document.documentElement);
const last = new IntersectionObserver(([one]) => {
  if (!one.isIntersecting) return;
  last.disconnect();
  one.target.innerHTML = \`${CHANGE}\`;
}, { threshold: [0, 0.5, 1] });
fetch('reviews.json?wait=500').then((response) => response.json()).then((reviews) => {
  list.innerHTML = reviews.map((text) => '<p style="height:150px;background:#eee">' + text + '</p>').join('') + '<div style="height:140px"></div>';
  last.observe(list.lastElementChild);
});</script>`,
        ),
        'reviews.json': '["Good", "Fine", "Better", "As ordered"]',
      },
      visitor: { see: 'iframe' },
    },
    'unseen-visibility-event': `<style>section{content-visibility:auto;contain-intrinsic-size:1000px 400px;border-top:1px solid}section div{height:400px}</style>
<h1>Report</h1>${repeat(8, '<section data-part="#"><div></div></section>')}<script>
for (const section of document.querySelectorAll('section')) {
  section.addEventListener('contentvisibilityautostatechange', ({ skipped }) => {
    const part = section.dataset.part;
    section.innerHTML = skipped ? '<div></div>' : part === '6' ? \`<div>${CHANGE}</div>\` : '<div>Part ' + part + '</div>';
  });
}</script>`,
    'unseen-view-timeline': `${SHOP}<style>
@keyframes pass{0%,100%{opacity:0;transform:translateY(60px)}35%,65%{opacity:1;transform:none}}
.card{animation:pass linear both;animation-timeline:view();animation-range:cover 0% cover 100%}</style>
<h1>Stories</h1>${repeat(4, '<div class="card">Story #</div>')}<div class="card">${CHANGE}</div><div class="card">Story 6</div>${TALL}`,
    // A timeline with a name, and a range that ends at a length: the heading is there only as long as its section is read.
    'unseen-view-timeline-named': `${HERO}<style>.read{view-timeline:--read block;height:1400px;background:#eee}
@keyframes slide{from{translate:-110%}to{translate:0}}
.read h2{position:sticky;top:40px;margin:0;padding:40px;background:${COLOR};animation:slide ease-out both;animation-timeline:--read;animation-range:entry 10% contain 30%}
main{overflow-x:clip}</style><main><section class="read"><h2 id="change">Chapter</h2></section></main>${AFTER}`,
    'unseen-sticky-stack': `${HERO}<style>.stack section{position:sticky;top:0;height:100vh}.stack section:nth-child(odd){background:#dde}.stack section:nth-child(even){background:#eed}</style>
<div class="stack">${sections()}</div>${AFTER}`,
    'unseen-pin-horizontal': {
      load: ['gsap/dist/gsap.min.js', 'gsap/dist/ScrollTrigger.min.js'],
      body: `${HERO}<style>#pin{height:100vh;overflow:hidden;background:#eee}#track{display:flex;width:400vw;height:100%}#track>div{width:100vw}</style>
<div id="pin"><div id="track"><div><h1>1</h1></div><div><h1>2</h1></div><div><h1>3</h1></div><div>${CHANGE}</div></div></div>${AFTER}<script>
gsap.to('#track', { xPercent: -75, ease: 'none', scrollTrigger: { trigger: '#pin', pin: true, scrub: true, end: '+=2400' } });</script>`,
    },
    'unseen-steps-scrollama': {
      load: ['scrollama/build/scrollama.min.js'],
      body: `<h1>How it went</h1><style>#story{display:flex}figure{position:sticky;top:20vh;height:60vh;width:50%;margin:0;background:#eee}.step{height:70vh;margin-bottom:40vh}</style>
<div id="story"><figure></figure><div>${repeat(5, '<div class="step"><p>Step #</p></div>')}</div></div>${AFTER}<script>
const figure = document.querySelector('figure');
const draw = (step) => { figure.innerHTML = step === 3
  ? '<svg id="change" width="300" height="200"><rect width="«100|280»" height="200" fill="#c60"/></svg>'
  : '<svg width="300" height="200"><text y="40">Figure ' + (step + 1) + '</text></svg>'; };
draw(0);
scrollama().setup({ step: '.step', offset: 0.6 }).onStepEnter(({ index }) => draw(index));</script>`,
    },
    'unseen-band-threshold': `${SHOP}<style>.card{transition:filter .3s,opacity .3s}</style><h1>Gallery</h1>${repeat(4, '<div class="card">#</div>')}<div class="card">${CHANGE}</div>${repeat(3, '<div class="card">#</div>')}<script>
// Only what is near the middle of the window has colors.
const steps = Array.from({ length: 21 }, (_, step) => step / 20);
const seen = new IntersectionObserver((all) => {
  for (const { target, intersectionRatio: share } of all) {
    target.style.filter = share > 0.6 ? 'none' : 'grayscale(1)'; target.style.opacity = share > 0.6 ? 1 : 0.05;
  }
}, { rootMargin: '-20% 0px -20% 0px', threshold: steps });
for (const card of document.querySelectorAll('.card')) seen.observe(card);</script>`,
    'unseen-alpine-unmounts': `${deferred('@alpinejs/intersect/dist/cdn.min.js')}${deferred('alpinejs/dist/cdn.min.js')}${SHOP}<h1>Team</h1>
${repeat(4, '<div class="card" x-data="{ on: false }" x-intersect:enter="on = true" x-intersect:leave="on = false"><template x-if="on"><p>Person #</p></template></div>')}
<div class="card" x-data="{ on: false }" x-intersect:enter.half="on = true" x-intersect:leave="on = false"><template x-if="on">${CHANGE}</template></div>${AFTER}`,
    'unseen-vue-async': {
      load: ['vue/dist/vue.global.prod.js'],
      // A component that is loaded once its place is in view, behind a skeleton, and that is thrown away out of view.
      body: `${HERO}<div id="app"></div>${AFTER}<script>
const { createApp, defineAsyncComponent, h, onMounted, ref, Transition } = Vue;
const Offers = defineAsyncComponent({ loader: () => import('./offers.mjs?wait=600'), delay: 0, loadingComponent: { render: () => h('p', 'Loading') } });
createApp({
  setup() {
    const place = ref(null); const on = ref(false);
    onMounted(() => new IntersectionObserver(([one]) => { on.value = one.isIntersecting; }, { rootMargin: '-80px 0px' }).observe(place.value));
    return () => h('div', { ref: place, style: 'height:360px;margin:900px 24px 200px;background:#eee' }, on.value ? h(Offers) : h('p', 'Offers'));
  },
}).mount('#app');</script>`,
      files: {
        'offers.mjs': `export default { render: () => Vue.h('div', { id: 'change', style: 'height:300px;background:${COLOR}' }, '${PRICE}') };`,
      },
    },
    // Two places to stop in each section: one turn of the wheel goes less far than a whole one, and comes back.
    'unseen-snap-root': `<style>html{scroll-snap-type:y mandatory}section{height:100svh;background:#eee}section:nth-of-type(even){background:#dde}section>*{margin:0;height:50svh!important;box-sizing:border-box;scroll-snap-align:start}section::after{content:"";display:block;height:50svh;scroll-snap-align:start}</style>${sections()}`,
    'unseen-snap-main': `<style>main{height:100dvh;overflow-y:scroll;scroll-snap-type:y mandatory}section{height:50dvh;scroll-snap-align:start;scroll-snap-stop:always;display:grid;align-content:center;background:#eee}section:nth-of-type(even){background:#dde}</style>
<main>${sections()}<section><h1>6</h1></section></main>`,
    'unseen-feed-vue': {
      load: ['vue/dist/vue.global.prod.js'],
      body: `<div id="app"><h1>Feed</h1><article v-for="text in items" style="height:260px;margin:24px;background:#eee">{{ text }}</article>
<div v-if="ended" id="change" style="height:120px;background:${COLOR}">{{ ended }}</div><div v-else ref="sentinel" style="height:40px">Loading</div></div><script>
Vue.createApp({
  data: () => ({ items: [], ended: '', page: 1, busy: false }),
  mounted() { this.watcher = new IntersectionObserver(([one]) => { this.near = one.isIntersecting; this.more(); }, { rootMargin: '0px 0px 150px' }); this.watcher.observe(this.$refs.sentinel); },
  methods: {
    async more() {
      if (this.busy || !this.near || this.ended) return;
      this.busy = true;
      const { items, ended } = await (await fetch('page-' + this.page++ + '.json?wait=250')).json();
      this.items.push(...items); this.ended = ended; this.busy = false;
      if (!ended) { await this.$nextTick(); this.watcher.unobserve(this.$refs.sentinel); this.watcher.observe(this.$refs.sentinel); }
    },
  },
}).mount('#app');</script>`,
      files: {
        'page-1.json': '{ "items": ["Post 1", "Post 2", "Post 3", "Post 4"], "ended": "" }',
        'page-2.json': '{ "items": ["Post 5", "Post 6", "Post 7"], "ended": "" }',
        'page-3.json': '{ "items": ["Post 8", "Post 9", "Post 10"], "ended": "" }',
        'page-4.json': '{ "items": ["Post 11"], "ended": "«All read|Nothing else to read today»" }',
      },
    },
    'unseen-carousel-splide': {
      load: ['@splidejs/splide/dist/css/splide.min.css', '@splidejs/splide/dist/js/splide.min.js'],
      // The carousel starts when it is in view, and its pictures are loaded when their turn is near.
      body: `${TALL}<div class="splide" style="width:800px;min-height:300px" id="change"><div class="splide__track"><ul class="splide__list">
${repeat(4, '<li class="splide__slide"><img width="800" height="300" alt="" data-splide-lazy="photo-#.svg?wait=500"></li>')}</ul></div></div>${AFTER}<script>
const seen = new IntersectionObserver(([one]) => {
  if (!one.isIntersecting) return;
  seen.disconnect();
  new Splide('.splide', { lazyLoad: 'nearby', preloadPages: 0, start: 1, drag: 'free', snap: true }).mount();
}, { threshold: 0.5 });
seen.observe(document.querySelector('.splide'));</script>`,
      files: Object.fromEntries(
        [1, 2, 3, 4].map((number) => [
          `photo-${number}.svg`,
          `<svg ${SVG} width="800" height="300"><rect width="800" height="300" fill="${number === 2 ? '«#c63|#36c»' : '#999'}"/></svg>`,
        ]),
      ),
    },
    // The browser sends `toggle` for each of them that is open from the start.
    'unseen-details-htmx': {
      load: ['htmx.org/dist/htmx.min.js'],
      body: `${TALL}<style>details{margin:24px;background:#eee}</style>
${repeat(3, '<details name="faq"><summary>Question #</summary><p>Answer</p></details>')}
<details open hx-get="answer.html?wait=700" hx-trigger="intersect once threshold:0.9" hx-target="find div" hx-swap="innerHTML settle:300ms"><summary>Question 4</summary><div style="min-height:140px">Loading</div></details>${AFTER}`,
      files: { 'answer.html': CHANGE },
      visitor: { see: 'details[open]' },
    },
    // The height of the window decides which of two layouts the card has.
    'unseen-container-height': `${TALL}<style>.card{height:60vh;width:800px;margin:24px;background:#eee;container-type:size}.card div{height:120px;background:#fc6}
@container (height < «520px|300px»){.card div{width:50%;background:#6cf}}</style><div class="card" id="change"><div>Plan</div></div>${AFTER}`,
    'unseen-pseudo-fixed': `<style>body::before{content:"";position:fixed;inset:0;z-index:-1;background:linear-gradient(#fff 55%,«#c63|#36c» 55% 80%,#fff 80%)}
.page{background:#eef;height:1300px}</style><div class="page"><h1>Hotel</h1></div><div id="change" style="height:480px"></div><div class="page"><p>Rooms</p></div>`,
    'unseen-lazysizes': {
      load: ['lazysizes/lazysizes.min.js'],
      body: `<style>.lazyload,.lazyloading{opacity:0}.lazyloaded{opacity:1;transition:opacity .6s}</style>${TALL}${TALL}
<img id="change" class="lazyload" width="600" height="300" alt="" data-src="photo.svg?wait=700" style="display:block;margin:24px;background:#ddd">${AFTER}`,
      files: {
        'photo.svg': `<svg ${SVG} width="600" height="300"><rect width="600" height="300" fill="«#c63|#36c»"/><circle cx="300" cy="150" r="90" fill="#fff"/></svg>`,
      },
    },
    'unseen-parallax-layers': `<style>main{height:100vh;overflow:hidden auto;perspective:1px}section{position:relative;height:100vh;transform-style:preserve-3d}
.back{position:absolute;inset:0;transform:translateZ(-1px) scale(2);z-index:-1}.text{height:45vh;background:#eee}</style>
<main>${repeat(2, '<section><div class="text"><p>Text #</p></div></section>')}<section><div class="back" id="change" style="background:linear-gradient(90deg,${COLOR},#fff)"></div><p>Chapter</p></section><section><div class="text"><p>End</p></div></section></main>`,
  },
  'unseen: inner scroll areas': {
    'unseen-chat-reverse': {
      load: ['preact/dist/preact.min.umd.js', 'preact/hooks/dist/hooks.umd.js'],
      body: `${SHELL}<style>#app{display:grid;grid-template-rows:auto 1fr auto;height:100dvh}.log{overflow-y:auto;display:flex;flex-direction:column-reverse;background:#eee}.log>*{flex:none}</style>
<div id="app"></div><script>
const { h, render } = preact; const { useEffect, useState } = preactHooks;
function Chat() {
  const [answer, setAnswer] = useState('');
  useEffect(() => { fetch('answer.json?wait=1100').then((response) => response.json()).then(({ text }) => setAnswer(text)); }, []);
  const log = Array.from({ length: 50 }, (_, index) => h('p', { key: index }, 'Message ' + (50 - index)));
  return [h('h1', null, 'Chat'), h('div', { class: 'log' },
    answer ? h('p', { id: 'change', key: 'answer', style: 'padding:30px;background:${COLOR}' }, answer) : h('p', { key: 'typing' }, 'is typing'), log),
    h('textarea', { placeholder: 'Your message' })];
}
render(h(Chat), document.querySelector('#app'));</script>`,
      files: { 'answer.json': `{ "text": "${PRICE}" }` },
    },
    // A window of a chat below the fold, which its script scrolls to the last message.
    'unseen-chat-bottom': {
      load: REACT,
      body: `${TALL}<div id="app"></div>${AFTER}<script>
const { createElement: h, useLayoutEffect, useRef, useState, useEffect } = React;
function Chat() {
  const log = useRef(null); const [messages, setMessages] = useState([]);
  useEffect(() => { fetch('messages.json?wait=500').then((response) => response.json()).then(setMessages); }, []);
  useLayoutEffect(() => { log.current.scrollTop = log.current.scrollHeight; }, [messages]);
  return h('div', { ref: log, style: { height: 380, width: 500, margin: 24, overflow: 'auto', background: '#eee' } },
    messages.map((text, index) => h('p', { key: index, id: index === 38 ? 'change' : undefined, style: index === 38 ? { background: '${COLOR}', padding: 20 } : undefined }, text)));
}
ReactDOM.createRoot(document.querySelector('#app')).render(h(Chat));</script>`,
      files: {
        'messages.json': JSON.stringify(
          Array.from({ length: 40 }, (_, index) => (index === 38 ? PRICE : `Message ${index}`)),
        ),
      },
    },
    'unseen-fixed-root': {
      load: REACT,
      body: `<div id="root" style="position:fixed;inset:0;overflow:auto;background:#eee"></div><script>
const { createElement: h } = React;
const App = () => h('main', null, h('h1', null, 'Settings'),
  Array.from({ length: 30 }, (_, index) => h('p', { key: index }, 'Setting ' + index)),
  h('div', { id: 'change', style: { height: 120, background: '${COLOR}' } }, '${PRICE}'));
ReactDOM.createRoot(document.querySelector('#root')).render(h(App));</script>`,
    },
    'unseen-grid-shell': `${SHELL}<style>body{display:grid;grid-template:"head head" 56px "side main" minmax(0,1fr) "foot foot" 40px / 220px 1fr}
header{grid-area:head;background:#234;color:#fff}aside{grid-area:side;background:#dde}main{grid-area:main;overflow-y:auto;contain:strict;overscroll-behavior:contain}footer{grid-area:foot;background:#ccc}
.bar{position:sticky;top:0;height:48px;background:#fff}.card{height:200px;margin:16px;background:#eee}</style>
<header>App</header><aside><p>Menu</p></aside><main><div class="bar">Filter</div>${repeat(11, '<div class="card" data-number="#"></div>')}</main><footer>Ready</footer><script>
const main = document.querySelector('main');
const seen = new IntersectionObserver((all) => {
  for (const { target, isIntersecting } of all)
    target.innerHTML = !isIntersecting ? '' : target.dataset.number === '9' ? \`${CHANGE}\` : 'Card ' + target.dataset.number;
}, { root: main, rootMargin: '60px 0px', threshold: [0, 0.25] });
for (const card of main.querySelectorAll('.card')) seen.observe(card);</script>`,
    'unseen-split-panes': {
      load: ['split.js/dist/split.min.js'],
      body: `${SHELL}<style>#box{height:100vh;display:flex;flex-direction:column}#box>div{overflow:auto}.gutter{background:#999;flex:none}</style>
<div id="box"><div id="code">${ROWS}</div><div id="preview">${ROWS}${CHANGE}</div></div><script>
Split(['#code', '#preview'], { direction: 'vertical', sizes: [35, 65], gutterSize: 8 });</script>`,
      visitor: { over: [640, 560] },
    },
    'unseen-table-body': `<h1>Orders</h1><style>table{width:900px;margin:24px}thead,tbody tr{display:table;table-layout:fixed;width:100%}tbody{display:block;height:420px;overflow-y:scroll;background:#eee}td{height:40px}</style>
<table><thead><tr><th>Order</th><th>Price</th></tr></thead><tbody>${repeat(48, '<tr><td>#</td><td>5 EUR</td></tr>')}
<tr id="change"><td style="background:${COLOR}">49</td><td>${PRICE}</td></tr>${repeat(6, '<tr><td>5#</td><td>5 EUR</td></tr>')}</tbody></table>`,
    // Rows are skeletons as long as the area is scrolled, as in React Virtuoso's scroll seek.
    'unseen-virtual-seek': `${SHELL}<style>#area{height:calc(100vh - 60px);overflow:auto;background:#eee}#space{position:relative;height:6000px}.row{position:absolute;inset:0 0 auto;height:60px;will-change:transform}</style>
<h1 style="height:36px">Mails</h1><div id="area"><div id="space"></div></div><script>
let timer; let seeking = false;
const pool = Array.from({ length: 16 }, () => space.appendChild(Object.assign(document.createElement('div'), { className: 'row' })));
function draw() {
  const first = Math.max(0, Math.floor(area.scrollTop / 60) - 2);
  for (const node of pool) { node.removeAttribute('id'); }
  for (let row = first; row < first + 16; row++) {
    const node = pool[row % 16];
    node.style.transform = 'translateY(' + row * 60 + 'px)';
    node.style.display = row < 100 ? '' : 'none';
    if (row === 70) node.id = 'change';
    node.style.background = seeking ? '#ddd' : row === 70 ? '${COLOR}' : '#fff';
    node.textContent = seeking ? '' : row === 70 ? '${PRICE}' : 'Mail ' + row;
  }
}
area.onscroll = () => { seeking = true; clearTimeout(timer); timer = setTimeout(() => { seeking = false; requestAnimationFrame(draw); }, 200); requestAnimationFrame(draw); };
draw();</script>`,
    'unseen-sticky-table': `<h1>Prices</h1><style>.wrap{max-height:70vh;margin:24px;overflow:auto}table{border-collapse:separate;border-spacing:0;width:2200px}td,th{height:44px;border-bottom:1px solid #ccc;background:#fff;text-align:left}
thead th{position:sticky;top:0;background:#234;color:#fff;z-index:2}tbody th{position:sticky;left:0;background:#dde}</style>
<div class="wrap"><table><thead><tr><th>Name</th><th>Price</th><th>Stock</th></tr></thead><tbody>${repeat(44, '<tr><th>Item #</th><td>5</td><td>7</td></tr>')}
<tr><th id="change" style="background:${COLOR}">${PRICE}</th><td>5</td><td>7</td></tr>${repeat(4, '<tr><th>Other #</th><td>5</td><td>7</td></tr>')}</tbody></table></div>${AFTER}`,
  },
  'unseen: comes late': {
    'unseen-hydrate-preact': {
      body: `${importMap({ preact: 'preact/dist/preact.module.js', 'preact/hooks': 'preact/hooks/dist/hooks.module.js' })}
<div id="app"><main><h1>Shop</h1><p id="change" style="padding:40px">Sign in for prices</p></main></div><script type="module">
addEventListener('load', async () => {
  const [{ h, hydrate }, { App }] = await Promise.all([import('preact'), import('./app.mjs?wait=800')]);
  hydrate(h(App), document.querySelector('#app'));
});</script>`,
      files: {
        'app.mjs': `import { h } from 'preact'; import { useEffect, useState } from 'preact/hooks';
export function App() {
  const [user, setUser] = useState(null);
  useEffect(() => { fetch('user.json?wait=900').then((response) => response.json()).then(setUser); }, []);
  return h('main', null, h('h1', null, 'Shop'), h('p', { id: 'change', style: 'padding:40px' + (user ? ';background:${COLOR}' : '') }, user ? user.price : 'Sign in for prices'));
}`,
        'user.json': `{ "price": "${PRICE}" }`,
      },
    },
    'unseen-suspense-react': {
      load: REACT,
      body: `<style>@keyframes pulse{50%{opacity:.4}}.skeleton{height:200px;background:#ddd;animation:pulse 1.2s infinite}</style><h1>Account</h1><div id="app"></div><script>
const { createElement: h, lazy, Suspense } = React;
const Panel = lazy(() => import('./panel.mjs?wait=900'));
ReactDOM.createRoot(document.querySelector('#app')).render(h(Suspense, { fallback: h('div', { className: 'skeleton' }) }, h(Panel)));</script>`,
      files: {
        'panel.mjs': `const { createElement: h } = React; let data; let waiting;
export default function Panel() {
  waiting ??= fetch('panel.json?wait=1100').then((response) => response.json()).then((json) => { data = json; });
  if (!data) throw waiting;
  return h('div', { id: 'change', style: { height: 200, background: data.color } }, data.text);
}`,
        'panel.json': `{ "text": "Balance", "color": "${COLOR}" }`,
      },
    },
    'unseen-poll-ready': {
      body: `<h1>Export</h1><p id="change" style="height:120px">Waits</p><script>
async function poll(path) {
  const { state, next, text } = await (await fetch(path + '?wait=150')).json();
  change.textContent = text ?? 'Waits';
  if (state === 'done') { change.style.background = '${COLOR}'; return; }
  setTimeout(poll, 450, next);
}
addEventListener('load', () => poll('job-1.json'));</script>`,
      files: {
        'job-1.json': '{ "state": "queued", "next": "job-2.json" }',
        'job-2.json': '{ "state": "running", "next": "job-3.json" }',
        'job-3.json': '{ "state": "running", "next": "job-4.json" }',
        'job-4.json': '{ "state": "running", "next": "job-5.json" }',
        'job-5.json': `{ "state": "done", "text": "${PRICE}" }`,
      },
    },
    // An assistant's answer: words that wait in a line, and are shown one after the other.
    'unseen-stream-words': {
      body: `<h1>Assistant</h1><div id="change" style="width:600px;min-height:160px;background:#eee;font-size:24px"></div><script>
addEventListener('load', async () => {
  const line = []; let ended = false;
  const timer = setInterval(() => { if (line.length > 0) change.append(line.shift() + ' '); else if (ended) { clearInterval(timer); change.style.borderLeft = '8px solid #393'; } }, 40);
  const reader = (await fetch('answer.txt?stream=1200')).body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const words = (rest + part.value).split(' '); rest = words.pop(); line.push(...words);
  }
  line.push(rest); ended = true;
});</script>`,
      files: {
        'answer.txt':
          'The order that you asked for has left our house on Monday and it is on its way to your town. It comes on «Tuesday in the morning|Thursday, late at night» and costs nothing.',
      },
    },
    // The service says 503 twice, and the page asks again after a longer time.
    'unseen-retry-503': {
      body: `<h1>Offers</h1><div id="change" style="height:140px;background:#eee">Loading</div><script>
addEventListener('load', async () => {
  await navigator.serviceWorker.register('worker.js');
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) await new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done; });
  for (let wait = 300; ; wait *= 2) {
    const response = await fetch('offers.json');
    if (response.ok) { const { text } = await response.json(); change.textContent = text; change.style.background = '${COLOR}'; return; }
    change.textContent = 'Busy, asks again';
    await new Promise((done) => setTimeout(done, wait));
  }
});</script>`,
      files: {
        'worker.js': `const asked = new Map();
oninstall = () => skipWaiting();
onactivate = (event) => event.waitUntil(clients.claim());
onfetch = (event) => {
  if (!event.request.url.endsWith('offers.json')) return;
  const times = (asked.get(event.clientId) ?? 0) + 1; asked.set(event.clientId, times);
  event.respondWith(times < 3 ? new Response('', { status: 503 }) : fetch(event.request));
};`,
        'offers.json': `{ "text": "${PRICE}" }`,
      },
    },
    'unseen-element-lit': {
      body: `${importMap({
        lit: 'lit/index.js',
        'lit-html': 'lit-html/lit-html.js',
        'lit-html/is-server.js': 'lit-html/is-server.js',
        'lit-element/lit-element.js': 'lit-element/lit-element.js',
        '@lit/reactive-element': '@lit/reactive-element/reactive-element.js',
      })}<style>price-box{display:block;height:160px}price-box:not(:defined){opacity:0}</style><h1>Product</h1><price-box id="change" source="price.json?wait=700"></price-box><script type="module">
addEventListener('load', () => setTimeout(() => import('./price-box.mjs?wait=700'), 300));</script>`,
      files: {
        'price-box.mjs': `import { css, html, LitElement } from 'lit';
class PriceBox extends LitElement {
  static properties = { source: {}, text: { state: true } };
  static styles = css\`div{height:160px;background:#eee}div.ready{background:${COLOR}}\`;
  async connectedCallback() { super.connectedCallback(); this.text = (await (await fetch(this.getAttribute('source'))).json()).text; }
  render() { return html\`<div class=\${this.text ? 'ready' : ''}>\${this.text ?? 'Loading'}</div>\`; }
}
customElements.define('price-box', PriceBox);`,
        'price.json': `{ "text": "${PRICE}" }`,
      },
    },
    // The wider font makes the heading longer, and moves what is below.
    'unseen-font-late': `<style>h2{font:44px/1.4 sans-serif;margin:24px;width:700px}.brand h2{font-family:Brand,sans-serif}</style>
<h2 id="change" style="min-height:420px">The quick brown fox jumps over the lazy dog</h2><p>Text below</p><script>
addEventListener('load', async () => {
  const face = new FontFace('Brand', 'url(/lib/@fontsource/«pacifico/files/pacifico|press-start-2p/files/press-start-2p»-latin-400-normal.woff2?wait=1600)', { display: 'swap' });
  document.fonts.add(face); await face.load(); document.documentElement.classList.add('brand');
});</script>`,
    'unseen-view-transition': {
      body: `<style>::view-transition-old(root),::view-transition-new(root){animation-duration:.7s}#change{view-transition-name:card;width:300px;height:200px;background:#eee}#change.open{width:700px;background:${COLOR}}</style>
<h1>Card</h1><div id="change">Loading</div><script>
addEventListener('load', async () => {
  const { text } = await (await fetch('card.json?wait=1200')).json();
  const update = () => { change.textContent = text; change.classList.add('open'); };
  if (document.startViewTransition) document.startViewTransition(update); else update();
});</script>`,
      files: { 'card.json': '{ "text": "Card" }' },
    },
    // A spring, frame by frame, that starts when it comes in view.
    'unseen-spring-settles': `${TALL}<div style="height:220px;background:#eee"><div id="change" style="width:20px;height:120px;background:#c60"></div></div>${AFTER}<script>
const seen = new IntersectionObserver(([one]) => {
  if (!one.isIntersecting) return;
  seen.disconnect();
  let width = 20; let speed = 0; let last = performance.now();
  requestAnimationFrame(function next(now) {
    for (let ms = Math.min(64, now - last); ms > 0; ms -= 4) { speed += ((«400|700» - width) * 0.12 - speed * 12 / 60) * 0.1; width += speed * 0.1; }
    last = now;
    const rests = Math.abs(speed) < 0.2 && Math.abs(«400|700» - width) < 0.5;
    change.style.width = (rests ? «400|700» : width) + 'px';
    if (!rests) requestAnimationFrame(next);
  });
}, { threshold: 1 });
seen.observe(change.parentNode);</script>`,
    'unseen-observer-chain': {
      body: `<h1>Plugins</h1><div id="slot" style="min-height:160px"></div><script>
const react = (type, work) => new MutationObserver((all) => { for (const { addedNodes } of all) for (const node of addedNodes) if (node.matches?.(type)) work(node); }).observe(slot, { childList: true, subtree: true });
react('[data-plugin]', (node) => { setTimeout(() => { node.append(Object.assign(document.createElement('x-part'), { title: node.dataset.plugin })); }, 500); });
react('x-part', async (node) => { const text = await (await fetch(node.title + '.html?wait=600')).text(); node.insertAdjacentHTML('afterend', text); });
react('#change', (node) => { requestAnimationFrame(() => queueMicrotask(() => { node.style.outline = '4px solid #393'; node.style.margin = '8px'; })); });
addEventListener('load', () => setTimeout(() => { slot.innerHTML = '<section data-plugin="prices"></section>'; }, 400));</script>`,
      files: { 'prices.html': CHANGE },
      visitor: { see: '#slot' },
    },
    'unseen-frame-message': {
      body: `<h1>Home</h1><div id="change" style="height:140px"></div><iframe hidden src="{other}/consent.html"></iframe><script>
addEventListener('message', ({ data, source }) => {
  if (data?.type === 'hello') source.postMessage({ type: 'ask', id: 1 }, '*');
  if (data?.type === 'answer') { change.textContent = data.text; change.style.background = '${COLOR}'; }
});</script>`,
      files: {
        'consent.html': `<!doctype html><script>
addEventListener('message', async ({ data }) => {
  if (data?.type === 'ask') parent.postMessage({ type: 'answer', ...(await (await fetch('config.json?wait=900')).json()) }, '*');
});
setTimeout(() => parent.postMessage({ type: 'hello' }, '*'), 600);</script>`,
        'config.json': `{ "text": "${PRICE}" }`,
      },
    },
    'unseen-shared-worker': {
      body: `<h1>Stocks</h1><div id="change" style="height:140px">Connects</div><script>
new BroadcastChannel('unseen-stocks').onmessage = ({ data }) => { change.textContent = data; change.style.background = '${COLOR}'; };
addEventListener('load', () => new SharedWorker('shared.js').port.start());</script>`,
      files: {
        'shared.js': `const channel = new BroadcastChannel('unseen-stocks');
onconnect = async () => { const { text } = await (await fetch('stocks.json?wait=1200')).json(); channel.postMessage(text); };`,
        'stocks.json': `{ "text": "${PRICE}" }`,
      },
    },
    // A frame of a second team writes what this page reads, now or when it hears of it.
    'unseen-storage-event': {
      body: `<h1>Settings</h1><div id="change" style="height:140px">Standard</div><iframe hidden src="flags.html"></iframe><script>
function read() { const flags = JSON.parse(localStorage.getItem('unseen-flags') ?? 'null'); if (flags) { change.textContent = flags.text; change.style.background = flags.color; } }
addEventListener('storage', ({ key }) => { if (key === 'unseen-flags') read(); });
read();</script>`,
      files: {
        'flags.html': `<!doctype html><script>
fetch('flags.json?wait=1500').then((response) => response.text()).then((text) => localStorage.setItem('unseen-flags', text));</script>`,
        'flags.json': `{ "text": "${PRICE}", "color": "${COLOR}" }`,
      },
    },
    'unseen-htmx-poll': {
      load: ['htmx.org/dist/htmx.min.js'],
      // Each answer has the request that follows it; the last one has none.
      body: `<h1>Build</h1><div hx-get="step-1.html" hx-trigger="load delay:500ms" hx-swap="outerHTML">Starts</div>`,
      files: {
        'step-1.html': '<div hx-get="step-2.html" hx-trigger="load delay:600ms" hx-swap="outerHTML">Installs</div>',
        'step-2.html':
          '<div hx-get="step-3.html?wait=400" hx-trigger="load delay:600ms" hx-swap="outerHTML">Compiles</div>',
        'step-3.html': CHANGE,
      },
    },
  },
  'unseen: moves': {
    'unseen-shimmer-card': `<style>@property --turn{syntax:"<angle>";inherits:false;initial-value:0deg}@keyframes turn{to{--turn:360deg}}@keyframes shimmer{to{background-position:-200% 0}}
.bone{height:80px;margin:24px;background:linear-gradient(90deg,#ddd 25%,#f6f6f6 50%,#ddd 75%) 0 0/200% 100%;animation:shimmer 1.3s linear infinite}
.ring{width:80px;height:80px;margin:24px;background:conic-gradient(from var(--turn),#39f,#fff);animation:turn 1.7s linear infinite}</style>
<h1>Inbox</h1><div class="ring"></div><div class="bone"></div><div class="bone" id="late"></div><div class="bone"></div><script>
setTimeout(() => { late.outerHTML = \`${CHANGE}\`; }, 1400);</script>`,
    'unseen-waapi-badge': `<h1>Sale</h1><div id="change" style="padding:60px;width:400px;background:#eee"><div id="badge" style="width:160px;height:160px;background:«#c63|#36c»"></div></div><script>
badge.animate([{ transform: 'translateY(-3px)' }, { transform: 'translateY(3px)' }], { duration: 900, iterations: Infinity, direction: 'alternate', easing: 'ease-in-out' });
const grow = badge.animate([{ borderRadius: '0' }, { borderRadius: '12px' }], { duration: 700, fill: 'forwards', delay: 500 });
grow.finished.then(() => { grow.commitStyles(); grow.cancel(); });</script>`,
    'unseen-canvas-radar': `${TALL}<canvas id="change" width="600" height="300" style="display:block;margin:24px"></canvas>${AFTER}<script>
const context = change.getContext('2d');
(function draw() {
  const angle = performance.now() / 700;
  context.fillStyle = '«#243|#324»'; context.fillRect(0, 0, 600, 300);
  context.fillStyle = '${COLOR}'; context.fillRect(20, 20, 200, 260);
  context.strokeStyle = '#9f9'; context.beginPath(); context.moveTo(420, 150);
  context.lineTo(420 + 120 * Math.cos(angle), 150 + 120 * Math.sin(angle)); context.stroke();
  requestAnimationFrame(draw);
})();</script>`,
    // Writes a first text, takes it back, and writes the second.
    'unseen-typewriter-twice': `<style>@keyframes blink{50%{opacity:0}}#caret{animation:blink 1s steps(2) infinite;color:#999}</style><h1>We are</h1><p style="font-size:48px"><span id="change" style="display:inline-block;min-width:1px;height:72px"></span><span id="caret">|</span></p><script>
const steps = [];
const write = (text) => { for (let end = 1; end <= text.length; end++) steps.push(text.slice(0, end)); };
write('open'); for (const end of [3, 2, 1, 0]) steps.push('open'.slice(0, end)); write('«closed on Monday|ready when you are»');
(function next(index) {
  change.textContent = steps[index];
  if (index + 1 < steps.length) setTimeout(next, 60 + (index * 37) % 90 + (steps[index] === 'open' ? 700 : 0), index + 1);
})(0);</script>`,
    'unseen-countup-view': {
      body: `${TALL}<p style="font-size:80px;line-height:1.2;background:#eee"><span id="change" style="display:inline-block">0</span> users</p>${AFTER}<script type="module">
import { CountUp } from '/lib/countup.js/dist/countUp.min.js';
const seen = new IntersectionObserver(([one]) => {
  if (!one.isIntersecting) return;
  seen.disconnect();
  new CountUp('change', «1280|7954», { duration: 2, separator: '.' }).start();
}, { threshold: 0.9 });
seen.observe(change.parentNode);</script>`,
      visitor: { see: 'p' },
    },
    'unseen-marquee-frames': `<style>#change{height:100px;overflow:hidden;background:${COLOR};margin:24px 0}#row{display:flex;gap:200px;width:max-content}#row i{width:16px;height:16px;margin-top:40px;background:#888}</style>
<h1>Partners</h1><div id="change"><div id="row">${repeat(10, '<i></i>')}</div></div><script>
row.append(...[...row.children].map((node) => node.cloneNode()));
let last; let offset = 0;
requestAnimationFrame(function move(now) {
  offset = (offset + (now - (last ?? now)) * 0.06) % 2160; last = now;
  row.style.transform = 'translateX(' + -offset + 'px)';
  requestAnimationFrame(move);
});</script>`,
    // A clock of how long the page is open.
    'unseen-clock-svg': `<h1>Time here</h1><svg id="change" width="260" height="260" viewBox="-130 -130 260 260"><circle r="120" fill="${COLOR}"/><path id="hand" d="M0 10V-100" stroke="#333" stroke-width="3"/></svg><script>
setInterval(() => hand.setAttribute('transform', 'rotate(' + Math.floor(performance.now() / 1000) * 6 + ')'), 250);</script>`,
    'unseen-lottie-in-view': {
      load: ['lottie-web/build/player/lottie_svg.min.js'],
      body: `${TALL}<div id="change" style="width:200px;height:200px;margin:24px"></div>${AFTER}<script>
let player;
new IntersectionObserver(([one]) => {
  if (one.isIntersecting) player ??= lottie.loadAnimation({ container: change, renderer: 'svg', loop: true, autoplay: true, path: 'box.json?wait=500' });
  else { player?.destroy(); player = undefined; }
}, { threshold: 0.5 }).observe(change);</script>`,
      files: { 'box.json': writeLottie('[«1,0.4,0|0,0.4,1»,1]') },
    },
    'unseen-three-controls': `${importMap({ three: 'three/build/three.module.js' })}${TALL}<div id="change" style="width:500px;height:320px;margin:24px;background:#eee"></div>${AFTER}<script type="module">
import { AmbientLight, Mesh, MeshLambertMaterial, PerspectiveCamera, Scene, TorusKnotGeometry, WebGLRenderer } from 'three';
import { OrbitControls } from '/lib/three/examples/jsm/controls/OrbitControls.js';
const renderer = new WebGLRenderer({ alpha: true }); renderer.setSize(500, 320); change.append(renderer.domElement);
const scene = new Scene(); scene.add(new AmbientLight('#fff', 3), new Mesh(new TorusKnotGeometry(0.7, 0.4, 60, 10), new MeshLambertMaterial({ color: '«#c60|#06c»' })));
const camera = new PerspectiveCamera(60, 500 / 320); camera.position.z = 3;
const controls = new OrbitControls(camera, renderer.domElement); controls.autoRotate = true; controls.enableDamping = true;
new IntersectionObserver(([one]) => renderer.setAnimationLoop(one.isIntersecting ? () => { controls.update(); renderer.render(scene, camera); } : null)).observe(change);</script>`,
    'unseen-gsap-loop-late': {
      load: ['gsap/dist/gsap.min.js'],
      body: `<style>#dots{display:flex;gap:12px;margin:24px}#dots i{width:16px;height:16px;border-radius:50%;background:#888}</style><h1>Orders</h1><div id="dots">${repeat(5, '<i></i>')}</div><div id="change" style="width:40px;height:120px;background:#c60"></div><script>
gsap.to('#dots i', { y: 20, duration: 0.6, stagger: { each: 0.1, repeat: -1, yoyo: true } });
addEventListener('load', async () => {
  const { width } = await (await fetch('width.json?wait=900')).json();
  gsap.timeline().to('#change', { width, duration: 0.9, ease: 'elastic.out(1, 0.5)' }).to('#change', { borderRadius: 20, duration: 0.4 });
});</script>`,
      files: { 'width.json': '{ "width": «300|560» }' },
    },
    // What it says is a text of three that take turns; the change is in each of them.
    'unseen-ticker-steps': `<style>@keyframes turn{0%,30%{translate:0 0}33%,63%{translate:0 -80px}66%,96%{translate:0 -160px}100%{translate:0 -240px}}
#change{height:80px;overflow:hidden;background:#eee}#change ul{margin:0;padding:0;list-style:none;animation:turn 6s infinite}#change li{height:80px;font-size:40px;background:«#fff|#fd6»}</style>
<h1>News</h1><div id="change"><ul><li>Tea</li><li>Coffee</li><li>Milk</li><li>Tea</li></ul></div>`,
  },
};
