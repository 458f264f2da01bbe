import {
  chapters,
  ENTER,
  each,
  FOOTER,
  inFrame,
  inner,
  paragraphs,
  people,
  picture,
  quote,
  say,
  style,
  TOP,
} from './gazette.mjs';
import { repeat, SVG, writeDocument } from './shared.mjs';

/** Pages that were written in a sixth look by somebody who had not seen the tool. */
export const UNSEEN_6 = {
  'unseen 6: frames': {
    // A player that is a picture until it is in view. Then it is a frame of another site, which asks for what it shows.
    'sixth-frame-player': {
      body: `${style('lite-player{display:block;position:relative;aspect-ratio:16/9;margin:24px 0;background:#111 center/cover;color:#fff}lite-player>button{position:absolute;inset:0;margin:auto;width:80px;height:56px;border:0;border-radius:12px;background:#d33}lite-player iframe{width:100%;height:100%;border:0}')}${TOP}<main class="wrap"><h1>${say(2, 6)}</h1>${chapters(5, 3)}<lite-player video="harbour"><button aria-label="Play"></button></lite-player>${chapters(3, 8)}</main>${FOOTER}<script type="module" src="lite-player.mjs?wait=250"></script>`,
      files: {
        'lite-player.mjs': `customElements.define('lite-player', class extends HTMLElement { connectedCallback() {
  const seen = new IntersectionObserver(([one]) => { if (one.intersectionRatio < 0.5) return; seen.disconnect(); requestIdleCallback(() => { const frame = Object.assign(document.createElement('iframe'), { src: '{other}/player.html?video=' + this.getAttribute('video'), allow: 'autoplay; fullscreen', title: 'Player' }); this.replaceChildren(frame); }, { timeout: 500 }); }, { threshold: 0.5 });
  seen.observe(this); } });`,
        'player.html': inner(
          `<div id="screen"><h2 id="title">&nbsp;</h2><div id="change"><i></i><span id="time"></span></div></div><script>
(async () => { const { title: name, poster, length } = await (await fetch('meta.json?wait=400')).json(); title.textContent = name; const image = new Image(); image.src = poster; await image.decode(); screen_.style.backgroundImage = 'url(' + poster + ')'; time.textContent = '0:00 / ' + length; })(); const screen_ = document.getElementById('screen');</script>`,
          'html,body,#screen{height:100%}#screen{background:#000 center/cover;display:flex;flex-direction:column;justify-content:space-between;color:#fff}h2{padding:16px}#change{padding:16px;background:#000a;font-size:20px}#change i{display:block;height:4px;margin-bottom:8px;background:#fff6}',
        ),
        'meta.json': '{"title":"The harbour in winter","poster":"poster.svg?wait=300","length":"«12:40|1:21:46»"}',
        'poster.svg': picture('#356', 640, 360),
      },
      visitor: { ...inFrame() },
    },
    // How to find us: a map of vectors, in a frame of another site, above the footer.
    'sixth-frame-map-vectors': {
      body: `${style('.map{width:100%;height:420px;border:0;display:block}')}${TOP}<main class="wrap"><h1>Contact</h1>${chapters(4, 12)}</main><iframe class="map" loading="lazy" referrerpolicy="no-referrer-when-downgrade" src="{other}/map.html" title="Map"></iframe>${FOOTER}`,
      files: {
        'map.html': writeDocument(
          ['ol/ol.css', 'ol/dist/ol.js'],
          `<style>html,body,#map{height:100%}#map{background:#cfe3ee}</style><div id="map"></div><script>
(async () => { const data = await (await fetch('land.json?wait=400')).json();
  const source = new ol.source.Vector({ features: new ol.format.GeoJSON().readFeatures(data) });
  new ol.Map({ target: 'map', controls: [], interactions: [], view: new ol.View({ center: [500, 200], resolution: 1, constrainResolution: false }), layers: [new ol.layer.Vector({ source, style: (one) => new ol.style.Style({ fill: new ol.style.Fill({ color: one.get('color') }), stroke: new ol.style.Stroke({ color: '#667', width: 2 }) }) })] }); })();</script>`,
        ),
        'land.json': `{"type":"FeatureCollection","features":[${Array.from({ length: 10 }, (_, at) => {
          const x = 40 + (at % 5) * 190;
          const y = 40 + Math.floor(at / 5) * 170;
          return `{"type":"Feature","properties":{"color":"${at === 7 ? '«#b9d7a2|#e0b0a0»' : '#d8d2bc'}"},"geometry":{"type":"Polygon","coordinates":[[[${x},${y}],[${x + 150},${y + 10}],[${x + 160},${y + 120}],[${x + 10},${y + 140}],[${x},${y}]]]}}`;
        }).join(',')}]}`,
      },
      visitor: { see: '.map', toEnd: true },
    },
    // A part of another team in a shell: its frame goes through a login without a form before it shows something.
    'sixth-frame-silent-login': {
      body: `${style('html,body{height:100%;overflow:hidden}body{display:grid;grid-template:52px 1fr/220px 1fr}.top{grid-column:1/3}aside{background:#f2f4f6;padding:16px;overflow:auto}iframe{width:100%;height:100%;border:0}')}${TOP}<aside>${each(30, (at) => `<p>${say(at, 2)}</p>`)}</aside><iframe name="remote" src="{other}/authorize.html?client=shell" title="Invoices"></iframe>`,
      files: {
        'authorize.html':
          '<!doctype html><title>Login</title><script>sessionStorage.setItem("nonce", "1"); setTimeout(() => location.replace("callback.html?wait=500#token=abc"), 300)</script>',
        'callback.html':
          '<!doctype html><title>Login</title><script>history.replaceState(null, "", location.pathname); location.replace("invoices.html?wait=600")</script>',
        'invoices.html': inner(
          `<h1>Invoices</h1><div id="root"><p>Loading</p></div><script>
fetch('invoices.json?wait=500').then((answer) => answer.json()).then((all) => { root.innerHTML = all.map(([id, sum], at) => '<div class="line"' + (at === 38 ? ' id="change"' : '') + '><b>' + id + '</b><span>' + sum + '</span></div>').join(''); });</script>`,
          'h1{padding:16px}.line{display:flex;justify-content:space-between;padding:12px 24px;border-top:1px solid #ddd}',
        ),
        'invoices.json': `[${Array.from({ length: 42 }, (_, at) => `["R-${2100 + at}","${at === 38 ? '«1,204.00 EUR|1,204.00 EUR, due»' : `${at * 13}.00 EUR`}"]`).join(',')}]`,
      },
      visitor: { waitMs: 2500, over: [800, 400], ...inFrame() },
    },
    // A viewer of documents: its pages are drawn one after the other when they are near, and given up when they are far.
    'sixth-frame-viewer': {
      body: `${style('.viewer{width:100%;height:540px;border:1px solid #999}')}${TOP}<main class="wrap" style="max-width:1000px"><h1>Minutes of the council</h1><iframe class="viewer" src="{other}/viewer.html?file=minutes" title="Document"></iframe>${chapters(4, 5)}</main>${FOOTER}`,
      files: {
        'viewer.html': inner(
          `<div id="bar">Page <span id="now">1</span> of 12</div><div id="pages"></div><script>
const queue = []; let busy = false;
for (let at = 1; at <= 12; at++) { const page = document.createElement('div'); page.className = 'page'; page.dataset.at = at; if (at === 10) page.id = 'change'; pages.append(page); }
const near = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) { if (isIntersecting) queue.push(target); else target.replaceChildren(); } work(); }, { root: pages, rootMargin: '200px 0px' });
for (const page of pages.children) near.observe(page);
async function work() { if (busy) return; busy = true; for (let page; (page = queue.shift()); ) { if (page.firstChild) continue; const lines = await (await fetch('page-' + page.dataset.at + '.json?wait=120')).json(); const canvas = Object.assign(document.createElement('canvas'), { width: 560, height: 300 }), context = canvas.getContext('2d'); context.fillStyle = '#fff'; context.fillRect(0, 0, 560, 300); context.fillStyle = '#222'; context.font = '16px serif'; lines.forEach((line, at) => context.fillText(line, 40, 50 + at * 26)); page.replaceChildren(canvas); } busy = false; }
pages.addEventListener('scroll', () => { now.textContent = Math.floor((pages.scrollTop + 150) / 320) + 1; });</script>`,
          'html,body{height:100%}body{display:flex;flex-direction:column}#bar{padding:8px 16px;background:#444;color:#fff}#pages{flex:1;overflow:auto;background:#888;padding:10px}.page{width:560px;height:300px;margin:0 auto 20px;background:#fff}canvas{display:block}',
        ),
        ...Object.fromEntries(
          Array.from({ length: 12 }, (_, at) => [
            `page-${at + 1}.json`,
            JSON.stringify(
              Array.from({ length: 9 }, (_, line) =>
                at === 9 && line === 6 ? 'The motion was «carried by 9 to 4|rejected by 7 to 6».' : say(at + line, 8),
              ),
            ),
          ]),
        ),
      },
      visitor: { waitMs: 1000, ...inFrame('.viewer') },
    },
    // A notebook: each output is a document without an origin, which is written when its cell has run.
    'sixth-frame-notebook': {
      body: `${style('.cell{margin-bottom:16px;border-left:3px solid #69c;padding-left:12px}pre{margin:0;padding:12px;background:#f5f5f5}.out{width:100%;height:0;border:0;display:block}')}${TOP}<main class="wrap" id="book"><h1>Tides</h1></main>${FOOTER}<script>
const frames = new Map();
addEventListener('message', ({ data, source }) => { const frame = frames.get(source); if (frame && data.height) frame.style.height = data.height + 'px'; });
(async () => { const cells = await (await fetch('cells.json?wait=300')).json();
  cells.forEach(({ code }, at) => { book.insertAdjacentHTML('beforeend', '<div class="cell" id="' + (at === 8 ? 'change' : 'cell-' + at) + '"><pre></pre></div>'); book.lastElementChild.firstChild.textContent = code; });
  for (const [at, { html }] of cells.entries()) { await new Promise((done) => setTimeout(done, 140)); const frame = document.createElement('iframe'); frame.className = 'out'; frame.setAttribute('sandbox', 'allow-scripts');
    frame.srcdoc = '<!doctype html><style>body{margin:0;padding:12px;font:14px sans-serif}</style><div id="o">' + html + '</div><script>new ResizeObserver(() => parent.postMessage({ height: document.documentElement.offsetHeight }, "*")).observe(document.documentElement)<\\/script>';
    book.querySelectorAll('.cell')[at].append(frame); frames.set(frame.contentWindow, frame); } })();</script>`,
      files: {
        'cells.json': JSON.stringify(
          Array.from({ length: 11 }, (_, at) => ({
            code: `tides.plot(day=${at + 1})\nprint(mean(tides))`,
            html: `<svg width="600" height="180">${each(12, (bar) => `<rect x="${bar * 45}" y="${180 - 20 - ((bar * at * 17) % 150)}" width="34" height="${at === 8 && bar === 9 ? '«40|46»' : 20 + ((bar * at * 17) % 150)}" fill="#57a"/>`)}</svg><p>${say(at, 6)}</p>`,
          })),
        ),
      },
    },
    // A frame in the slot of a shell that the server wrote with its shadow tree.
    'sixth-frame-slot-server': {
      body: `<style>html,body{height:100%;margin:0}</style><app-shell><template shadowrootmode="open"><style>:host{display:grid;grid-template-columns:240px 1fr;height:100%}nav{background:#234;color:#fff;padding:20px}div{overflow-y:auto;scrollbar-gutter:stable both-edges;padding:24px}::slotted(iframe){width:100%;height:340px;border:0;margin-top:24px}</style><nav>Menu</nav><div><slot></slot><slot name="widget"></slot></div></template>${chapters(4, 14)}<iframe slot="widget" loading="lazy" src="widget.html?wait=200" title="Tide"></iframe></app-shell>`,
      files: {
        'widget.html': inner(
          `<div id="change"><h2>Tides</h2><p id="text">Loading</p></div><script>
const seen = new IntersectionObserver(async ([one]) => { if (!one.isIntersecting) return; seen.disconnect(); text.textContent = await (await fetch('tide.txt?wait=700')).text(); });
seen.observe(change);</script>`,
          '#change{padding:24px;background:#e7f1f6;height:300px}',
        ),
        'tide.txt': 'High water at 6:10 and 18:«35|53, a storm tide»',
      },
      visitor: { toEnd: true, ...inFrame() },
    },
    // The state of a service at the end of a page, in a frame that reloads itself.
    'sixth-frame-status-refresh': {
      body: `${style('.state{width:320px;height:70px;border:0;float:right}')}${TOP}<main class="wrap"><h1>${say(7, 5)}</h1>${chapters(6, 17)}</main><footer>Northport Gazette<iframe class="state" src="{other}/state-1.html" title="State"></iframe></footer>`,
      files: {
        'state-1.html':
          '<!doctype html><meta http-equiv="refresh" content="1;url=state-2.html"><body style="font:14px sans-serif">Asking the service',
        'state-2.html':
          '<!doctype html><meta http-equiv="refresh" content="1;url=state-3.html?wait=300"><body style="font:14px sans-serif">Nearly there',
        'state-3.html':
          '<!doctype html><body style="font:14px sans-serif"><span id="change"><i style="display:inline-block;width:14px;height:14px;border-radius:50%;background:«#2a2|#c90»"></i> «All services run|Ferry bookings are slow»</span>',
      },
      visitor: { see: '.state' },
    },
    // The window of a chat comes when the page is done, and opens itself with a greeting.
    'sixth-frame-greeting': {
      body: `${style('#chat{position:fixed;right:20px;bottom:20px;width:64px;height:64px;border-radius:32px;overflow:hidden;box-shadow:0 4px 16px #0004;transition:width .3s,height .3s,border-radius .3s;z-index:99}#chat.open{width:340px;height:230px;border-radius:12px}#chat iframe{width:100%;height:100%;border:0}')}${TOP}<main class="wrap"><h1>${say(1, 6)}</h1>${chapters(6, 21)}</main>${FOOTER}<script>
addEventListener('load', () => setTimeout(() => document.head.append(Object.assign(document.createElement('script'), { src: '{other}/chat.js?wait=400', async: true })), 700));</script>`,
      files: {
        'chat.js': `(() => { const box = Object.assign(document.createElement('div'), { id: 'chat' }), origin = new URL(document.currentScript.src).origin, frame = Object.assign(document.createElement('iframe'), { src: document.currentScript.src.replace(/chat[.]js.*/, 'messenger.html'), allow: 'clipboard-read', title: 'Chat' });
box.append(frame); document.body.append(box);
addEventListener('message', ({ data, origin: from }) => { if (from === origin && data.type === 'open') box.classList.add('open'); }); })();`,
        'messenger.html': inner(
          `<div id="change"></div><script>fetch('greeting.json?wait=500').then((answer) => answer.json()).then(({ by, text }) => { change.innerHTML = '<b>' + by + '</b><p>' + text + '</p><button>Answer</button>'; parent.postMessage({ type: 'open' }, '*'); });</script>`,
          'html{background:#fff}#change{padding:20px;width:340px}',
        ),
        'greeting.json':
          '{"by":"Hana from Northport","text":"Hello. Our office is «open until 6 pm|closed today». Ask me here."}',
      },
      visitor: { see: '#chat', waitMs: 1500 },
    },
    // A dashboard: each panel is a frame of the same site, and draws its chart when it is near.
    'sixth-frame-panels': {
      body: `${style('html,body{height:100%;overflow:hidden}body{display:flex;flex-direction:column}main{flex:1;min-height:0;overflow:auto;padding:16px;display:grid;grid-template-columns:1fr 1fr;gap:16px;background:#111720}iframe{width:100%;height:300px;border:0}')}${TOP}<main>${each(12, (at) => `<iframe${at === 11 ? ' id="eleven"' : ''} loading="lazy" src="panel.html?id=${at}" title="Panel ${at}"></iframe>`)}</main>`,
      files: {
        'panel.html': writeDocument(
          ['uplot/dist/uPlot.min.css', 'uplot/dist/uPlot.iife.min.js'],
          `<style>html,body{height:100%;overflow:hidden;background:#1b222c;color:#ccd}h4{margin:0;padding:8px 12px}</style><h4>&nbsp;</h4><div id="change"></div><script>
(async () => { const id = new URLSearchParams(location.search).get('id'); const { title, color, values } = await (await fetch('panel-' + id + '.json?wait=250')).json(); document.querySelector('h4').textContent = title;
  const plot = () => new uPlot({ width: innerWidth - 20, height: 250, legend: { show: false }, cursor: { show: false }, scales: { x: { time: false } }, axes: [{ stroke: '#ccd' }, { stroke: '#ccd' }], series: [{}, { stroke: color, width: 2, fill: color + '44' }] }, [values.map((_, at) => at), values], change);
  requestAnimationFrame(plot); })();</script>`,
        ),
        ...Object.fromEntries(
          Array.from({ length: 12 }, (_, at) => [
            `panel-${at + 1}.json`,
            `{"title":"${say(at, 2)}","color":"${at === 10 ? '«#3a8fd0|#3ad08f»' : '#e0a030'}","values":[${Array.from({ length: 30 }, (_, x) => 40 + ((x * (at + 3) * 7) % 50)).join(',')}]}`,
          ]),
        ),
      },
      visitor: { see: '#eleven' },
    },
    // The bank asks for a confirmation: a form is sent into a frame, whose document sends another form.
    'sixth-frame-challenge': {
      body: `${style('.veil{position:fixed;inset:0;background:#0007;display:grid;place-items:center}.veil iframe{width:500px;height:400px;border:0;background:#fff;border-radius:8px}')}${TOP}<main class="wrap"><h1>Payment</h1>${chapters(5, 9)}</main>${FOOTER}<script>
setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<div class="veil"><iframe name="challenge" title="Bank"></iframe></div><form method="post" target="challenge" action="{other}/challenge.html?wait=300"><input type="hidden" name="creq" value="eyJ0"></form>'); document.body.lastElementChild.submit(); }, 900);</script>`,
      files: {
        'challenge.html':
          '<!doctype html><body onload="setTimeout(() => document.forms[0].submit(), 400)"><form method="post" action="confirm.html?wait=500"></form><p>Please wait</p>',
        'confirm.html': inner(
          `<div id="change"><h2>Bank of Northport</h2><p>Merchant: Ferry Line</p><p><b style="font-size:24px">Amount: «48.00|849.50» EUR</b></p><button>Confirm in the app</button></div>`,
          '#change{padding:32px}',
        ),
      },
      visitor: { see: '.veil iframe', waitMs: 2200 },
    },
    // The old web in a frame: panes of a frameset, one of which scrolls.
    'sixth-frame-frameset': {
      body: `<h1>Specimen</h1><iframe src="frameset.html" width="1200" height="560"></iframe>`,
      files: {
        'frameset.html':
          '<!doctype html><html><frameset cols="220,*"><frame src="list.html"><frameset rows="70,*"><frame src="head.html"><frame name="main" src="main.html?wait=600"></frameset></frameset></html>',
        'list.html': inner(each(60, (at) => `<p>${say(at, 1)}</p>`)),
        'head.html': inner('<h2>Package harbour</h2>'),
        'main.html': inner(
          `${chapters(5, 2)}<p id="change" style="padding:20px">Since version «1.4|2.0, and not in 3»</p>${paragraphs(1)}`,
        ),
      },
      visitor: { over: [700, 450], see: `iframe${ENTER}frame[name=main]${ENTER}#change` },
    },
    // Small pictures of sites, each a page that is made smaller.
    'sixth-frame-thumbnails': {
      body: `${style('.thumb{width:360px;height:270px;overflow:hidden;border:1px solid #bbb}.thumb iframe{width:1200px;height:900px;border:0;scale:.3;transform-origin:0 0;pointer-events:none}.grid{padding:24px}')}<h1>Specimen</h1><div style="height:1000px;background:#eef"></div><div class="grid">${each(6, (at) => `<div><div class="thumb"${at === 6 ? ' id="change"' : ''}><iframe loading="lazy" scrolling="no" inert src="{other}/site.html?theme=${at}"></iframe></div><p>Theme ${at}</p></div>`)}</div>`,
      files: {
        'site.html': inner(
          `<header class="top"><b>Theme</b></header><div class="wrap"><h1>${say(4, 4)}</h1>${paragraphs(3)}<div class="grid" id="cards"></div></div><script>
const theme = new URLSearchParams(location.search).get('theme');
fetch('theme-' + theme + '.json?wait=300').then((answer) => answer.json()).then(({ color }) => { cards.innerHTML = '<div class="card" style="height:260px;background:' + color + '"></div>'.repeat(3); });</script>`,
        ),
        ...Object.fromEntries(
          [1, 2, 3, 4, 5, 6].map((at) => [
            `theme-${at}.json`,
            `{"color":"${at === 6 ? '«#e8b04a|#e88a4a»' : '#9ab'}"}`,
          ]),
        ),
      },
    },
    // A lazy frame with its document in an attribute, in a part that has no size until it is near.
    'sixth-frame-skipped-part': {
      body: `<style>.part{content-visibility:auto;contain-intrinsic-size:1px 20px}</style><h1>Specimen</h1><div class="tall"></div>${each(5, (at) => `<div class="part"><h2>Part ${at}</h2><p>${say(at, 120)}</p></div>`)}<div class="part"><iframe loading="lazy" sandbox="allow-scripts" width="600" height="200" srcdoc="${quote('<body style="margin:0;font:20px sans-serif"><div id="change" style="height:180px;padding:10px;background:#def">Loading</div><script>setTimeout(() => { change.textContent = "Ship «Anna|Berta» is in port"; }, 1300)</script>')}"></iframe></div>`,
      visitor: { ...inFrame(), toEnd: true },
    },
    // A frame whose own window scrolls, and which asks for more at its end.
    'sixth-frame-endless': {
      body: `<h1>Specimen</h1><iframe src="{other}/list.html" width="700" height="420" style="margin:0 40px;border:2px solid #999"></iframe>`,
      files: {
        'list.html': inner(
          `<div id="list"></div><div id="end">More</div><script>
let page = 1;
new IntersectionObserver(async ([one], observer) => { if (!one.isIntersecting) return; observer.unobserve(end); const all = await (await fetch('items-' + page + '.json?wait=200')).json(); for (const [at, text] of all.entries()) { const row = document.createElement('div'); row.className = 'row'; row.textContent = text; if (page === 4 && at === 6) row.id = 'change'; list.append(row); } if (++page <= 4) observer.observe(end); else end.textContent = 'That is all'; }).observe(end);</script>`,
          '.row{padding:14px;border-bottom:1px solid #ddd}#end{padding:20px}',
        ),
        ...Object.fromEntries(
          [1, 2, 3, 4].map((page) => [
            `items-${page}.json`,
            JSON.stringify(
              Array.from({ length: 12 }, (_, at) =>
                page === 4 && at === 6 ? 'Berth 46: «free|taken by Anna»' : say(page * 5 + at, 6),
              ),
            ),
          ]),
        ),
      },
      visitor: { over: [400, 300], waitMs: 1000, toEnd: true, ...inFrame() },
    },
    // A frame that is hidden until it says that it is ready, and that draws when it gets a size.
    'sixth-frame-unhidden': {
      body: `<h1>Specimen</h1><p id="wait">Please wait</p><iframe hidden src="{other}/chart.html" width="800" height="360"></iframe><script>
addEventListener('message', ({ data }) => { if (data !== 'ready') return; document.querySelector('iframe').hidden = false; document.querySelector('#wait').remove(); });</script>`,
      files: {
        'chart.html': `<!doctype html><style>body{margin:0}canvas{display:block;width:100vw;height:100vh}</style><canvas id="change"></canvas><script>
const values = [80, 140, 60, «200|212», 120];
new ResizeObserver(() => { const { clientWidth: width, clientHeight: height } = change; if (!width) return; setTimeout(() => { change.width = width; change.height = height; const context = change.getContext('2d'); context.fillStyle = '#486'; values.forEach((value, at) => context.fillRect(30 + at * 150, height - value, 110, value)); }, 500); }).observe(change);
setTimeout(() => parent.postMessage('ready', '*'), 1500);</script>`,
      },
      visitor: { see: 'iframe', waitMs: 1800 },
    },
  },
  'unseen 6: areas that scroll': {
    // A grid of cells that exist where they are in view, in both directions.
    'sixth-area-react-window': {
      load: [
        'react/umd/react.production.min.js',
        'react-dom/umd/react-dom.production.min.js',
        'react-window/dist/index-prod.umd.js',
      ],
      body: `${style('#root{padding:24px}.c{border-right:1px solid #e4e4e4;border-bottom:1px solid #e4e4e4;padding:8px 12px;white-space:nowrap;overflow:hidden}.c.odd{background:#f7f9fb}')}${TOP}<div id="root"></div><script>
const { createElement: h, useEffect, useState } = React;
const Cell = ({ columnIndex: x, rowIndex: y, style, data }) => h('div', { style, className: y % 2 ? 'c odd' : 'c', id: x === 26 && y === 142 ? 'change' : undefined }, data[y + '-' + x] ?? (x === 0 ? 'Row ' + (y + 1) : (x * y * 7) % 1000));
function Sheet() { const [data, take] = useState(); useEffect(() => { fetch('special.json?wait=300').then((answer) => answer.json()).then(take); }, []);
  return data ? h(ReactWindow.FixedSizeGrid, { className: 'sheet', columnCount: 28, columnWidth: 120, rowCount: 148, rowHeight: 36, width: 1000, height: 540, itemData: data, overscanRowCount: 2 }, Cell) : h('p', null, 'Loading'); }
ReactDOM.createRoot(document.querySelector('#root')).render(h(Sheet));</script>`,
      files: { 'special.json': '{"142-26":"«12.5 %|−12.5 %»","3-2":"total"}' },
      visitor: { over: [500, 400], turn: [150, 200], waitMs: 600 },
    },
    // A spreadsheet, with a total in one of its last rows.
    'sixth-area-handsontable': {
      load: [
        'handsontable/dist/handsontable.full.min.js',
        'handsontable/styles/handsontable.min.css',
        'handsontable/styles/ht-theme-main.min.css',
      ],
      body: `${style('#sheet{margin:24px}')}${TOP}<div id="sheet" class="ht-theme-main"></div><script>
const names = ${JSON.stringify(Array.from({ length: 12 }, (_, at) => say(at, 2)))};
const data = Array.from({ length: 160 }, (_, y) => [names[y % 12], ...Array.from({ length: 7 }, (_, x) => (y * (x + 3) * 17) % 900)]);
data[152][3] = '«4,120|overdrawn, 88,720»';
new Handsontable(document.querySelector('#sheet'), { data, rowHeaders: true, colHeaders: true, width: 1100, height: 480, readOnly: true, licenseKey: 'non-commercial-and-evaluation' });</script>`,
      visitor: { see: '#sheet', over: [500, 350], toEnd: true },
    },
    // A file in an editor: one letter, far below.
    'sixth-area-ace': {
      load: ['ace-builds/src-min-noconflict/ace.js', 'ace-builds/src-min-noconflict/mode-javascript.js'],
      body: `${style('#editor{width:900px;height:460px;margin:24px;border:1px solid #999;font-size:14px}')}${TOP}<div id="editor"></div>${FOOTER}<script>
ace.config.set('useWorker', false);
const editor = ace.edit('editor', { mode: 'ace/mode/javascript', readOnly: true, useWorker: false, showPrintMargin: false, highlightActiveLine: false });
fetch('code.js?wait=400').then((answer) => answer.text()).then((text) => { editor.session.setValue(text); editor.clearSelection(); });</script>`,
      files: {
        'code.js': each(60, (at) =>
          at === 58
            ? 'export function tide«Morning|Evening»(port) {\n  return ports[port];\n}\n'
            : `export function step${at}(value) {\n  return value * ${at};\n}\n`,
        ),
      },
      visitor: { see: '#editor', over: [450, 300], waitMs: 600, toEnd: true },
    },
    // The log of a build in a terminal: it is at its end, and the change is in what has gone by.
    'sixth-area-terminal': {
      load: ['@xterm/xterm/css/xterm.css', '@xterm/xterm/lib/xterm.js'],
      body: `${style('#term{margin:24px;padding:8px;background:#000;width:900px}')}${TOP}<h1 style="margin:24px">Build 812</h1><div id="term"></div><script>
const term = new Terminal({ cols: 100, rows: 26, scrollback: 500, cursorBlink: false, disableStdin: true });
term.open(document.querySelector('#term'));
fetch('log.txt?wait=300').then((answer) => answer.text()).then((text) => { for (const line of text.split('\\n')) term.writeln(line); });</script>`,
      files: {
        'log.txt': each(120, (at) =>
          at === 9
            ? '\u001b[33mwarning\u001b[0m: «2|14» packages are old, «run|and 3 are unsafe: run» update'
            : `[${at}] ${say(at, 6)}`,
        ),
      },
      visitor: { see: '#term', over: [450, 350], turn: [0, -200], waitMs: 1000, toEnd: true },
    },
    // A table that a plugin gives a body of its own, under a head that stays.
    'sixth-area-datatables': {
      load: ['jquery/dist/jquery.min.js', 'datatables.net/js/dataTables.min.js'],
      body: `${style('.dt-container{margin:24px}table{width:100%;border-collapse:collapse}td,th{padding:8px;border-bottom:1px solid #ddd;text-align:left}.dt-scroll-body{border-bottom:1px solid #888}')}${TOP}<table id="table"></table><div class="wrap">${chapters(4, 7)}</div>${FOOTER}<script>
$.getJSON('members.json?wait=400', (data) => { new DataTable('#table', { data, paging: false, scrollY: '380px', scrollCollapse: true, deferRender: true, order: [], columns: [{ title: 'Nr.' }, { title: 'Name' }, { title: 'Since' }, { title: 'State' }], createdRow: (row, [id]) => { if (id === 92) row.id = 'change'; } }); });</script>`,
      files: {
        'members.json': `[${Array.from({ length: 100 }, (_, at) => `[${at + 1},"${people[at % 8]} ${say(at, 1)}",${1980 + (at % 40)},"${at === 91 ? '«active|has left»' : 'active'}"]`).join(',')}]`,
      },
      visitor: { over: [640, 350], waitMs: 700 },
    },
    // Who works when: groups below each other in a timeline, more than it has room for.
    'sixth-area-vis-timeline': {
      load: [
        'vis-timeline/styles/vis-timeline-graph2d.min.css',
        'vis-timeline/standalone/umd/vis-timeline-graph2d.min.js',
      ],
      body: `${style('#timeline{margin:24px}')}${TOP}<h1 style="margin:24px">Shifts</h1><div id="timeline"></div><script>
fetch('shifts.json?wait=300').then((answer) => answer.json()).then(({ groups, items }) => { new vis.Timeline(timeline, new vis.DataSet(items), new vis.DataSet(groups), { start: '2024-03-04', end: '2024-03-11', height: 440, verticalScroll: true, horizontalScroll: false, zoomable: false, showCurrentTime: false, stack: false, orientation: 'top' }); });
const timeline = document.getElementById('timeline');</script>`,
      files: {
        'shifts.json': `{"groups":[${Array.from({ length: 26 }, (_, at) => `{"id":${at},"content":"${people[at % 8]} ${at + 1}"}`).join(',')}],"items":[${Array.from({ length: 26 }, (_, at) => `{"id":${at},"group":${at},"content":"${at === 23 ? '«Night, pier 3|Sick, no cover»' : say(at, 2)}","start":"2024-03-0${5 + (at % 4)}","end":"2024-03-0${7 + (at % 3)}"}`).join(',')}]}`,
      },
      visitor: { see: '#timeline', over: [700, 400], waitMs: 900, toEnd: true },
    },
    // A plan of a project: its last steps are far to the right.
    'sixth-area-gantt': {
      load: ['frappe-gantt/dist/frappe-gantt.css', 'frappe-gantt/dist/frappe-gantt.umd.js'],
      body: `${style('.frame{margin:24px;border:1px solid #ddd}')}${TOP}<h1 style="margin:24px">New ferry</h1><div class="frame"><div id="gantt"></div></div><div class="wrap">${chapters(2, 5)}</div>${FOOTER}<script>
const tasks = ${JSON.stringify(
        Array.from({ length: 8 }, (_, at) => ({
          id: `t${at}`,
          name: at === 7 ? '«Maiden voyage|Postponed»' : say(at, 2),
          start: new Date(Date.UTC(2024, 0, 3 + at * 9)).toISOString().slice(0, 10),
          end: new Date(Date.UTC(2024, 0, 12 + at * 9)).toISOString().slice(0, 10),
          progress: 50,
        })),
      )};
new Gantt('#gantt', tasks, { view_mode: 'Day', scroll_to: 'start', infinite_padding: false, today_button: false, readonly: true, popup: false });</script>`,
      visitor: { see: '.frame', over: [640, 300], turn: [200, 0], toEnd: true },
    },
    // A dashboard of tiles: the list in the last one is longer than its tile.
    'sixth-area-gridstack': {
      load: ['gridstack/dist/gridstack.min.css', 'gridstack/dist/gridstack-all.js'],
      body: `${style('html,body{height:100%;overflow:hidden}body{display:grid;grid-template:52px 1fr/200px minmax(0,1fr)}.top{grid-column:1/3}nav.side{background:#26323f}main{overflow-y:auto;background:#eef1f4}.grid-stack-item-content{background:#fff;border:1px solid #ddd;border-radius:8px;padding:12px}.line{padding:9px 0;border-bottom:1px solid #eee}')}${TOP}<nav class="side"></nav><main><div class="grid-stack"></div></main><script>
const grid = GridStack.init({ staticGrid: true, cellHeight: 110, margin: 8, animate: false });
(async () => { const tiles = await (await fetch('tiles.json?wait=300')).json();
  for (const { x, y, w, h, title, list } of tiles) { const item = grid.addWidget({ x, y, w, h }); const content = item.querySelector('.grid-stack-item-content'); content.innerHTML = '<h3>' + title + '</h3>' + list.map((text) => '<div class="line">' + text + '</div>').join(''); if (list.length > 5) { content.lastElementChild.previousElementSibling.id = 'change'; } } })();</script>`,
      files: {
        'tiles.json': JSON.stringify([
          ...Array.from({ length: 9 }, (_, at) => ({
            x: (at % 3) * 4,
            y: Math.floor(at / 3) * 2,
            w: 4,
            h: 2,
            title: say(at, 2),
            list: [say(at, 4), say(at + 3, 5)],
          })),
          {
            x: 0,
            y: 6,
            w: 12,
            h: 4,
            title: 'Alerts',
            list: Array.from({ length: 24 }, (_, at) =>
              at === 22 ? 'Pump 4: «normal|too hot, 91 °C»' : say(at + 6, 8),
            ),
          },
        ]),
      },
      visitor: { over: [740, 400] },
    },
    // A board that moves sideways, with columns that load more cards at their end.
    'sixth-area-board': {
      body: `${style('html,body{height:100%;overflow:hidden}body{display:flex;flex-direction:column}#board{flex:1;min-height:0;display:flex;gap:16px;padding:16px;overflow-x:auto;overflow-y:hidden;background:#dfe6ee}.col{flex:0 0 280px;display:flex;flex-direction:column;max-height:100%;border-radius:10px;background:#f2f4f7}.col h3{margin:0;padding:12px}.cards{overflow-y:auto;min-height:0;padding:0 12px}.cards .card{margin-bottom:10px;min-height:84px}.more{height:30px}')}${TOP}<div id="board"></div><script>
for (let at = 1; at <= 9; at++) { board.insertAdjacentHTML('beforeend', '<section class="col"><h3>List ' + at + '</h3><div class="cards"><div class="more"></div></div></section>');
  const list = board.lastElementChild.lastElementChild, more = list.firstElementChild; let page = 1;
  new IntersectionObserver(async ([one], observer) => { if (!one.isIntersecting) return; observer.unobserve(more); const { cards, next } = await (await fetch('cards.json?wait=150&list=' + at + '&page=' + page)).json(); for (const [index, text] of cards.entries()) { const card = document.createElement('article'); card.className = 'card'; card.textContent = page + '.' + (index + 1) + ' ' + text; if (at === 7 && page === 3 && index === 5) { card.id = 'change'; card.append(document.createElement('br'), '«Due in May|Due in June»'); } more.before(card); } if (page++ < next) observer.observe(more); else more.remove(); }, { root: list, rootMargin: '60px 0px' }).observe(more); }</script>`,
      files: { 'cards.json': JSON.stringify({ next: 3, cards: Array.from({ length: 8 }, (_, at) => say(at, 5)) }) },
      visitor: { over: [640, 400], turn: [250, 200], turns: 25 },
    },
    // A week in a calendar. It opens at eight in the morning, and something is at night.
    'sixth-area-week': {
      body: `${style('html,body{height:100%;overflow:hidden}body{display:flex;flex-direction:column}#week{flex:1;min-height:0;overflow:auto;position:relative}.days{position:sticky;top:0;z-index:3;display:grid;grid-template-columns:60px repeat(7,1fr);background:#fff;border-bottom:1px solid #ccc}.days b{padding:10px}.body{position:relative;display:grid;grid-template-columns:60px repeat(7,1fr);height:1440px;background:repeating-linear-gradient(#fff 0 59px,#e4e4e4 59px 60px)}.hours{position:sticky;left:0;background:#fff}.hours span{position:absolute;font-size:12px}.day{position:relative;border-left:1px solid #e4e4e4}.event{position:absolute;left:4px;right:4px;padding:4px 8px;border-radius:6px;background:#cfe0f7;font-size:13px;overflow:hidden}')}${TOP}<div id="week"><div class="days"><b></b>${['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => `<b>${day}</b>`).join('')}</div><div class="body"><div class="hours">${each(24, (at) => `<span style="top:${(at - 1) * 60}px">${at - 1}:00</span>`)}</div>${repeat(7, '<div class="day" data-day="#"></div>')}</div></div><script>
week.scrollTop = 8 * 60;
fetch('week.json?wait=350').then((answer) => answer.json()).then((all) => { for (const { day, at, minutes, title, night } of all) { const one = document.createElement('div'); one.className = 'event'; if (night) one.id = 'change'; one.style.cssText = 'top:' + at + 'px;height:' + minutes + 'px'; one.textContent = title; document.querySelector('[data-day="' + day + '"]').append(one); } });</script>`,
      files: {
        'week.json': `[{"day":4,"at":70,"minutes":«58|88»,"title":"Server update","night":true},${Array.from({ length: 14 }, (_, at) => `{"day":${1 + (at % 7)},"at":${540 + ((at * 97) % 400)},"minutes":50,"title":"${say(at, 2)}"}`).join(',')}]`,
      },
      visitor: { over: [640, 450], turn: [0, -200], waitMs: 600 },
    },
    // An editor in the browser: the panel below it has a list that is longer than itself.
    'sixth-area-problems': {
      body: `${style('html,body{height:100%;overflow:hidden}body{display:grid;grid-template:36px minmax(0,1fr) 150px 24px/48px 230px minmax(0,1fr);font:13px/1.5 sans-serif}.bar{grid-column:1/4;background:#333;color:#ccc;padding:8px}.icons{grid-row:2/4;background:#2b2b2b}.files{grid-row:2/4;overflow:auto;background:#f3f3f3;padding:8px}.files p{margin:0}.code{overflow:auto;font:13px/20px monospace;padding:8px;white-space:pre}.panel{display:flex;flex-direction:column;border-top:1px solid #ccc;min-height:0}.panel b{padding:6px 12px}.list{flex:1;min-height:0;overflow-y:auto;scrollbar-width:thin}.list div{padding:2px 12px}.state{grid-column:1/4;background:#07c;color:#fff;padding:3px 12px}')}<div class="bar">Northport</div><div class="icons"></div><div class="files">${each(60, (at) => `<p>${say(at, 1).toLowerCase()}.ts</p>`)}</div><div class="code">${each(120, (at) => `const value${at} = ${at * 7};`)}</div><div class="panel"><b>Problems</b><div class="list" id="list"></div></div><div class="state">main</div><script>
setTimeout(async () => { const all = await (await fetch('problems.json?wait=400')).json(); list.innerHTML = all.map(({ line, text }, at) => '<div' + (at === 20 ? ' id="change"' : '') + '>' + text + ' <i>[' + line + ']</i></div>').join(''); }, 500);</script>`,
      files: {
        'problems.json': JSON.stringify(
          Array.from({ length: 23 }, (_, at) => ({
            line: at * 5,
            text: at === 20 ? "Property 'tide' does not exist on type '«Port|Boat»'" : say(at, 8),
          })),
        ),
      },
      visitor: { over: [800, 650], turn: [0, 60], waitMs: 1200 },
    },
    // Long formulas move sideways, each by itself. A sign at the end of the last one.
    'sixth-area-formula': {
      load: ['katex/dist/katex.min.css', 'katex/dist/katex.min.js'],
      body: `${style('.eq{font-size:22px;margin:24px 0;padding:12px;overflow-x:auto;overflow-y:hidden;background:#f8f8f4}')}${TOP}<main class="wrap"><h1>Tides, explained</h1>${each(4, (at) => `${chapters(1, at)}<div class="eq" data-last="${at === 4 ? '«+ \\rho_{17} \\cos|- \\lambda_{17} \\tanh»(\\omega t) = 0' : '= 1'}"></div>`)}</main><footer style="height:310px;padding-top:24px">Northport Gazette</footer><script>
for (const place of document.querySelectorAll('.eq')) { const terms = Array.from({ length: 16 }, (_, at) => '\\\\frac{a_{' + (at + 1) + '}}{x^{' + (at + 2) + '}}').join(' + '); katex.render(terms + ' ' + place.dataset.last, place, { displayMode: true, throwOnError: false }); }
const last = [...document.querySelectorAll('.eq')].at(-1); last.id = 'change';</script>`,
      visitor: { turn: [100, 200], toEnd: true },
    },
    // A novel in lines from the top down: one reads it from the right to the left.
    'sixth-area-vertical-lines': {
      body: `${style('#novel{width:900px;height:460px;margin:24px;padding:16px;overflow:auto;writing-mode:vertical-rl;border:1px solid #999}')}<h1>Specimen</h1><div id="novel">${paragraphs(16, 3)}<p id="change">The end came in «May|June», with «rain|wind».</p>${paragraphs(1, 5)}</div>`,
      visitor: { over: [450, 350], turn: [-150, 0] },
    },
    // An area in an area that sticks, in an area that does not show its bar: a line gets 2 px thicker.
    'sixth-area-thicker-line': {
      body: `${style('.outer{height:500px;margin:0 24px;overflow-y:auto;display:grid;grid-template-columns:1fr 320px;border:1px solid #999}.side{position:sticky;top:0;height:300px;overflow:clip}.list{height:100%;overflow-y:scroll;scrollbar-width:none;background:#f4f4f4}.list div{padding:10px;margin:4px;border-bottom:1px solid #ccc}')}<h1>Specimen</h1><div class="outer"><div style="height:1500px;background:linear-gradient(#fff,#dde)"></div><div><div class="side"><div class="list">${repeat(30, '<div>Line #</div>')}<div id="change" style="border-bottom:«2|4»px solid #333">Sum</div></div></div></div></div><div class="tall"></div>`,
      visitor: { over: [1080, 300], turn: [0, 120] },
    },
    // A wall of pictures that snaps in both directions, one tile at a time.
    'sixth-area-wall': {
      body: `${style('#wall{width:600px;height:400px;margin:24px;overflow:scroll;scroll-snap-type:both mandatory;display:grid;grid-template-columns:repeat(4,600px);grid-auto-rows:400px}#wall div{scroll-snap-align:center;scroll-snap-stop:always;padding:20px;font-size:40px}')}<h1>Specimen</h1><div id="wall">${each(16, (at) => `<div style="background:hsl(${at * 21} 45% 80%)">${at}${at === 16 ? '<span id="change" style="display:block;width:200px;height:60px;margin-top:240px;background:«#3a6ea8|#3a9a6e»"></span>' : ''}</div>`)}</div>`,
      visitor: { over: [300, 300], turn: [300, 300], see: '#wall', turns: 30 },
    },
  },
  'unseen 6: data that comes late': {
    // A cache of queries: what is known is shown, and asked for again. The first answer is a failure, and it tries again.
    'sixth-late-query-cache': {
      body: `${style('')}${TOP}<main class="wrap"><h1>Prices</h1>${chapters(2, 6)}<div class="card" id="change" style="min-height:120px">Loading</div>${chapters(2, 3)}</main>${FOOTER}<script>globalThis.process = { env: { NODE_ENV: 'production' } };</script><script type="module">
import { QueryClient, QueryObserver } from '/lib/@tanstack/query-core/build/modern/index.js';
const client = new QueryClient(); let turn = 0;
client.setQueryData(['price'], { from: 'the cache', price: 40 }, { updatedAt: 1 });
const observer = new QueryObserver(client, { queryKey: ['price'], retryDelay: 700, queryFn: async () => { const answer = await fetch(turn++ === 0 ? 'broken.json' : 'price.json?wait=500'); if (!answer.ok) throw new Error('failed'); return answer.json(); } });
observer.subscribe(({ data, isFetching }) => { change.innerHTML = '<b style="font-size:36px">' + data.price + ' EUR</b><p>from ' + data.from + '</p>' + (isFetching ? '<i>Updating</i>' : ''); });
</script>`,
      files: { 'price.json': '{"from":"the server","price":«48|84»}' },
    },
    // Parts of a page that a library brings when they come into view, and a part of such a part.
    'sixth-late-unpoly': {
      load: ['unpoly/unpoly.min.css', 'unpoly/unpoly.min.js'],
      body: `${style('#menu,#offers{min-height:160px}')}${TOP}<main class="wrap"><h1>Ferry</h1>${chapters(3, 16)}<div id="menu"><a href="menu.html" up-defer="reveal" up-target="#menu">Menu</a></div>${chapters(2, 9)}</main>${FOOTER}`,
      files: {
        'menu.html':
          '<div id="menu"><h2>On board</h2><p>Soup, bread, coffee</p><div id="offers"><a href="offers.html?wait=500" up-defer up-target="#offers">Offers</a></div></div>',
        'offers.html':
          '<div id="offers"><div class="card" id="change">Today: «fish soup, 7.50|pea stew, 9.80» EUR</div></div>',
      },
      visitor: { see: '#menu' },
    },
    // An app of a small framework: it asks for the list, then for each entry, then for the state of the last one.
    'sixth-late-mithril': {
      load: ['mithril/mithril.min.js'],
      body: `${style('.row{display:flex;justify-content:space-between;padding:12px;border-bottom:1px solid #ddd}')}${TOP}<main class="wrap" id="app"></main>${FOOTER}<script>
const rows = [];
const List = { oninit: async () => { const ids = await m.request('list.json?wait=300'); for (const id of ids) rows.push({ id }); await Promise.all(rows.map(async (row) => Object.assign(row, await m.request('boat-' + row.id + '.json?wait=' + (200 + row.id * 60))))); rows.at(-1).state = (await m.request('state.json?wait=400')).state; },
  view: () => [m('h1', 'Boats'), rows.map((row) => m('.row', { key: row.id, id: row.id === 6 ? 'change' : undefined }, m('b', row.name ?? '...'), m('span', row.state ?? '')))] };
m.mount(document.querySelector('#app'), List);</script>`,
      files: {
        'list.json': '[1,2,3,4,5,6]',
        ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((at) => [`boat-${at}.json`, `{"name":"${say(at, 2)}"}`])),
        'state.json': '{"state":"«in port|at sea»"}',
      },
    },
    // Attributes that bind: the page asks each half second until its order is there.
    'sixth-late-petite-vue': {
      load: ['petite-vue/dist/petite-vue.iife.js'],
      body: `${style('[v-cloak]{display:none}')}${TOP}<main class="wrap" v-scope v-cloak @vue:mounted="ask()"><h1>Your order</h1>${chapters(1, 2)}<div class="card" id="change"><p>{{ text }}</p><div v-if="done"><b>Seat {{ seat }}</b></div></div>${chapters(1, 4)}</main>${FOOTER}<script>
PetiteVue.createApp({ text: 'Queued', done: false, seat: '', turn: 1, async ask() { const { state, seat } = await (await fetch('order-' + this.turn + '.json?wait=100')).json(); this.text = state; if (seat) { this.seat = seat; this.done = true; } else { this.turn++; setTimeout(() => this.ask(), 600); } } }).mount();</script>`,
      files: {
        'order-1.json': '{"state":"Queued"}',
        'order-2.json': '{"state":"Queued"}',
        'order-3.json': '{"state":"Queued"}',
        'order-4.json': '{"state":"Confirmed","seat":"«14 C|41 D, window»"}',
      },
    },
    // Controllers on the markup of a server, which replace their part some time after they were connected.
    'sixth-late-stimulus': {
      load: ['@hotwired/stimulus/dist/stimulus.umd.js'],
      body: `${style('')}${TOP}<main class="wrap"><h1>Harbour</h1>${chapters(3, 11)}<section data-controller="loader" data-loader-url-value="wind.html?wait=300" data-loader-delay-value="900"><p>Wind</p></section>${chapters(3, 15)}</main>${FOOTER}<script>
const app = Stimulus.Application.start();
app.register('loader', class extends Stimulus.Controller { static values = { url: String, delay: Number }; connect() { new IntersectionObserver(([one], observer) => { if (!one.isIntersecting) return; observer.disconnect(); this.timer = setTimeout(() => this.load(), this.delayValue); }).observe(this.element); } async load() { this.element.innerHTML = await (await fetch(this.urlValue)).text(); } });
app.register('gauge', class extends Stimulus.Controller { static targets = ['bar']; connect() { requestAnimationFrame(() => { this.barTarget.style.width = this.element.dataset.value + '%'; }); } });</script>`,
      files: {
        'wind.html':
          '<div id="change" class="card" data-controller="gauge" data-value="«62|70»"><b>Wind</b><div style="height:20px;background:#eee"><div data-gauge-target="bar" style="width:0;height:100%;background:#38a;transition:width .6s"></div></div></div>',
      },
      visitor: { see: '[data-controller=loader]' },
    },
    // What the page hopes for is shown at once, and the server says something else.
    'sixth-late-optimistic': {
      load: ['react/umd/react.production.min.js', 'react-dom/umd/react-dom.production.min.js'],
      body: `${style('#change{font-size:30px}.pending{opacity:.6}')}${TOP}<div id="root"></div>${FOOTER}<script>
const { createElement: h, useEffect, useReducer } = React;
const reduce = (state, { type, seats }) => type === 'hope' ? { ...state, seats: state.seats - 2, pending: true } : { seats, pending: false };
function Trip() { const [{ seats, pending }, send] = useReducer(reduce, { seats: 20, pending: false });
  useEffect(() => { let alive = true; const timer = setTimeout(async () => { send({ type: 'hope' }); const answer = await (await fetch('reserve.json?wait=1800')).json(); if (alive) React.startTransition(() => send({ type: 'known', seats: answer.seats })); }, 300); return () => { alive = false; clearTimeout(timer); }; }, []);
  return h('main', { className: 'wrap' }, h('h1', null, 'Trip to Vik'), h('div', { id: 'change', className: pending ? 'card pending' : 'card' }, seats + ' seats are free')); }
ReactDOM.createRoot(document.querySelector('#root')).render(h(React.StrictMode, null, h(Trip)));</script>`,
      files: { 'reserve.json': '{"seats":«18|109»}' },
    },
    // An experiment hides the page until it knows its variant, or for a while. Then it writes the variant.
    'sixth-late-experiment': {
      body: `<style>.hide-all{opacity:0!important}</style><script>document.documentElement.classList.add('hide-all'); setTimeout(() => document.documentElement.classList.remove('hide-all'), 1200);</script><script async src="experiment.js?wait=1700"></script>${style('.cta{display:inline-block;padding:14px 24px;border-radius:6px;background:#246;color:#fff}')}${TOP}<main class="wrap"><h1>Winter cards</h1>${paragraphs(2)}<a class="cta" id="change">Order now</a>${chapters(4, 7)}</main>${FOOTER}`,
      files: {
        'experiment.js': `fetch('variant.json?wait=400').then((answer) => answer.json()).then(({ text, color }) => { const button = document.querySelector('.cta'); button.textContent = text; button.style.background = color; document.documentElement.classList.remove('hide-all'); });`,
        'variant.json': '{"text":"Get the card","color":"«#2f855a|#85402f»"}',
      },
    },
    // Prices in the money of the visitor: a script waits for rates, and watches for more prices.
    'sixth-late-currency': {
      body: `${style('')}${TOP}<main class="wrap" style="max-width:none"><h1>Lamps</h1><div class="grid" id="grid"></div></main>${FOOTER}<script>
const show = (node) => { if (!rates) return; for (const price of node.querySelectorAll('[data-eur]:not([data-done])')) { price.dataset.done = ''; price.textContent = new Intl.NumberFormat('de-CH', { style: 'currency', currency: 'CHF' }).format(price.dataset.eur * rates.CHF); } };
let rates;
new MutationObserver((all) => { for (const { target } of all) show(target); }).observe(grid, { childList: true });
fetch('rates.json?wait=1500').then((answer) => answer.json()).then((known) => { rates = known; show(grid); });
const add = (list) => grid.insertAdjacentHTML('beforeend', list.map(({ name, eur, last }) => '<article class="card"' + (last ? ' id="change"' : '') + '><h3>' + name + '</h3><b data-eur="' + eur + '">' + eur + ' EUR</b></article>').join(''));
(async () => { add(await (await fetch('first.json')).json()); add(await (await fetch('second.json?wait=2000')).json()); })();</script>`,
      files: {
        'rates.json': '{"CHF":0.95}',
        'first.json': JSON.stringify(Array.from({ length: 9 }, (_, at) => ({ name: say(at, 2), eur: 20 + at * 7 }))),
        'second.json': JSON.stringify(
          Array.from({ length: 6 }, (_, at) => ({
            name: say(at + 9, 2),
            eur: at === 5 ? '«60|485»' : 30 + at,
            last: at === 5,
          })),
        ),
      },
    },
    // Where it is near, a part imports its code, which asks for its settings, waits a second, and asks again.
    'sixth-late-near-chain': {
      body: `${style('.slot{min-height:180px;padding:20px;background:#f4f4f4}')}${TOP}<main class="wrap"><h1>${say(3, 6)}</h1>${chapters(5, 19)}<div class="slot" id="change"></div>${chapters(3, 4)}</main>${FOOTER}<script type="module">
new IntersectionObserver(async ([one], observer) => { if (!one.isIntersecting) return; observer.disconnect(); const { mount } = await import('./widget.mjs?wait=500'); mount(one.target); }, { rootMargin: '-80px 0px' }).observe(change);</script>`,
      files: {
        'widget.mjs': `export async function mount(place) { const settings = await (await fetch('settings.json?wait=400')).json(); place.style.background = settings.color; await new Promise((done) => setTimeout(done, 1000)); const { votes } = await (await fetch('votes.json?wait=600')).json();
for (const [name, count] of Object.entries(votes)) { const bar = document.createElement('div'); bar.textContent = name + ' ' + count; bar.style.cssText = 'margin:6px 0;padding:6px;background:#9bc;width:' + count * 4 + 'px'; place.append(bar); bar.animate([{ width: 0 }, {}], { duration: 500, easing: 'ease-out' }); } }`,
        'settings.json': '{"color":"#eef4ee"}',
        'votes.json': '{"votes":{"Yes":«110|90»,"No":60,"Later":44}}',
      },
    },
    // Code in an article gets its colours when the browser has time, and the language was imported.
    'sixth-late-highlight': {
      body: `${style('pre{padding:16px;background:#f6f6f4;overflow:auto;font:15px/1.6 monospace}.k{font-weight:bold}')}${TOP}<main class="wrap"><h1>${say(8, 5)}</h1>${each(4, (at) => `${chapters(1, at + 30)}<pre${at === 4 ? ' id="change"' : ''}><code class="language-js">const port = await find('${say(at, 1)}');\nif (!port) return null;\nfor (const boat of port.boats) await boat.leave();\nreturn port.boats.length;</code></pre>`)}</main>${FOOTER}<script type="module">
requestIdleCallback(() => setTimeout(async () => { const [{ paint }, { words, color }] = await Promise.all([import('./paint.mjs?wait=300'), import('./language-js.mjs?wait=800')]); for (const code of document.querySelectorAll('pre code')) { await new Promise((done) => requestIdleCallback(done)); paint(code, words, color); } }, 500));</script>`,
      files: {
        'paint.mjs': `export function paint(code, words, color) { code.innerHTML = code.innerHTML.replace(new RegExp('\\\\b(' + words.join('|') + ')\\\\b', 'g'), '<span class="k" style="color:' + color + '">$1</span>'); }`,
        'language-js.mjs':
          "export const words = ['const', 'await', 'if', 'return', 'for', 'of']; export const color = '«#8a2be2|#2b5be2»';",
      },
    },
    // Nothing moves for three seconds: forty short timers, and then one letter.
    'sixth-late-quiet-timers': {
      body: `<h1>Specimen</h1><p id="change" style="font-size:28px">The ship is late</p><script>
let left = 40; const tick = () => { if (--left > 0) setTimeout(tick, 75); else change.textContent = 'The «ship|shop» is late'; }; setTimeout(tick, 75);</script>`,
      visitor: { waitMs: 1000 },
    },
    // A script of another site writes a script, which calls back, and so on.
    'sixth-late-callbacks': {
      body: `<h1>Specimen</h1><div class="tall"></div><div id="change" style="height:100px;font-size:36px;background:#eee">Loading</div><script>
const call = (src) => document.head.append(Object.assign(document.createElement('script'), { src }));
addEventListener('load', () => call('{other}/one.js?wait=600'));
window.two = ({ next }) => setTimeout(() => call(next), 300);
window.three = ({ text }) => { change.textContent = text; change.style.background = '#fd8'; };</script>`,
      files: {
        'one.js': "two({ next: '{other}/three.js?wait=900' });",
        'three.js': "three({ text: 'Value: «10|2750»' });",
      },
    },
    // A module of another language says the number, some time after the page is still.
    'sixth-late-assembly': {
      body: `<h1>Specimen</h1><canvas id="change" width="300" height="100"></canvas><script>
setTimeout(async () => { const text = await (await fetch('module.txt?wait=800')).text(); const { instance } = await WebAssembly.instantiate(Uint8Array.from(text.trim().split(' '), (one) => parseInt(one, 16))); const context = change.getContext('2d'); context.font = '40px sans-serif'; context.fillText('Sum: ' + instance.exports.f(), 10, 60); }, 900);</script>`,
      files: {
        'module.txt':
          '00 61 73 6d 01 00 00 00 01 05 01 60 00 01 7f 03 02 01 00 07 05 01 01 66 00 00 0a 06 01 04 00 41 «11|32» 0b',
      },
    },
    // A second part of the page waits for a lock that the first one holds.
    'sixth-late-lock': {
      body: `<h1>Specimen</h1><p id="first">First</p><div id="change" style="width:400px;height:80px;background:#eee">Waiting</div><script>
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const key = 'lock-' + performance.timeOrigin;
navigator.locks.request(key, async () => { await sleep(1300); first.textContent = 'First is done'; await sleep(900); });
navigator.locks.request(key, async () => { const { text } = await (await fetch('second.json?wait=300')).json(); change.textContent = text; });</script>`,
      files: { 'second.json': '{"text":"Second: «red|green»"}' },
      visitor: { waitMs: 1000 },
    },
    // A picture does not exist: the page tries another one, twice, and each answer takes its time.
    'sixth-late-picture-fallback': {
      body: `<h1>Specimen</h1><div class="tall"></div><img id="change" loading="lazy" alt="" width="400" height="260" src="gone.svg?wait=400" data-next="gone-too.svg?wait=700 last.svg?wait=600" onerror="const [next, ...rest] = this.dataset.next.split(' '); this.dataset.next = rest.join(' '); if (next) setTimeout(() => { this.src = next; }, 400)">`,
      files: { 'last.svg': picture('«#a33|#33a»', 400, 260) },
    },
  },
  'unseen 6: below the window': {
    // A site that scrolls by a library: what is in view comes in, at a speed of its own.
    'sixth-below-locomotive': {
      load: ['locomotive-scroll/dist/locomotive-scroll.min.css', 'locomotive-scroll/dist/locomotive-scroll.min.js'],
      body: `${style('section{min-height:640px;padding:100px 10vw}.in{opacity:0;translate:0 60px;transition:opacity .7s,translate .7s}.in.is-inview{opacity:1;translate:none}.hero{background:#14202b;color:#fff;height:720px}')}<div data-scroll-container><section class="hero" data-scroll-section><h1 data-scroll data-scroll-speed="2">Northport Studio</h1></section>${each(5, (at) => `<section data-scroll-section><h2 data-scroll data-scroll-speed="1">${say(at, 3)}</h2><div class="in card"${at === 5 ? ' id="change"' : ''} data-scroll data-scroll-class="is-inview"><p>${at === 5 ? 'We build «boats|bridges», and have done so since 1962.' : say(at + 4, 40)}</p></div></section>`)}</div><script>
const scroll = new LocomotiveScroll({ el: document.querySelector('[data-scroll-container]'), smooth: true, lerp: 0.12 });
addEventListener('load', () => scroll.update());</script>`,
      visitor: { waitMs: 500 },
    },
    // A wall of pictures that a library lays out again as its pictures arrive.
    'sixth-below-isotope': {
      load: ['isotope-layout/dist/isotope.pkgd.min.js', 'imagesloaded/imagesloaded.pkgd.min.js'],
      body: `${style('.wall{width:1200px;margin:24px auto}.tile{width:380px;margin-bottom:20px}.tile img{width:100%;display:block}')}${TOP}<div class="wrap">${chapters(2, 3)}</div><div class="wall">${each(18, (at) => `<figure class="tile" style="margin-left:0;margin-right:0"${at === 17 ? ' id="change"' : ''}><img alt="" src="tile-${at}.svg?wait=${(at * 83) % 700}"><figcaption>${say(at, 3)}</figcaption></figure>`)}</div>${FOOTER}<script>
const wall = new Isotope('.wall', { itemSelector: '.tile', layoutMode: 'masonry', masonry: { columnWidth: 380, gutter: 20 }, transitionDuration: '0.3s' });
imagesLoaded('.wall').on('progress', () => wall.layout());</script>`,
      files: Object.fromEntries(
        Array.from({ length: 18 }, (_, at) => [
          `tile-${at + 1}.svg`,
          picture(at === 16 ? '«#7a8f3a|#8f5a3a»' : `hsl(${at * 20} 35% 60%)`, 380, 200 + ((at * 67) % 180)),
        ]),
      ),
    },
    // Figures whose digits roll when they are seen.
    'sixth-below-odometer': {
      load: ['odometer/themes/odometer-theme-default.css', 'odometer/odometer.min.js'],
      body: `${style('.figures{display:flex;justify-content:space-around;padding:80px 24px;background:#123;color:#fff;font-size:56px}')}${TOP}<main class="wrap"><h1>A year</h1>${chapters(6, 13)}</main><div class="figures" id="change">${['1240', '«386|389»', '9115'].map((to) => `<div data-to="${to}">0</div>`).join('')}</div><main class="wrap">${chapters(2, 5)}</main>${FOOTER}<script>
for (const place of document.querySelectorAll('[data-to]')) { const meter = new Odometer({ el: place, value: 0, duration: 1200, format: '( ddd).dd' }); const seen = new IntersectionObserver(([one]) => { if (!one.isIntersecting) return; seen.disconnect(); meter.update(Number(place.dataset.to)); }, { threshold: 0.8 }); seen.observe(place); }</script>`,
    },
    // A chart that grows when it is seen, and writes its numbers when it has grown.
    'sixth-below-d3': {
      load: ['d3/dist/d3.min.js'],
      body: `${style('#chart{height:360px}svg{width:100%;height:100%}')}${TOP}<main class="wrap"><h1>Catch</h1>${chapters(5, 22)}<figure id="change" style="margin:0"><div id="chart"></div><figcaption>Tons of fish</figcaption></figure>${chapters(2, 26)}</main>${FOOTER}<script>
const draw = async () => { const data = await d3.csv('catch.csv?wait=300', d3.autoType), svg = d3.select('#chart').append('svg').attr('viewBox', '0 0 700 360');
  const x = d3.scaleBand(data.map((one) => one.year), [40, 690]).padding(0.3), y = d3.scaleLinear([0, 120], [320, 20]);
  svg.append('g').attr('transform', 'translate(0,320)').call(d3.axisBottom(x)); svg.append('g').attr('transform', 'translate(40,0)').call(d3.axisLeft(y));
  svg.selectAll('.bar').data(data).join('rect').attr('class', 'bar').attr('x', (one) => x(one.year)).attr('width', x.bandwidth()).attr('fill', '#3b7a9e').attr('y', 320).attr('height', 0).transition().duration(600).delay((_, at) => at * 80).attr('y', (one) => y(one.tons)).attr('height', (one) => 320 - y(one.tons)).on('end', function (one) { svg.append('text').attr('x', x(one.year) + x.bandwidth() / 2).attr('y', y(one.tons) - 6).attr('text-anchor', 'middle').text(one.tons); }); };
const seen = new IntersectionObserver(([one]) => { if (one.isIntersecting) { seen.disconnect(); draw(); } }, { threshold: 0.3 }); seen.observe(document.querySelector('#chart'));</script>`,
      files: { 'catch.csv': 'year,tons\n2018,60\n2019,74\n2020,55\n2021,88\n2022,91\n2023,«103|98»\n2024,70\n' },
    },
    // A carousel that moves on while it is in view, and stays at its last picture.
    'sixth-below-embla': {
      load: ['embla-carousel/embla-carousel.umd.js'],
      body: `${style('.embla{overflow:hidden;margin:24px 0}.rail{display:flex}.slide{flex:0 0 100%;min-width:0;height:300px;padding:40px;background:#e8edf2;font-size:32px}.dots{display:flex;gap:8px}.dots i{width:14px;height:14px;border-radius:50%;background:#ccc}.dots .on{background:#246}')}${TOP}<main class="wrap"><h1>Rooms</h1>${chapters(5, 2)}<div id="change"><div class="embla"><div class="rail">${each(4, (at) => `<div class="slide">${at === 4 ? 'The attic, for «two|six»' : say(at, 3)}</div>`)}</div></div><div class="dots">${'<i></i>'.repeat(4)}</div></div>${chapters(2, 6)}</main>${FOOTER}<script>
const embla = EmblaCarousel(document.querySelector('.embla'), { loop: false, duration: 20 });
const mark = () => document.querySelectorAll('.dots i').forEach((dot, at) => dot.classList.toggle('on', at === embla.selectedScrollSnap()));
embla.on('select', mark); mark(); let timer;
new IntersectionObserver(([one]) => { clearInterval(timer); if (one.isIntersecting) timer = setInterval(() => { if (embla.canScrollNext()) embla.scrollNext(); else clearInterval(timer); }, 700); }, { threshold: 0.6 }).observe(document.querySelector('.embla'));</script>`,
    },
    // A gallery that moves sideways while the page is scrolled, without a script.
    'sixth-below-gallery-timeline': {
      body: `${style('.pin{height:400vh;view-timeline:--gallery block}.hold{position:sticky;top:0;height:100vh;overflow:clip;background:#f3efe6}.rail{display:flex;width:400vw;height:100%;animation:slide linear both;animation-timeline:--gallery;animation-range:contain 0% contain 100%}.rail div{width:100vw;padding:20vh 12vw;font-size:40px}@keyframes slide{to{translate:-300vw 0}}')}${TOP}<main class="wrap"><h1>Four seasons</h1>${chapters(2, 4)}</main><div class="pin"><div class="hold" id="hold"><div class="rail">${['Spring', 'Summer', 'Autumn', 'Winter: «snow|ice» on the quay'].map((text) => `<div><p>${text}</p><svg width="300" height="200"><rect width="300" height="200" fill="#a98"/></svg></div>`).join('')}</div></div></div>`,
      visitor: { see: '#hold', toEnd: true },
    },
    // A very long manual: its parts are skipped and of unknown size, its pictures are lazy. One letter in the footer.
    'sixth-below-manual': {
      body: `${style('section{content-visibility:auto;contain-intrinsic-size:auto 300px}img{display:block;max-width:100%;height:auto}')}${TOP}<main class="wrap"><h1>Manual</h1>${each(14, (at) => `<section><h2>${at}. ${say(at, 3)}</h2>${paragraphs(3 + (at % 3), at)}<img loading="lazy" decoding="async" alt="" width="700" height="${160 + at * 10}" src="figure-${at}.svg?wait=200">${paragraphs(2, at + 40)}</section>`)}</main><footer><p id="change" style="font-size:80px">Northport «Boats|Boots» and Sons</p></footer>`,
      files: Object.fromEntries(
        Array.from({ length: 14 }, (_, at) => [`figure-${at + 1}.svg`, picture(`hsl(${at * 25} 30% 70%)`)]),
      ),
      visitor: { turn: [0, 400] },
    },
    // The list of a shop: more pages come at its end, and the address follows. A badge on the third page.
    'sixth-below-shop-pages': {
      body: `${style('.grid{padding:24px}.card{position:relative;min-height:300px}.badge{position:absolute;top:12px;right:12px;padding:6px 10px;border-radius:4px;background:#b33;color:#fff}.bone{background:#f2f2f2}')}${TOP}<main id="list"></main><div id="more">&nbsp;</div>${FOOTER}<script>
let page = 0;
const marks = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) if (isIntersecting) history.replaceState(null, '', '?page=' + target.dataset.page); }, { rootMargin: '-50% 0px' });
const end = new IntersectionObserver(async ([one]) => { if (!one.isIntersecting) return; end.disconnect(); page++; const section = document.createElement('section'); section.className = 'grid'; section.dataset.page = page; section.innerHTML = '<div class="card bone"></div>'.repeat(9); list.append(section); marks.observe(section);
  const items = await (await fetch('shop.json?wait=350&page=' + page)).json(); section.innerHTML = items.map((name, at) => '<article class="card"' + (page === 3 && at === 7 ? ' id="change"' : '') + '><h3>' + page + '.' + (at + 1) + ' ' + name + '</h3>' + (page === 3 && at === 7 ? '<span class="badge">«New|−40 %»</span>' : '') + '</article>').join('');
  if (page < 4) end.observe(more); else more.remove(); }, { rootMargin: '200px 0px' });
end.observe(more);</script>`,
      files: { 'shop.json': JSON.stringify(Array.from({ length: 9 }, (_, at) => say(at + 5, 2))) },
    },
    // A film of pictures that is drawn as far as the page is scrolled. Its last picture stays.
    'sixth-below-scrubbed-film': {
      body: `${style('.film{height:350vh}.film>div{position:sticky;top:0;height:100vh;background:#000;display:grid;place-items:center}')}${TOP}<main class="wrap"><h1>The new ferry</h1>${chapters(1, 4)}</main><div class="film"><div><canvas id="change" width="900" height="500"></canvas></div></div>${FOOTER}<script>
const COUNT = 24, frames = Array.from({ length: COUNT }, (_, at) => Object.assign(new Image(), { src: 'frame-' + at + '.svg?wait=' + (at * 37) % 300 })), film = document.querySelector('.film'), context = change.getContext('2d');
let shown = -1;
const draw = () => { const { top, height } = film.getBoundingClientRect(), part = Math.min(1, Math.max(0, -top / (height - innerHeight))), at = Math.round(part * (COUNT - 1)), image = frames[at]; if (at !== shown && image.complete && image.naturalWidth) { shown = at; context.drawImage(image, 0, 0, 900, 500); } };
for (const image of frames) image.onload = draw;
let wait; addEventListener('scroll', () => { wait ??= requestAnimationFrame(() => { wait = undefined; draw(); }); }, { passive: true });</script>`,
      files: Object.fromEntries(
        Array.from({ length: 24 }, (_, at) => [
          `frame-${at}.svg`,
          `<svg ${SVG} width="900" height="500"><rect width="900" height="500" fill="#123"/><rect x="${20 + at * 24}" y="260" width="260" height="90" fill="#dde"/><circle cx="${60 + at * 24}" cy="300" r="${at === 23 ? '«18|34»' : 18}" fill="#c33"/></svg>`,
        ]),
      ),
      visitor: { toEnd: true },
    },
    // Cards that lie on each other while a section is pinned: the last one comes up at the end.
    'sixth-below-pinned-cards': {
      load: ['gsap/dist/gsap.min.js', 'gsap/dist/ScrollTrigger.min.js'],
      body: `${style('.stack{position:relative;height:100vh;overflow:hidden;background:#efeae2}.stack article{position:absolute;inset:14vh 18vw;padding:40px;border-radius:20px;background:#fff;box-shadow:0 4px 30px #0003}')}${TOP}<main class="wrap"><h1>How it works</h1>${chapters(2, 7)}</main><div class="stack" id="stack">${each(4, (at) => `<article><h2>Step ${at}</h2><p style="font-size:22px">${at === 4 ? 'Pay at the end: «by card or cash|by card only»' : say(at, 20)}</p></article>`)}</div>${FOOTER}<script>
gsap.registerPlugin(ScrollTrigger);
const line = gsap.timeline({ scrollTrigger: { trigger: '#stack', start: 'top top', end: '+=1800', pin: true, scrub: 0.4 } });
document.querySelectorAll('.stack article').forEach((one, at) => { if (at > 0) line.from(one, { yPercent: 140, rotate: 6 }); line.to({}, { duration: 0.3 }); });</script>`,
      visitor: { see: '#stack', toEnd: true },
    },
    // A figure shows itself only while it crosses the middle of the window, and from then on.
    'sixth-below-middle': {
      body: `<style>.line{height:260px;margin:24px;background:#eee}.line.on::after{content:attr(data-text);font-size:30px}</style><h1>Specimen</h1><div class="tall"></div>${each(9, (at) => `<div class="line" data-text="${at === 9 ? 'Nine: «yes|perhaps»' : `Line ${at}`}"${at === 9 ? ' id="change"' : ''}></div>`)}<div style="height:400px"></div><script>
const middle = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) if (isIntersecting) target.classList.add('on'); }, { rootMargin: '-50% 0px -49% 0px' });
for (const line of document.querySelectorAll('.line')) middle.observe(line);</script>`,
      visitor: { toEnd: true },
    },
    // What one has looked at for more than a second says more.
    'sixth-below-dwell': `<h1>Specimen</h1><div class="tall"></div>${each(5, (at) => `<div class="note"${at === 5 ? ' id="change"' : ''} style="height:150px;margin:24px;background:#eef;font-size:26px">Note ${at}</div>`)}<script>
for (const note of document.querySelectorAll('.note')) { let timer; new IntersectionObserver(([one]) => { clearTimeout(timer); if (one.isIntersecting) timer = setTimeout(() => { note.textContent += note.id ? ': read by «7|19»' : ': read'; }, 1300); }, { threshold: 0.9 }).observe(note); }</script>`,
    // When most of the page is read, a bar comes in from below and stays.
    'sixth-below-percent-bar': {
      body: `${style('#bar{position:fixed;left:0;right:0;bottom:0;padding:22px;background:#fff4d6;border-top:2px solid #c90;translate:0 100%;visibility:hidden;transition:translate .4s,visibility .4s}#bar.on{translate:none;visibility:visible}')}${TOP}<main class="wrap"><h1>${say(6, 7)}</h1>${chapters(9, 12)}</main>${FOOTER}<div id="bar"></div><script>
let asked = false;
addEventListener('scroll', async () => { const part = (scrollY + innerHeight) / document.documentElement.scrollHeight; if (part < 0.85 || asked) return; asked = true; const { text } = await (await fetch('letter.json?wait=400')).json(); bar.innerHTML = '<b style="font-size:22px">' + text + '</b>'; bar.classList.add('on'); }, { passive: true });</script>`,
      files: { 'letter.json': '{"text":"Our letter, each «Friday|Monday» in your mail"}' },
      visitor: { see: '#bar', toEnd: true },
    },
    // A price that sticks to the lower edge of the window while its part is in view.
    'sixth-below-sticky-price': {
      body: `${style('.offer{border:2px solid #999;margin:24px;padding:0 24px}.price{position:sticky;bottom:0;padding:16px;background:#def;font-size:26px}')}<h1>Specimen</h1><div class="tall"></div><div class="offer">${paragraphs(8, 2)}<div class="price">Total: 20</div></div><div class="tall" style="height:900px"></div><div class="offer">${paragraphs(16, 5)}<div class="price" id="change">Total: «30|31, with tax»</div></div><div class="tall"></div>`,
      visitor: { turns: 17 },
    },
    // A part asks whether it can really be seen, a layer above it goes, and it says so.
    'sixth-below-really-seen': `<style>.veil{position:absolute;inset:0;background:#fff;transition:opacity .5s}.veil.off{opacity:0;pointer-events:none;display:none}</style><h1>Specimen</h1><div class="tall"></div><div style="position:relative;height:260px;margin:24px"><div id="change" style="height:100%;background:#cde;font-size:30px">Not yet seen</div><div class="veil"></div></div><div class="tall" style="height:500px"></div><script>
const box = document.querySelector('#change');
new IntersectionObserver(([one], observer) => { if (!one.isIntersecting) return; observer.disconnect(); setTimeout(() => document.querySelector('.veil').classList.add('off'), 900); }, { threshold: 0.5 }).observe(box);
new IntersectionObserver(([one], observer) => { if (!one.isVisible) return; observer.disconnect(); box.textContent = 'Seen by «12|21» people'; }, { threshold: 0.5, trackVisibility: true, delay: 200 }).observe(box);</script>`,
  },
};
