import { IN_FRAME, inner, RIGHT, repeat, SHELL, SVG, said, style } from './shared.mjs';

const SAYS = '«The museum is open today|The museum is closed for repairs»';
const SAID = said(SAYS);
const COLOR = '«#36c|#c63»';
const lines = (count) => repeat(count, '<p>Item #: sphinx of black quartz, judge my vow.</p>');
const picture = (color) =>
  `<svg ${SVG} width="600" height="200"><rect width="600" height="200" fill="${color}"/></svg>`;

const PLACE = '<div id="change" style="min-height:60px;padding:16px;background:#fd6">Loading</div>';

const pageColor = (before, after, turns) => ({
  body: `${style('body{transition:background .4s}section{height:700px}')}${repeat(before, '<section data-color="#fff"><h2>Step #</h2></section>')}<section data-color="${COLOR}" id="change"><h2>Step ${before + 1}</h2></section>${repeat(after, '<section data-color="#fff"><h2>Next #</h2></section>')}<script>
const seen = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) if (isIntersecting) document.body.style.background = target.dataset.color; }, { rootMargin: '-50% 0px -50% 0px' });
for (const one of document.querySelectorAll('section')) seen.observe(one);</script>`,
  visitor: { turn: [0, 150], turns },
});

const writeNotes = (count) => ({
  body: `${style('')}<h1>Notes</h1>${PLACE}<script>(async () => {
const root = await navigator.storage.getDirectory();
for (let part = 0; part < ${count}; part++) { const file = await root.getFileHandle('note-' + part, { create: true }); const out = await file.createWritable(); await out.write('${SAYS}'); await out.close(); }
change.textContent = await (await (await root.getFileHandle('note-${count - 1}')).getFile()).text(); })();</script>`,
  visitor: { waitMs: 2000 },
});

const fillCache = (count, length) => ({
  body: `${style('')}<h1>Offline</h1>${PLACE}<script>(async () => {
const cache = await caches.open('texts');
for (let part = 0; part < ${count}; part++) await cache.put('/text-' + part, new Response(part === ${count - 1} ? '${SAYS}' : 'x'.repeat(${length})));
change.textContent = await (await caches.match('/text-${count - 1}')).text(); })();</script>`,
  visitor: { waitMs: 2000 },
});

const countFrames = (count) => ({
  body: `${style('')}<h1>Intro</h1>${PLACE}<script>
let frames = 0;
requestAnimationFrame(function step() { if (++frames < ${count}) requestAnimationFrame(step); else change.textContent = '${SAYS}'; });</script>`,
  visitor: { waitMs: 2000 },
});

/** Pages that were written in a fourth look by somebody who had not seen the tool. */
export const UNSEEN_4 = {
  'unseen 4: areas that tell how far they are scrolled': {
    // The button is another one at the end of the row.
    'fourth-scroll-button': {
      body: `${style(`.deck{display:flex;gap:16px;overflow-x:auto;padding:16px}.deck>*{flex:0 0 340px;height:200px;background:#eef}.deck::scroll-button(inline-end){content:'Next';background:${COLOR};padding:16px 60px;border:0}.deck::scroll-button(inline-end):disabled{background:#ccc}`)}
<h1>Offers</h1><div id="wrap"><div class="deck">${repeat(9, '<div>Offer #</div>')}</div></div>${lines(30)}`,
      visitor: { see: '#wrap' },
    },
    'fourth-scroll-hint': `${style('td{min-width:140px;border:1px solid}#box{width:800px;overflow-x:auto}')}${lines(4)}<p id="change" hidden style="background:#fd6;padding:16px">${SAYS}</p><div id="box"><table>${repeat(6, `<tr>${repeat(14, '<td>Cell #</td>')}</tr>`)}</table></div>${lines(30)}<script>
const check = () => { change.hidden = box.scrollLeft + box.clientWidth >= box.scrollWidth - 1; };
box.addEventListener('scroll', check); new ResizeObserver(check).observe(box); check();</script>`,
    'fourth-scroll-shadows': `${style(`#change{width:600px;height:300px;overflow:auto;background:linear-gradient(#fff 50%,#fff0),linear-gradient(#fff0,#fff 50%) 0 100%,linear-gradient(${COLOR},#fff0),linear-gradient(#fff0,${COLOR}) 0 100%;background-repeat:no-repeat;background-size:100% 80px,100% 80px,100% 50px,100% 50px;background-attachment:local,local,scroll,scroll}`)}<h1>Terms</h1><div id="change">${lines(30)}</div>${lines(20)}`,
    'fourth-scroll-state': {
      body: `${style('#area{container-type:scroll-state;width:600px;height:300px;overflow:auto;border:1px solid}#more{position:sticky;bottom:0;margin:0;padding:16px;background:#fd6;visibility:hidden}@container scroll-state(scrollable:bottom){#more{visibility:visible}}')}<h1>Terms</h1><div id="area">${lines(30)}<p id="more">${SAYS}</p></div>${lines(20)}`,
      visitor: { see: '#area' },
    },
    'fourth-scroll-timeline-hint': {
      body: `${style('#area{scroll-timeline:--area block;width:600px;height:300px;overflow:auto;border:1px solid}#more{position:sticky;bottom:0;margin:0;padding:16px;background:#fd6;opacity:0;animation:hint linear both;animation-timeline:--area}@keyframes hint{0%,80%{opacity:1}100%{opacity:0}}')}<h1>Terms</h1><div id="area">${lines(30)}<p id="more">${SAYS}</p></div>${lines(20)}`,
      visitor: { see: '#area' },
    },
    'fourth-carousel-caption': {
      body: `${style('#rail{display:flex;width:800px;overflow-x:auto;scroll-snap-type:x mandatory}#rail>*{flex:0 0 800px;height:300px;scroll-snap-align:start;background:#eef}')}<h1>Tour</h1><div id="rail">${repeat(6, '<div>Picture #</div>')}</div><p id="change" style="width:600px;padding:16px;background:#fd6">Entrance</p>${lines(20)}<script>
const captions = ['Entrance', 'Hall', 'Stairs', 'Garden', 'Tower', '${SAYS}'];
rail.addEventListener('scrollsnapchange', ({ snapTargetInline }) => { change.textContent = captions[[...rail.children].indexOf(snapTargetInline)]; });</script>`,
      visitor: { over: [400, 250], turn: [900, 0], toEnd: true },
    },
    'fourth-coverflow': {
      body: `${style('#rail{display:flex;gap:20px;width:900px;box-sizing:border-box;padding:0 350px;overflow-x:auto;scroll-snap-type:x mandatory}#rail>*{flex:0 0 200px;height:260px;scroll-snap-align:center;background:#eef}.cap{opacity:0;transition:opacity .3s;background:#fd6}.on .cap{opacity:1}')}<h1>Albums</h1><div id="rail">${repeat(7, '<div><p class="cap">Album #</p></div>')}<div id="change"><p class="cap">${SAYS}</p></div></div>${lines(20)}<script>
const seen = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) target.classList.toggle('on', isIntersecting); }, { root: rail, rootMargin: '0px -48%' });
for (const one of rail.children) seen.observe(one);</script>`,
      visitor: { over: [450, 250], ...RIGHT, toEnd: true },
    },
    'fourth-inline-timeline': {
      body: `${style('#rail{display:flex;gap:20px;width:900px;box-sizing:border-box;padding:0 350px;overflow-x:auto;scroll-snap-type:x mandatory}#rail>*{flex:0 0 200px;height:260px;scroll-snap-align:center;background:#eef;view-timeline:--slide inline}.cap{opacity:0;background:#fd6;animation:cap linear both;animation-timeline:--slide}@keyframes cap{0%,35%{opacity:0}45%,55%{opacity:1}65%,100%{opacity:0}}')}<h1>Albums</h1><div id="rail">${repeat(7, '<div><p class="cap">Album #</p></div>')}<div id="change"><p class="cap">${SAYS}</p></div></div>${lines(20)}`,
      visitor: { over: [450, 250], ...RIGHT, toEnd: true },
    },
    'fourth-jump-button': {
      body: `${style('#wrap{position:relative;width:600px}#area{height:300px;overflow:auto;border:1px solid}#change{position:absolute;right:20px;bottom:20px;margin:0}')}<h1>Log</h1><div id="wrap"><div id="area">${lines(40)}</div><p id="change" hidden style="background:#fd6;padding:16px">«Back to the start|Show the newest entry»</p></div>${lines(20)}<script>
area.addEventListener('scroll', () => { change.hidden = area.scrollTop < 100; });</script>`,
      visitor: { over: [300, 250], turns: 3 },
    },
    'fourth-area-resize': `${style('#area{width:600px;height:320px;overflow:auto;border:1px solid}')}<h1>Mails</h1>${SAID}<div id="area">${lines(40)}</div>${lines(20)}<script>
new ResizeObserver(([{ contentRect }]) => { change.style.visibility = contentRect.height > 600 ? 'hidden' : 'visible'; }).observe(area);</script>`,
    'fourth-stuck-header': {
      body: `${style(`#bar{container-type:scroll-state;position:sticky;top:0;background:#ddd}#bar div{padding:16px}@container scroll-state(stuck:top){#bar div{background:#fd6}#bar div::after{content:"${SAYS}"}}`)}<h1>Shop</h1><div id="bar"><div>Menu </div></div>${lines(90)}`,
      visitor: { see: '#bar', toEnd: true },
    },
  },
  'unseen 4: areas that scroll': {
    // It loads as it is scrolled, without an observer.
    'fourth-area-scroll-load': {
      body: `${style('#area{width:700px;height:420px;overflow:auto;overscroll-behavior:contain;border:1px solid}')}<h1>Orders</h1><div id="area">${lines(20)}</div>${lines(15)}<script>
let page = 1, busy = false;
area.addEventListener('scroll', async () => { if (busy || page > 4 || area.scrollTop + area.clientHeight < area.scrollHeight - 100) return;
  busy = true; area.insertAdjacentHTML('beforeend', await (await fetch('page-' + page++ + '.html?wait=150')).text()); busy = false; });</script>`,
      files: Object.fromEntries([1, 2, 3, 4].map((page) => [`page-${page}.html`, page === 4 ? SAID : lines(10)])),
      visitor: { over: [300, 300] },
    },
    'fourth-body-scrolls': {
      body: `${style('html{height:100%;overflow:hidden}body{height:100%;overflow:auto}')}<h1>Feed</h1><div id="feed">${lines(40)}</div><script>
let page = 1, busy = false;
document.body.addEventListener('scroll', async () => { const { scrollTop, clientHeight, scrollHeight } = document.body; if (busy || page > 3 || scrollTop + clientHeight < scrollHeight - 100) return;
  busy = true; feed.insertAdjacentHTML('beforeend', await (await fetch('page-' + page++ + '.html?wait=150')).text()); busy = false; });</script>`,
      files: Object.fromEntries([1, 2, 3].map((page) => [`page-${page}.html`, page === 3 ? SAID : lines(20)])),
    },
    'fourth-details-content': {
      body: `${style('details{width:600px}details::details-content{max-height:220px;overflow-y:auto}')}<h1>Questions</h1><details name="faq" open><summary>Where?</summary>${lines(25)}${SAID}</details><details name="faq"><summary>When?</summary></details>${lines(30)}`,
      visitor: { over: [300, 250] },
    },
    'fourth-slot-scrolls': {
      body: `${style('')}<h1>News</h1><x-card><template shadowrootmode="open"><style>slot{display:block;width:600px;height:240px;overflow-y:auto;border:1px solid}</style><slot></slot></template>${lines(25)}${SAID}</x-card>${lines(30)}`,
      visitor: { over: [300, 250] },
    },
    'fourth-closed-root': {
      body: `${style('')}<h1>News</h1><order-list style="display:block;width:600px"><template shadowrootmode="closed"><div style="height:240px;overflow-y:auto;border:1px solid">${lines(25)}${SAID}</div></template></order-list>${lines(30)}`,
      visitor: { see: 'order-list', over: [300, 250], turn: [0, 100], turns: 9 },
    },
    'fourth-select-picker': {
      body: `${style('select,::picker(select){appearance:base-select}::picker(select){position-area:none;inset:auto;top:anchor(top);left:anchor(left);max-height:260px;overflow-y:auto}option{height:30px}')}<h1>Country</h1><select>${repeat(40, '<option>Country #</option>')}<option id="change" style="background:${COLOR}">${SAYS}</option></select>${lines(30)}`,
      fields: { actions: [{ click: 'select' }] },
    },
    'fourth-listbox': {
      body: `${style('select{width:400px}')}<h1>Country</h1><select size="8">${repeat(40, '<option>Country #</option>')}<option style="background:${COLOR}">${SAYS}</option></select>${lines(30)}`,
      visitor: { see: 'select', over: [200, 150], turns: 3 },
    },
    'fourth-textarea': {
      body: `${style('textarea{width:500px;height:160px;font:16px sans-serif;resize:vertical}')}<h1>Message</h1><textarea>${repeat(30, 'Line # of the message')}\n${SAYS}</textarea>${lines(30)}`,
      visitor: { see: 'textarea', over: [200, 150], turn: [0, 100], turns: 4 },
    },
    'fourth-column-carousel': {
      body: `${style('#book{columns:1;width:700px;height:420px;overflow-x:auto;scroll-snap-type:x mandatory}#book::column{scroll-snap-align:start}')}<h1>Book</h1><div id="book">${lines(60)}${SAID}</div>${lines(20)}`,
      visitor: { see: '#book', over: [300, 300], turn: [900, 0], toEnd: true },
    },
    'fourth-panes-absolute': {
      body: `${style(`${SHELL}#code,#console{position:absolute;left:0;right:0;overflow:auto;background:#fff}#code{top:0;bottom:50%}#console{top:50%;bottom:0;background:#eee}`)}<div id="code">${lines(40)}${SAID}</div><div id="console">${lines(30)}</div>`,
      visitor: { over: [640, 200] },
    },
    // A page, an area in it, an area in that, and a table that scrolls sideways.
    'fourth-three-deep': {
      body: `${style(`${SHELL}main{height:100vh;overflow:auto}aside{height:420px;width:700px;overflow:auto;border:1px solid}.box{width:500px;overflow-x:auto;border:1px solid}td{min-width:120px;height:60px}`)}<main>${lines(30)}<aside>${lines(20)}<div class="box"><table><tr>${repeat(18, '<td>Cell #</td>')}<td id="change" style="background:#fd6"></td></tr></table></div></aside>${lines(4)}</main><script>
new IntersectionObserver(([one]) => { change.textContent = one.isIntersecting ? '${SAYS}' : ''; }).observe(change);</script>`,
      visitor: { over: [300, 540], turn: [300, 200] },
    },
    'fourth-wheel-pane': {
      body: `${style('#pane{width:600px;height:300px;overflow:hidden;border:1px solid}')}<h1>List</h1><div id="pane"><div id="inside">${lines(30)}${SAID}</div></div>${lines(30)}<script>
let at = 0;
pane.addEventListener('wheel', (event) => { event.preventDefault(); at = Math.max(0, Math.min(inside.offsetHeight - 300, at + event.deltaY)); inside.style.transform = 'translateY(' + -at + 'px)'; }, { passive: false });</script>`,
      visitor: { over: [300, 250] },
    },
    'fourth-page-sideways': {
      body: `${style('body{display:flex;width:max-content}section{width:900px;height:600px;border-left:1px solid}#room div{min-height:80px}')}${repeat(7, '<section><h2>Room #</h2><div></div></section>')}<section id="room"><div></div></section><section><h2>Exit</h2></section><script>
new IntersectionObserver(([one]) => { room.firstElementChild.innerHTML = one.isIntersecting ? \`${SAID}\` : ''; }, { threshold: 0.3 }).observe(room);</script>`,
      visitor: { see: '#room div', turns: 16, ...RIGHT },
    },
    'fourth-dialog-chain': {
      body: `${style('dialog{width:560px}#second div{max-height:40dvh;overflow:auto}')}<button id="open" commandfor="first" command="show-modal" style="margin:40px">Order</button>${lines(50)}<dialog id="first"><p>Order</p></dialog><dialog id="second"><div>${lines(6)}<iframe width="480" height="200" srcdoc="${inner(`<div style='height:150px;overflow:auto'>${lines(20)}${SAID}</div>`).replaceAll('"', '&quot;')}"></iframe></div></dialog><script>
first.addEventListener('beforetoggle', () => setTimeout(() => second.showModal(), 700));</script>`,
      fields: { actions: [{ click: '#open' }] },
      visitor: { see: '#second', turns: 25, moves: [640, 360] },
    },
  },
  'unseen 4: frames': {
    'fourth-frame-svg': {
      body: `${style('')}<h1>Plan</h1><iframe src="plan.svg" width="700" height="350"></iframe>${lines(30)}`,
      files: {
        'plan.svg': `<svg ${SVG} width="600" height="1500"><rect width="600" height="1500" fill="#eef"/><rect id="change" y="1350" width="300" height="80" fill="${COLOR}"/></svg>`,
      },
      visitor: { ...IN_FRAME },
    },
    'fourth-frame-json': {
      body: `${style('')}<h1>Answer</h1><iframe src="answer.json" width="700" height="300"></iframe>${lines(30)}`,
      files: { 'answer.json': `[\n${repeat(60, '"Line #",')}\n"${SAYS}"\n]` },
      visitor: { see: 'iframe', over: [300, 250], turn: [0, 100], turns: 9 },
    },
    'fourth-frame-blob': {
      body: `${style('')}<h1>Preview</h1><iframe id="preview" sandbox="allow-scripts" width="700" height="300"></iframe>${lines(30)}<script>
preview.src = URL.createObjectURL(new Blob([\`<body>${lines(30)}<div id="place" style="height:80px"></div><script>new IntersectionObserver(([one]) => { place.innerHTML = one.isIntersecting ? '${SAYS}' : ''; }).observe(place);<\\/script>\`], { type: 'text/html' }));</script>`,
      visitor: { see: 'iframe', over: [300, 250], turn: [0, 100], turns: 9 },
    },
    'fourth-frame-blank': {
      body: `${style('')}<h1>Partner</h1><div id="slot"></div>${lines(30)}<script>
const frame = Object.assign(document.createElement('iframe'), { width: 700, height: 250 }); slot.append(frame);
const page = frame.contentDocument; page.open(); page.write(\`<body>${lines(20)}<div id="change" style="height:60px"></div>\`); page.close();
frame.contentWindow.setTimeout(() => { page.querySelector('#change').textContent = '${SAYS}'; }, 2500);</script>`,
      visitor: { ...IN_FRAME, over: [300, 200] },
    },
    'fourth-frame-media-height': {
      body: `${style('')}<h1>Widget</h1><iframe src="{other}/inside.html" width="700" height="400"></iframe>${lines(30)}`,
      files: { 'inside.html': inner(`${SAID}${lines(40)}`, '@media (min-height:501px){#change{display:none}}') },
      visitor: { ...IN_FRAME },
    },
    'fourth-frame-window': {
      body: `${style('')}<h1>Widget</h1><iframe src="inside.html" width="700" height="400"></iframe>${lines(30)}`,
      files: {
        'inside.html': inner(
          `<section></section>${lines(10)}${SAID}${lines(10)}<script>const fit = () => { document.querySelector('section').style.height = innerHeight * 1.2 + 'px'; }; addEventListener('resize', fit); fit();</script>`,
          'section{background:#eef}',
        ),
      },
      visitor: { ...IN_FRAME },
    },
    'fourth-frame-bar': {
      body: `${style('')}<h1>Widget</h1><iframe src="inside.html" width="700" height="400"></iframe>${lines(30)}`,
      files: {
        'inside.html': inner(
          `<div style="height:345px"></div><div id="change" style="height:40px;background:${COLOR}">Deposit</div>${lines(30)}<footer>Accept</footer>`,
          'footer{position:fixed;bottom:0;left:0;right:0;height:64px;background:#234}',
        ),
      },
      visitor: { ...IN_FRAME, turns: 1 },
    },
    'fourth-frame-top-link': {
      body: `${style('')}<h1>Widget</h1><iframe src="inside.html" width="700" height="400"></iframe>${lines(30)}`,
      files: {
        'inside.html': inner(
          `${lines(40)}<a id="change" hidden>${SAYS}</a><script>addEventListener('scroll', () => { change.hidden = scrollY < 200; });</script>`,
          '#change{position:fixed;right:20px;bottom:20px;padding:16px;background:#fd6}',
        ),
      },
      visitor: { ...IN_FRAME, turns: 3 },
    },
  },
  'unseen 4: size of the window': {
    'fourth-css-if': `${style(`#change{height:100px;background:if(media(max-height:800px):${COLOR};else:#ddd)}`)}<h1>Plan</h1><div id="change"></div>${lines(60)}`,
    'fourth-media-nested': `${style(`.card{height:100px;background:#ddd;& b{display:none}@media (max-height:800px){background:${COLOR};& b{display:block}}}`)}<h1>Plan</h1><div class="card" id="change"><b>Plan</b></div>${lines(60)}`,
    'fourth-picture-height': {
      body: `${style('')}${lines(50)}<picture><source media="(max-height:800px)" srcset="low.svg"><img id="change" loading="lazy" src="tall.svg" width="600" height="200" alt=""></picture>${lines(20)}`,
      files: { 'low.svg': picture(COLOR), 'tall.svg': picture('#ddd') },
    },
    'fourth-sizes-vh': {
      body: `${style('')}${lines(50)}<img id="change" loading="lazy" srcset="low.svg 800w, tall.svg 3000w" sizes="100vh" style="width:600px;height:200px" alt="">${lines(20)}`,
      files: { 'low.svg': picture(COLOR), 'tall.svg': picture('#ddd') },
    },
    'fourth-adopted-orientation': `${style('')}<h1>Plan</h1><x-plan id="change" style="display:block;height:100px"></x-plan>${lines(60)}<script>
const sheet = new CSSStyleSheet(); sheet.replaceSync('div{height:100px;background:#ddd}@media (orientation:landscape) and (min-aspect-ratio:3/2){div{background:${COLOR}}}');
const root = document.querySelector('x-plan').attachShadow({ mode: 'closed' }); root.adoptedStyleSheets = [sheet]; root.innerHTML = '<div></div>';</script>`,
    'fourth-animated-height': {
      body: `${style('')}<div id="hero" style="background:#eef">Hero</div>${SAID}${lines(10)}<script>
hero.animate({ height: ['20vh', '150vh'] }, { duration: 600, fill: 'forwards' });</script>`,
      visitor: { waitMs: 1500 },
    },
    'fourth-visual-viewport': `${style('')}<h1>Player</h1>${PLACE}${lines(60)}<script>
(function step() { const says = visualViewport.height > 900 ? 'Tall window' : '${SAYS}'; if (change.textContent !== says) change.textContent = says; requestAnimationFrame(step); })();</script>`,
    'fourth-root-bounds': `${style('')}<h1>Player</h1>${PLACE}${lines(60)}<script>
new IntersectionObserver(([{ rootBounds }]) => { change.textContent = rootBounds.height > 900 ? 'Tall window' : '${SAYS}'; }, { threshold: [0, 0.2, 0.4, 0.6, 0.8, 1] }).observe(document.body);</script>`,
    'fourth-anchor-flip': {
      body: `${style('body{position:relative}#open{position:absolute;top:600px;left:100px;width:300px;height:40px;anchor-name:--open}#menu{position-anchor:--open;position-area:bottom span-right;position-try-fallbacks:flip-block;inset:auto;margin:0;width:400px;height:260px;box-sizing:border-box;background:#eef}#change{position:absolute;top:740px;left:150px;width:260px;margin:0}')}<h1>Shop</h1><button id="open" popovertarget="menu">Menu</button><div id="menu" popover>${lines(3)}</div>${SAID}<div style="height:1500px"></div>`,
      fields: { actions: [{ click: '#open' }] },
      visitor: { turn: [0, 100] },
    },
    'fourth-anchored-query': {
      body: `${style(`body{position:relative}#open{position:absolute;top:600px;left:100px;width:300px;height:40px;anchor-name:--open}#menu{position-anchor:--open;position-area:bottom span-right;position-try-fallbacks:flip-block;container-type:anchored;inset:auto;margin:0;width:400px;height:260px;box-sizing:border-box;background:#eef}#arrow{height:60px;background:#ddd}@container anchored(fallback:flip-block){#arrow{background:${COLOR}}}`)}<h1>Shop</h1><button id="open" popovertarget="menu">Menu</button><div id="menu" popover><div id="arrow"></div></div><div style="height:2000px"></div>`,
      fields: { actions: [{ click: '#open' }] },
      visitor: { see: '#menu' },
    },
  },
  'unseen 4: covered in the first window': {
    'fourth-under-bar': {
      body: `${style('footer{position:fixed;bottom:0;left:0;right:0;height:90px;background:#234;color:#fff}#change{position:absolute;top:645px;left:40px;width:300px;height:50px}')}<h1>Shop</h1><div id="change" style="background:${COLOR}">Deposit</div><div style="height:2200px"></div><footer>Basket</footer>`,
      visitor: { turns: 1 },
    },
    'fourth-under-popover': {
      body: `${style('#note{inset:auto;top:300px;left:400px;width:480px;height:160px;margin:0;background:#ffd}#change{position:absolute;top:340px;left:450px;width:260px;margin:0}')}<h1>Shop</h1>${SAID}<div style="height:2200px"></div><div id="note" popover="manual">New: a newsletter</div><script>note.showPopover()</script>`,
      visitor: { turns: 1 },
    },
    'fourth-curtain-footer': {
      body: `${style('main{position:relative;z-index:1;background:#fff;margin-bottom:300px}footer{position:fixed;bottom:0;left:0;right:0;height:300px;background:#234}')}<main>${lines(60)}</main><footer>${SAID}</footer>`,
      visitor: { toEnd: true },
    },
    'fourth-mask-bar': {
      body: `${style('#bar{position:fixed;bottom:0;left:0;right:0;height:90px;background:#234;color:#fff}#change{position:absolute;top:645px;left:40px;width:300px;height:50px}')}<h1>Shop</h1><div id="change" style="background:${COLOR}">Deposit</div><div style="height:2200px"></div><div id="bar">Visitors: §</div>`,
      fields: { mask: '#bar' },
      visitor: { turns: 1 },
    },
    'fourth-fixed-canvas': `${style('canvas{position:fixed;inset:0;pointer-events:none}')}${lines(80)}<canvas id="ink"></canvas><div id="change" style="position:absolute;top:1500px;left:500px;width:200px;height:200px"></div><script>
ink.width = innerWidth; ink.height = innerHeight; const context = ink.getContext('2d');
const draw = () => { context.clearRect(0, 0, ink.width, ink.height); context.fillStyle = '${COLOR}'; context.beginPath(); context.arc(600, 1600 - scrollY, 80, 0, 7); context.fill(); };
addEventListener('scroll', draw); draw();</script>`,
    // Nothing is seen only while the page scrolls, until something is.
    'fourth-fixed-canvas-new': `${style('canvas{position:fixed;inset:0;pointer-events:none}')}${lines(80)}<canvas id="ink"></canvas><div id="change" style="position:absolute;top:1500px;left:500px;width:200px;height:200px"></div><script>
ink.width = innerWidth; ink.height = innerHeight; const context = ink.getContext('2d');
const draw = () => { context.clearRect(0, 0, ink.width, ink.height); context.fillStyle = '#c63'; context.beginPath(); context.arc(600, 1600 - scrollY, «0|80», 0, 7); context.fill(); };
addEventListener('scroll', draw); draw();</script>`,
    'fourth-band-new': `${style('#change{height:100px;margin:16px;visibility:hidden;background:#fd6}')}${lines(40)}<div id="change">«|Only today: free entry»</div>${lines(40)}<script>
addEventListener('scroll', () => { change.style.visibility = change.textContent && scrollY > 900 && scrollY < 1560 ? 'visible' : 'hidden'; });</script>`,
    'fourth-headroom': {
      body: `${style('#change{position:fixed;top:0;left:0;right:0;padding:16px;background:#fd6;transform:translateY(-100%);transition:transform .2s}#change.on{transform:none}')}<div id="change">${SAYS}</div><h1>Shop</h1>${lines(90)}<script>
let last = 0;
addEventListener('scroll', () => { change.classList.toggle('on', scrollY < last && scrollY > 300); last = scrollY; });</script>`,
      visitor: { toEnd: true, back: [0, -400] },
    },
  },
  'unseen 4: late': {
    // The answer takes longer than the page waits for it.
    'fourth-race-timeout': {
      body: `${style('')}<h1>Offers</h1>${PLACE}<script>
Promise.race([fetch('offer.html?wait=3500').then((answer) => answer.text()), new Promise((done) => setTimeout(done, 800, '${SAYS}'))]).then((text) => { change.textContent = text; });</script>`,
      files: { 'offer.html': 'An offer for you' },
    },
    'fourth-abort-timeout': {
      body: `${style('')}<h1>Stock</h1>${PLACE}<script>
fetch('stock.html?wait=3500', { signal: AbortSignal.timeout(1000) }).then((answer) => answer.text()).catch(() => '${SAYS}').then((text) => { change.textContent = text; });</script>`,
      files: { 'stock.html': 'In stock' },
    },
    // Every query has the same address.
    'fourth-graphql': {
      body: `${style('')}<h1>Account</h1>${PLACE}<script>
const ask = async (query) => (await fetch('graphql.json?wait=2700', { method: 'POST', body: JSON.stringify({ query }) })).json();
(async () => { const { me } = await ask('me'); const { says } = await ask('says of ' + me); change.textContent = says; })();</script>`,
      files: { 'graphql.json': `{"me":"Ann","says":"${SAYS}"}` },
      visitor: { waitMs: 3500 },
    },
    'fourth-stream-slow': {
      body: `${style('')}<h1>Answer</h1>${PLACE}<script>
fetch('answer.html?stream=4200').then((answer) => answer.text()).then((text) => { change.textContent = text; });</script>`,
      files: { 'answer.html': SAYS },
      visitor: { waitMs: 2000 },
    },
    'fourth-events-slow': {
      body: `${style('')}<h1>Ticker</h1>${PLACE}<script>
new EventSource('rows.events?stream=3600').onmessage = ({ data }) => { change.textContent = data; };</script>`,
      files: { 'rows.events': `data: ${SAYS}\n\n` },
      visitor: { waitMs: 1500 },
    },
    'fourth-socket': {
      body: `${style('')}<h1>Scores</h1>${PLACE}<script>
new WebSocket(new URL('score.txt?wait=1500', location).href.replace('http', 'ws')).onmessage = ({ data }) => { change.textContent = data; };</script>`,
      files: { 'score.txt': SAYS },
    },
    // The browser computes in another thread, without a request and without a timer.
    'fourth-crypto': {
      body: `${style('')}<h1>Vault</h1>${PLACE}<script>(async () => {
const encoder = new TextEncoder(); let key = encoder.encode('secret');
for (let round = 0; round < 3; round++) { const base = await crypto.subtle.importKey('raw', key, 'PBKDF2', false, ['deriveBits']);
  key = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: encoder.encode('salt'), iterations: 1_500_000 }, base, 256); }
change.textContent = '${SAYS}'; })();</script>`,
      visitor: { waitMs: 4000 },
    },
    'fourth-audio': {
      body: `${style('')}${lines(40)}<canvas id="change" width="700" height="120"></canvas>${lines(10)}<script>(async () => {
const audio = new OfflineAudioContext(1, 22050 * 240, 22050);
for (let voice = 1; voice <= 8; voice++) { const tone = audio.createOscillator(); const gain = audio.createGain(); gain.gain.value = 0.1; gain.gain.linearRampToValueAtTime(«0.02|0.1», 240); tone.frequency.value = voice * 110; tone.connect(gain).connect(audio.destination); tone.start(); }
const samples = (await audio.startRendering()).getChannelData(0); const context = change.getContext('2d'); context.fillStyle = '#36c';
for (let x = 0; x < 700; x++) { let top = 0; const from = Math.floor(x * samples.length / 700); for (let at = from; at < from + 2000; at++) top = Math.max(top, samples[at]); context.fillRect(x, 120 - top * 120, 1, top * 120); } })();</script>`,
      visitor: { waitMs: 4000 },
    },
    'fourth-worker-compute': {
      body: `${style('')}${lines(40)}<canvas id="change" width="600" height="120"></canvas>${lines(10)}<script>
const worker = new Worker('worker.js'); worker.onmessage = ({ data }) => { const context = change.getContext('2d'); context.fillStyle = '#36c'; data.forEach((height, bar) => context.fillRect(bar * 60, 120 - height, 50, height)); };
worker.postMessage([30, 70, 50, «20|110», 90]);</script>`,
      files: {
        'worker.js':
          'onmessage = ({ data }) => { let sum = 0; for (let i = 0; i < 4e8; i++) sum = (sum + i) | 0; postMessage(sum === 1 ? [] : data); };',
      },
      visitor: { waitMs: 8000 },
    },
    'fourth-busy-wait': `${style('')}<h1>Report</h1>${PLACE}<script>
let step = 0;
(function next() { const start = performance.now(); while (performance.now() - start < 12); const then = Date.now(); while (Date.now() - then < 12); if (++step < 20) setTimeout(next); else change.textContent = '${SAYS}'; })();</script>`,
    'fourth-frame-count': countFrames(260),
    'fourth-reload-once': `${style('')}<h1>Shop</h1>${PLACE}<script>
if (localStorage.ready) change.textContent = '${SAYS}'; else setTimeout(() => { localStorage.ready = 1; location.reload(); }, 1200);</script>`,
    // As with an app that updates itself: the worker answers for the page once it is there.
    'fourth-worker-reload': {
      body: `${style('')}<h1>Shop</h1>${PLACE}<script>
navigator.serviceWorker.addEventListener('controllerchange', () => location.reload()); navigator.serviceWorker.register('worker.js');</script>`,
      files: {
        'worker.js': `addEventListener('install', () => skipWaiting()); addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => { if (event.request.mode === 'navigate') event.respondWith(fetch('next.html')); });`,
        'next.html': inner(`<h1>Shop</h1>${SAID}`),
      },
    },
    // As scripts do that are delayed until the visitor is there.
    'fourth-pointer-first': {
      body: `${style('')}<h1>Shop</h1>${PLACE}<script>
let isLoaded = false;
const load = async () => { if (isLoaded) return; isLoaded = true; change.textContent = await (await fetch('late.html?wait=200')).text(); };
for (const type of ['mousemove', 'touchstart', 'keydown']) addEventListener(type, load, { passive: true });</script>`,
      files: { 'late.html': SAYS },
    },
    'fourth-wheel-first': {
      body: `${style('')}<h1>Shop</h1>${PLACE}<script>
let isLoaded = false;
const load = async () => { if (isLoaded) return; isLoaded = true; change.textContent = await (await fetch('late.html?wait=200')).text(); };
for (const type of ['wheel', 'touchmove', 'keydown', 'scroll']) addEventListener(type, load, { passive: true });</script>`,
      files: { 'late.html': SAYS },
      visitor: { turns: 1 },
    },
    'fourth-keepalive': {
      body: `${style('')}<h1>Shop</h1>${PLACE}<script>
fetch('late.html?wait=3000', { keepalive: true, priority: 'low' }).then((answer) => answer.text()).then((text) => { change.textContent = text; });</script>`,
      files: { 'late.html': SAYS },
    },
    'fourth-frame-worker': {
      body: `${style('')}${lines(60)}<iframe loading="lazy" src="{other}/inside.html" width="700" height="200"></iframe>${lines(10)}`,
      files: {
        'inside.html': inner(
          `<canvas id="chart" width="600" height="120"></canvas><script>const off = chart.transferControlToOffscreen(); new Worker('worker.js').postMessage(off, [off]);</script>`,
        ),
        'worker.js': `onmessage = async ({ data }) => { const bars = await (await fetch('bars.json?wait=900')).json(); await new Promise((done) => setTimeout(done, 1200)); const context = data.getContext('2d'); context.fillStyle = '#36c'; bars.forEach((height, bar) => context.fillRect(bar * 60, 120 - height, 50, height)); };`,
        'bars.json': '[30, 70, 50, «20|110», 90]',
      },
      visitor: { see: 'iframe' },
    },
  },
  'unseen 4: moves': {
    // Who asked for less motion keeps the cover.
    'fourth-preloader': `${style('#cover{position:fixed;inset:0;background:#234;color:#fff;animation:off .5s 1s forwards;z-index:9}@keyframes off{to{opacity:0;visibility:hidden}}@media (prefers-reduced-motion:reduce){*{animation:none!important}}')}<div id="cover"><h1>Museum</h1></div>${lines(10)}${SAID}`,
    'fourth-motion-only': `${style(`#change{height:120px;background:#ddd}@media (prefers-reduced-motion:no-preference){#change{background:${COLOR}}}`)}<h1>Museum</h1><div id="change"></div>${lines(10)}`,
    'fourth-autoplay': {
      body: `${style('#show{position:relative;width:700px;height:200px}#show>*{position:absolute;inset:0;margin:0;opacity:0;background:#eef}#show>.on{opacity:1}')}<h1>Museum</h1><div id="show"><p class="on">One</p><p>Two</p><p>Three</p><p style="background:#fd6">${SAYS}</p></div>${lines(10)}<script>
let at = 0;
setInterval(() => { show.children[at].className = ''; at = (at + 1) % 4; show.children[at].className = 'on'; }, 4000);</script>`,
      visitor: { see: '#show', waitMs: 9200 },
    },
    'fourth-capture-stream': `${style('')}<h1>Camera</h1><video id="change" width="480" height="200" muted autoplay playsinline></video>${lines(10)}<script>
const canvas = Object.assign(document.createElement('canvas'), { width: 480, height: 200 }); const context = canvas.getContext('2d');
setInterval(() => { context.fillStyle = '#eef'; context.fillRect(0, 0, 480, 200); context.fillStyle = '${COLOR}'; context.fillRect(60, 60, 200, 80); }, 100);
change.srcObject = canvas.captureStream(10);</script>`,
    'fourth-worker-spinner': {
      body: `${style('')}<h1>Queue</h1><canvas id="spin" width="100" height="100"></canvas>${SAID}${lines(10)}<script>
const off = spin.transferControlToOffscreen(); new Worker('worker.js').postMessage(off, [off]);</script>`,
      files: {
        'worker.js': `onmessage = ({ data }) => { const context = data.getContext('2d'); (function step() { context.clearRect(0, 0, 100, 100); context.beginPath(); context.lineWidth = 10; const turn = performance.now() / 160; context.arc(50, 50, 40, turn, turn + 4); context.stroke(); requestAnimationFrame(step); })(); };`,
      },
    },
    'fourth-animation-trigger': `${style('#change{opacity:0;timeline-trigger:--seen view() contain;animation:come .5s both;animation-trigger:--seen play-forwards play-backwards}@keyframes come{from{opacity:0}to{opacity:1}}')}${lines(60)}${SAID}${lines(60)}`,
    'fourth-race-order': {
      body: `${style('')}<h1>Feeds</h1><ol id="list"></ol>${SAID}<script>
for (const [name, wait] of [['Slow', 900], ['Fast', 150], ['Middle', 500]]) fetch(name + '.html?wait=' + wait).then((answer) => answer.text()).then((text) => list.insertAdjacentHTML('beforeend', '<li>' + text));
setTimeout(() => list.insertAdjacentHTML('beforeend', '<li>Timer'), 320);</script>`,
      files: { 'Slow.html': 'Slow', 'Fast.html': 'Fast', 'Middle.html': 'Middle' },
    },
    'fourth-very-long': {
      body: `${style('section{height:900px;border-top:1px solid}')}${repeat(54, '<section><h2>Chapter #</h2></section>')}<section id="last"><div></div></section><section></section><script>
new IntersectionObserver(([one]) => { last.firstElementChild.innerHTML = one.isIntersecting ? \`${SAID}\` : ''; }).observe(last);</script>`,
      visitor: { see: '#last div', turn: [0, 900] },
    },
  },
  'unseen 4: actions and parts': {
    // After the action, something comes as the page is scrolled.
    'fourth-action-scroll': {
      body: `${style('')}<p id="note">We like cats. <button id="fine">Fine</button></p>${lines(60)}<div id="place" style="min-height:90px"></div>${lines(10)}<script>
fine.onclick = () => note.remove(); let isLoaded = false;
addEventListener('scroll', async () => { if (isLoaded || scrollY < 600) return; isLoaded = true; place.innerHTML = await (await fetch('late.html?wait=200')).text(); });</script>`,
      files: { 'late.html': SAID },
      fields: { actions: [{ click: '#fine' }] },
      visitor: { see: '#place' },
    },
    'fourth-element-menu': {
      body: `${style('nav{position:relative;height:56px;background:#ddd}#menu{position:absolute;top:60px;left:20px;width:300px;background:#eef}')}<nav><button id="open" style="margin:12px">Menu</button><div id="menu" hidden>${lines(2)}${SAID}</div></nav>${lines(40)}<script>document.querySelector('#open').onclick = () => { menu.hidden = false; };</script>`,
      fields: { element: 'nav', actions: [{ click: '#open' }] },
    },
    'fourth-element-rail': {
      body: `${style('.rail{display:flex;gap:16px;width:800px;overflow-x:auto;padding:16px}.rail>div{flex:0 0 300px;height:200px;background:#eef}')}${lines(8)}<div class="rail">${repeat(7, '<div></div>')}<div id="card"></div><div></div></div>${lines(20)}<script>
const seen = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) target.innerHTML = !isIntersecting ? '' : target.id ? \`${SAID}\` : '<p>Card</p>'; }, { root: document.querySelector('.rail'), threshold: 0.6 });
for (const one of document.querySelectorAll('.rail>div')) seen.observe(one);</script>`,
      fields: { element: '#card' },
      visitor: { see: '#card', over: [400, 400], ...RIGHT },
    },
    'fourth-bakery': {
      body: `${style('#bar{position:fixed;bottom:0;left:0;right:0;padding:20px;background:#fd6}')}<h1>Bakery</h1>${lines(30)}<div id="bar"><span id="change">We use real butter in all our cookies. ${SAYS}.</span> <button>Order cookies</button> <button>No thanks</button></div>`,
      fields: { hideCookie: true },
    },
  },
  'unseen 4: beside the first window': {
    'fourth-rail-lazy': {
      body: `${style('.rail{display:flex;gap:16px;overflow-x:auto;padding:16px}.rail>div{flex:0 0 300px;height:200px;background:#eef}')}<h1>Offers</h1><div class="rail">${repeat(8, '<div></div>')}<div id="change"></div><div></div></div>${lines(20)}<script>
const seen = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) if (isIntersecting) { seen.unobserve(target); target.innerHTML = target.id ? '<p style="background:#fd6;padding:16px">${SAYS}</p>' : '<p>Offer</p>'; } });
for (const one of document.querySelectorAll('.rail>div')) seen.observe(one);</script>`,
      visitor: { over: [600, 200], ...RIGHT },
    },
    'fourth-rail-visibility': {
      body: `${style('.rail{display:flex;gap:16px;overflow-x:auto;padding:16px}.rail>div{flex:0 0 300px;height:200px;background:#eef;content-visibility:auto;contain-intrinsic-size:auto 300px auto 200px}')}<h1>Offers</h1><div class="rail">${repeat(8, '<div><p>Offer #</p></div>')}<div>${SAID}</div><div></div></div>${lines(20)}`,
      visitor: { over: [600, 200], ...RIGHT },
    },
    'fourth-rail-frame-still': {
      body: `${style('.rail{display:flex;gap:16px;overflow-x:auto;padding:16px}.rail>*{flex:0 0 300px;height:200px;background:#eef}')}<h1>Videos</h1><div class="rail">${repeat(8, '<div>Video #</div>')}<iframe src="{other}/inside.html"></iframe><div></div></div>${lines(20)}`,
      files: { 'inside.html': inner(SAID) },
      visitor: { see: 'iframe', over: [600, 200], ...RIGHT },
    },
    'fourth-rail-frame': {
      body: `${style('.rail{display:flex;gap:16px;overflow-x:auto;padding:16px}.rail>*{flex:0 0 300px;height:200px;background:#eef}')}<h1>Videos</h1><div class="rail">${repeat(8, '<div>Video #</div>')}<iframe src="{other}/inside.html" loading="lazy"></iframe><div></div></div>${lines(20)}`,
      files: {
        'inside.html': inner(
          `<canvas id="chart" width="260" height="120"></canvas><script>requestAnimationFrame(function step(now) { const context = chart.getContext('2d'); context.fillStyle = '${COLOR}'; context.fillRect(0, 0, Math.min(260, now / 4), 120); if (now < 1500) requestAnimationFrame(step); });</script>`,
        ),
      },
      visitor: { see: 'iframe', over: [600, 200], ...RIGHT },
    },
  },
  'unseen 4: as the page is scrolled': {
    'fourth-band': `${style('#change{height:100px;margin:16px;visibility:hidden;background:#fd6}')}${lines(40)}<div id="change">${SAYS}</div>${lines(40)}<script>
addEventListener('scroll', () => { change.style.visibility = scrollY > 900 && scrollY < 1560 ? 'visible' : 'hidden'; });</script>`,
    'fourth-band-gone': `${style('#change{height:100px;margin:16px;visibility:hidden;background:#fd6}')}${lines(40)}<div id="change">«Only today: free entry|»</div>${lines(40)}<script>
addEventListener('scroll', () => { change.style.visibility = change.textContent && scrollY > 900 && scrollY < 1560 ? 'visible' : 'hidden'; });</script>`,
    'fourth-active-section': {
      body: `${style(`section{height:420px;border-top:1px solid;transition:background .3s}.on{background:#eef}#change.on{background:${COLOR}}`)}${repeat(4, '<section><h2>Step #</h2></section>')}<section id="change"><h2>Step 5</h2></section>${repeat(4, '<section><h2>Next #</h2></section>')}<script>
const mark = () => { for (const one of document.querySelectorAll('section')) { const { top, bottom } = one.getBoundingClientRect(); one.classList.toggle('on', top <= 360 && bottom > 360); } };
addEventListener('scroll', mark); mark();</script>`,
      visitor: { turn: [0, 100] },
    },
    'fourth-page-color': pageColor(1, 5, 5),
    'fourth-page-color-late': pageColor(5, 1, 22),
    'fourth-root-older': {
      body: `${style('')}<div id="log">${lines(50)}</div><script>
scrollTo(0, document.documentElement.scrollHeight); let page = 1, busy = false;
addEventListener('scroll', async () => { if (busy || page > 3 || scrollY > 80) return; busy = true; const { scrollHeight } = document.documentElement;
  log.insertAdjacentHTML('afterbegin', await (await fetch('older-' + page++ + '.html?wait=150')).text()); scrollBy(0, document.documentElement.scrollHeight - scrollHeight); busy = false; });</script>`,
      files: { 'older-1.html': lines(12), 'older-2.html': lines(12), 'older-3.html': `${SAID}${lines(8)}` },
      visitor: { turn: [0, -200], toEnd: true },
    },
    'fourth-under-sticky-bar': {
      body: `${style('#bar{position:sticky;bottom:0;height:90px;background:#234;color:#fff}main{position:relative;height:2400px}#change{position:absolute;top:560px;left:40px;width:300px;height:50px}')}<h1>Shop</h1><main><div id="change" style="background:${COLOR}">Deposit</div></main><div id="bar">Basket</div>`,
      visitor: { turns: 1 },
    },
  },
  'unseen 4: time': {
    'fourth-idle-chain': {
      body: `${style('')}<h1>Report</h1><ul id="list"></ul>${PLACE}<script>
let step = 0;
requestIdleCallback(function next() { if (++step % 10 === 0) list.insertAdjacentHTML('beforeend', '<li>Part ' + step); if (step < 70) requestIdleCallback(next); else change.textContent = '${SAYS}'; });</script>`,
      visitor: { waitMs: 1500 },
    },
    'fourth-files': writeNotes(12),
    'fourth-file': writeNotes(1),
    'fourth-scrolls-itself': {
      body: `${style('header{position:sticky;top:0;height:50px;background:#ddd}')}<header>Credits</header>${lines(40)}${SAID}${lines(40)}<script>
const timer = setInterval(() => { scrollBy(0, 20); if (scrollY > 800) clearInterval(timer); }, 40);</script>`,
      visitor: { waitMs: 3000 },
    },
    'fourth-elapsed': `${style('')}<h1>Visit</h1><p>You have been here for <b id="a"></b>, <b id="b"></b>, <b id="c"></b> tenths of a second.</p>${SAID}<script>
const start = Date.now();
(function step() { a.textContent = Math.floor(performance.now() / 100); b.textContent = Math.floor((Date.now() - start) / 100); c.textContent = Math.floor(document.timeline.currentTime / 100); requestAnimationFrame(step); })();</script>`,
    'fourth-frame-total': `${style('')}<h1>Visit</h1><p>Frames so far: <b id="a">0</b></p>${SAID}<script>
let frames = 0; requestAnimationFrame(function step() { a.textContent = ++frames; requestAnimationFrame(step); });</script>`,
    'fourth-elapsed-worker': {
      body: `${style('')}<h1>Visit</h1><p>You have been here for <b id="a">0</b> seconds.</p>${SAID}<script>
new Worker('worker.js').onmessage = ({ data }) => { a.textContent = data; };</script>`,
      files: { 'worker.js': 'let ticks = 0; setInterval(() => postMessage(++ticks), 1000);' },
    },
  },
  'unseen 4: again, in another way': {
    'fourth-crypto-short': {
      body: `${style('')}<h1>Vault</h1>${PLACE}<script>(async () => {
const encoder = new TextEncoder(); const base = await crypto.subtle.importKey('raw', encoder.encode('secret'), 'PBKDF2', false, ['deriveBits']);
await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: encoder.encode('salt'), iterations: 600_000 }, base, 256);
change.textContent = '${SAYS}'; })();</script>`,
      visitor: { waitMs: 2000 },
    },
    'fourth-curtain-script': {
      body: `${style('main{position:relative;z-index:1;background:#fff;margin-bottom:300px}footer{position:fixed;bottom:0;left:0;right:0;height:300px;background:#234}')}<main>${lines(60)}</main><footer>${SAID}</footer><script>
addEventListener('scroll', () => { document.body.dataset.at = scrollY; });</script>`,
      visitor: { toEnd: true },
    },
    'fourth-wheel-tall': {
      body: `${style('')}<h1>Shop</h1>${PLACE}${lines(60)}<script>
let isLoaded = false;
addEventListener('wheel', async () => { if (isLoaded) return; isLoaded = true; change.textContent = await (await fetch('late.html?wait=200')).text(); }, { passive: true });</script>`,
      files: { 'late.html': SAYS },
      visitor: { turn: [0, 20], turns: 1 },
    },
    'fourth-carousel-counter': {
      body: `${style('#rail{display:flex;width:800px;overflow-x:auto;scroll-snap-type:x mandatory}#rail>*{flex:0 0 100%;height:300px;scroll-snap-align:start;background:#eef}')}<h1>Tour</h1><div id="rail">${repeat(6, '<div>Picture #</div>')}</div><p id="change" style="width:600px;padding:16px;background:#fd6"></p>${lines(20)}<script>
const show = () => { const at = Math.round(rail.scrollLeft / rail.clientWidth); change.textContent = at + 1 + ' of ' + rail.children.length; change.style.background = at > 0 ? '${COLOR}' : '#fd6'; };
rail.addEventListener('scroll', show); show();</script>`,
      visitor: { over: [400, 250], turn: [900, 0], toEnd: true },
    },
    'fourth-pane-spy': {
      body: `${style(`${SHELL}body{display:flex}nav{width:240px;background:#eef}main{flex:1;height:100vh;overflow:auto}section{height:500px;border-top:1px solid}a{display:block;padding:12px}a.on{background:#fd6}#change.on{background:${COLOR}}`)}<nav><a>One</a><a>Two</a><a>Three</a><a>Four</a><a id="change">Five</a></nav><main id="area">${repeat(5, '<section><h2>Part #</h2></section>')}</main><script>
const mark = () => { const at = area.scrollTop + area.clientHeight > area.scrollHeight - 5 ? 4 : Math.floor(area.scrollTop / 500); [...document.querySelectorAll('a')].forEach((link, index) => link.classList.toggle('on', index === at)); };
area.addEventListener('scroll', mark); mark();</script>`,
      visitor: { toEnd: true },
    },
    'fourth-pane-spy-middle': {
      body: `${style(`${SHELL}body{display:flex}nav{width:240px;background:#eef}main{flex:1;height:100vh;overflow:auto}section{height:500px;border-top:1px solid}a{display:block;padding:12px}a.on{background:#fd6}#change.on{background:${COLOR}}`)}<nav><a>One</a><a>Two</a><a id="change">Three</a><a>Four</a><a>Five</a></nav><main id="area">${repeat(5, '<section><h2>Part #</h2></section>')}</main><script>
const mark = () => { const at = area.scrollTop + area.clientHeight > area.scrollHeight - 5 ? 4 : Math.floor(area.scrollTop / 500); [...document.querySelectorAll('a')].forEach((link, index) => link.classList.toggle('on', index === at)); };
area.addEventListener('scroll', mark); mark();</script>`,
      visitor: { turns: 5 },
    },
    'fourth-element-badge': {
      body: `${style('.card{position:relative;width:300px;height:160px;margin:60px;background:#eef}#change{position:absolute;top:-40px;right:-60px;width:120px;height:36px}')}<div class="card"><h2>Plan</h2><b id="change" style="background:${COLOR}">Best</b></div>${lines(10)}`,
      fields: { element: '.card' },
    },
    'fourth-frame-count-short': countFrames(160),
    'fourth-closed-script': {
      body: `${style('')}<h1>News</h1><order-list style="display:block;width:600px"></order-list>${lines(30)}<script>
customElements.define('order-list', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = \`<div style="height:240px;overflow-y:auto;border:1px solid">${lines(25)}${SAID}</div>\`; } });</script>`,
      visitor: { see: 'order-list', over: [300, 250], turn: [0, 100], turns: 9 },
    },
    'fourth-closed-frame': {
      body: `${style('')}<h1>News</h1><x-embed style="display:block"><template shadowrootmode="closed"><iframe src="{other}/inside.html" width="600" height="240"></iframe></template></x-embed>${lines(30)}`,
      files: { 'inside.html': inner(`${lines(25)}${SAID}`) },
      visitor: { see: 'x-embed', over: [300, 250], turn: [0, 100], turns: 7 },
    },
    // A frame with a page of its own that is wider, and that mounts what is in view.
    'fourth-frame-sideways': {
      body: `${style('')}<h1>Tour</h1><iframe src="inside.html" width="700" height="300"></iframe>${lines(20)}`,
      files: {
        'inside.html': inner(
          `${repeat(5, '<section>Room #</section>')}<section id="change"></section><script>new IntersectionObserver(([one]) => { change.innerHTML = one.isIntersecting ? '<p style="background:#fd6;padding:16px">${SAYS}</p>' : ''; }, { threshold: 0.5 }).observe(change);</script>`,
          'body{display:flex;width:max-content}section{width:500px;height:200px;background:#eef;border-left:1px solid}',
        ),
      },
      visitor: { ...IN_FRAME, over: [300, 250], ...RIGHT, toEnd: true },
    },
  },
  'unseen 4: work of the browser': {
    'fourth-cache-storage': fillCache(30, '200_000'),
    'fourth-cache-short': fillCache(2, '2_000'),
    'fourth-compressed': {
      body: `${style('')}<h1>Log</h1>${PLACE}<script>(async () => {
const packed = new Blob(['${SAYS} ' + 'log line '.repeat(6_000_000)]).stream().pipeThrough(new CompressionStream('gzip'));
const text = await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).text();
change.textContent = text.slice(0, 40).split(' log')[0]; })();</script>`,
      visitor: { waitMs: 4000 },
    },
    'fourth-file-reader': {
      body: `${style('')}<h1>Upload</h1>${PLACE}<script>
const reader = new FileReader(); reader.onload = () => { change.textContent = reader.result.slice(0, 60).split(' line')[0]; };
reader.readAsText(new Blob(['${SAYS}', ' line'.repeat(10_000_000)]));</script>`,
      visitor: { waitMs: 3000 },
    },
    'fourth-encoded-image': {
      body: `${style('')}<h1>Poster</h1><img id="change" width="600" height="200" alt="" style="background:#ddd">${lines(3)}<script>(async () => {
const canvas = new OffscreenCanvas(3000, 1000); const context = canvas.getContext('2d');
for (let x = 0; x < 3000; x += 3) { context.fillStyle = 'hsl(' + x / 10 + ' 60% 80%)'; context.fillRect(x, 0, 3, 1000); }
context.fillStyle = '${COLOR}'; context.fillRect(300, 300, 1200, 400);
change.src = URL.createObjectURL(await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 })); })();</script>`,
      visitor: { waitMs: 2000 },
    },
    'fourth-key-pair': {
      body: `${style('')}<h1>Vault</h1>${PLACE}<script>
crypto.subtle.generateKey({ name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }, true, ['encrypt', 'decrypt']).then(() => { change.textContent = '${SAYS}'; });</script>`,
      visitor: { waitMs: 3000 },
    },
  },
};
