import {
  cards,
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
  SANS,
  say,
  style,
  TOP,
  ticker,
} from './gazette.mjs';
import { repeat, SVG, writeDocument } from './shared.mjs';

/** Pages that were written in a fifth look by somebody who had not seen the tool. */
export const UNSEEN_5 = {
  'unseen 5: frames': {
    // The comments of an article: the frame tells its height each time it grows.
    'fifth-frame-comments': {
      body: `${style('#comments{width:100%;height:150px;border:0}')}${TOP}<main class="wrap"><h1>${say(3, 7)}</h1>${chapters(9)}<h2>Comments</h2><section id="thread"></section></main>${FOOTER}<script>
const frame = Object.assign(document.createElement('iframe'), { id: 'comments', loading: 'lazy', src: '{other}/comments.html?page=' + encodeURIComponent(location.pathname) });
frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-popups');
thread.append(frame);
addEventListener('message', ({ data, source }) => { if (source === frame.contentWindow && data.widget) frame.style.height = data.widget.height + 'px'; });</script>`,
      files: {
        'comments.html': inner(
          `<div id="list"><p>Loading comments</p></div><script>
const tell = () => parent.postMessage({ widget: { height: document.documentElement.offsetHeight } }, '*');
new ResizeObserver(tell).observe(document.documentElement);
(async () => { const { user } = await (await fetch('session.json?wait=200')).json(); const all = await (await fetch('comments.json?wait=500')).json();
  list.replaceChildren(...all.map(({ by, text }, at) => { const one = document.createElement('div'); one.className = 'one'; one.id = at === all.length - 1 ? 'change' : ''; one.innerHTML = '<i>' + by[0] + '</i><div><b>' + by + '</b><p>' + text + '</p></div>'; return one; }));
  list.insertAdjacentHTML('afterbegin', '<p>Signed in as ' + user + '</p>'); })();</script>`,
          '.one{display:flex;gap:12px;padding:12px 0;border-top:1px solid #ddd}.one i{flex:none;width:32px;height:32px;border-radius:50%;background:#cde;text-align:center;line-height:32px}',
        ),
        'session.json': '{"user":"guest"}',
        'comments.json': JSON.stringify(
          Array.from({ length: 14 }, (_, at) => ({
            by: people[at % 8],
            text: at === 13 ? 'I was there: «three|eleven» boats came back that night.' : say(at + 40, 24),
          })),
        ),
      },
      visitor: { ...inFrame() },
    },
    // An ad slot: an empty frame writes a script, which writes a frame.
    'fifth-frame-ad-write': {
      body: `${style('.slot{min-height:220px;margin:24px auto;width:728px;background:#f4f4f4;text-align:center;font-size:11px;color:#888}.slot iframe{border:0;display:block}')}${TOP}<main class="wrap"><h1>${say(5, 6)}</h1>${chapters(4, 2)}</main><div class="slot" data-unit="mid">Advertisement</div><main class="wrap">${chapters(3, 8)}</main>${FOOTER}<script>
const slots = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) if (isIntersecting) { slots.unobserve(target); fill(target); } }, { rootMargin: '200px 0px' });
for (const one of document.querySelectorAll('.slot')) slots.observe(one);
async function fill(slot) {
  const bid = await (await fetch('bid.json?wait=300')).json();
  const frame = Object.assign(document.createElement('iframe'), { width: 728, height: 0, scrolling: 'no', title: 'Advertisement' });
  slot.append(frame);
  const { contentDocument: page } = frame;
  page.open(); page.write('<body style="margin:0"><script>document.write(' + JSON.stringify('<iframe scrolling=no frameborder=0 width=728 height=200 src="' + bid.creative + '"></iframe>') + ')<\\/script></body>'); page.close();
  setTimeout(() => { frame.height = bid.height; }, 250);
}</script>`,
      files: {
        'bid.json': '{"creative":"{other}/creative.html","height":200}',
        'creative.html': `<!doctype html><style>body{margin:0;font:16px sans-serif}</style><script>document.write('<div id="change" style="box-sizing:border-box;width:728px;height:200px;padding:40px;background:linear-gradient(90deg,#124,#258);color:#fff"><b style="font-size:32px">Islands from «19|45» EUR</b><p>All winter, with the ferry</p></div>');</script>`,
      },
      visitor: { see: '.slot' },
    },
    // A mail in a webmail: a document without scripts, whose height its reader measures.
    'fifth-frame-mail': {
      body: `${style('html,body{height:100%;overflow:hidden}body{display:grid;grid-template:52px 1fr/300px 1fr}.top{grid-column:1/3}#list{overflow-y:auto;border-right:1px solid #ddd}#list p{margin:0;padding:12px 16px;border-bottom:1px solid #eee}#read{overflow-y:auto;padding:24px;overscroll-behavior:contain}#read iframe{width:100%;height:0;border:0}')}${TOP}<nav id="list">${each(40, (at) => `<p><b>${people[at % 8]}</b><br>${say(at, 4)}</p>`)}</nav><section id="read"><h1>Your order</h1><p>From: shop@northport.example</p><iframe id="mail" sandbox="allow-same-origin allow-popups" srcdoc="${quote(
        inner(
          `<table width="600" align="center"><tr><td><h2>Thank you, Ada</h2>${paragraphs(3)}</td></tr>${each(22, (at) => `<tr><td style="border-top:1px solid #eee;padding:12px 0"><b>${say(at + 9, 3)}</b><br>${at} x 4.50</td></tr>`)}<tr><td id="change" style="padding:12px;background:#f6f1e4">To pay: <b>«118.00 EUR|148.00 EUR, now due</b> <b>with a reminder»</b></td></tr></table>${paragraphs(2, 9)}`,
        ),
      )}"></iframe></section><script>
mail.addEventListener('load', () => { const { documentElement } = mail.contentDocument; new ResizeObserver(() => { mail.style.height = documentElement.offsetHeight + 'px'; }).observe(documentElement); });</script>`,
      visitor: { over: [800, 400], see: '#read', toEnd: true },
    },
    // A form of a payment service: a frame for each field, which gets its style by a message.
    'fifth-frame-card-fields': {
      body: `${style('.field{border:1px solid #bbb;border-radius:6px;padding:12px;margin-bottom:16px}.field iframe{width:100%;height:19px;border:0;display:block}.row{display:grid;grid-template-columns:1fr 1fr;gap:16px}label{display:block;margin-bottom:6px}input{width:100%;padding:12px;margin-bottom:16px;border:1px solid #bbb;border-radius:6px}')}${TOP}<main class="wrap"><h1>Checkout</h1>${each(14, (at) => `<div class="card" style="margin-bottom:12px"><b>${say(at, 3)}</b><span style="float:right">${at}.50 EUR</span><br>${say(at + 30, 9)}</div>`)}<h2>Delivery</h2>${each(6, (at) => `<label>${say(at + 4, 2)}</label><input>`)}<h2>Card</h2><label>Number</label><div class="field" data-field="number"></div><div class="row"><div><label>Expires</label><div class="field" data-field="expiry"></div></div><div><label>Code</label><div class="field" data-field="code"></div></div></div><button class="card">Pay</button></main>${FOOTER}<script>
const places = [...document.querySelectorAll('.field')];
const controller = Object.assign(document.createElement('iframe'), { src: '{other}/controller.html', hidden: true });
document.body.append(controller);
addEventListener('message', ({ data, source }) => {
  if (data === 'controller') for (const place of places) place.append(Object.assign(document.createElement('iframe'), { src: '{other}/field.html#' + place.dataset.field, title: place.dataset.field, scrolling: 'no' }));
  if (data === 'field') source.postMessage({ color: '#1c2733', size: '16px' }, '*');
});</script>`,
      files: {
        'controller.html':
          '<!doctype html><script>setTimeout(() => parent.postMessage("controller", "*"), 400)</script>',
        'field.html': `<!doctype html><style>body{margin:0}input{width:100%;border:0;padding:0;outline:0;font:1px sans-serif;background:none}input::placeholder{color:#566}</style><input id="change"><script>
const names = { number: 'Card number: «1234 5678|5678 1234» 9012', expiry: 'MM / YY', code: 'CVC' };
addEventListener('message', ({ data }) => { change.style.color = data.color; change.style.fontSize = data.size; change.placeholder = names[location.hash.slice(1)]; });
parent.postMessage('field', '*');</script>`,
      },
      visitor: { see: `[data-field=number] iframe${ENTER}#change` },
    },
    // Examples of a design system: an element that is defined late, with a frame in its shadow tree, in an open part of the page.
    'fifth-frame-playground': {
      body: `${style('demo-box{display:block;min-height:60px;margin:16px 0}details{border:1px solid #ddd;border-radius:8px;padding:12px;margin-bottom:20px}[role=tabpanel]{padding:16px 0}')}${TOP}<main class="wrap"><h1>Buttons</h1>${chapters(3)}${each(4, (at) => `<details${at === 4 ? ' open' : ''}><summary>${say(at, 3)}</summary><div role="tablist"><button>Preview</button> <button>Code</button></div><div role="tabpanel"><demo-box src="preview.html?variant=${at}"><p>Loading preview</p></demo-box></div><div role="tabpanel" hidden><pre>button.css</pre></div></details>`)}${paragraphs(1, 7)}</main>${FOOTER}<script type="module">
setTimeout(() => import('./demo-box.mjs?wait=300'), 300);</script>`,
      files: {
        'demo-box.mjs': `customElements.define('demo-box', class extends HTMLElement { connectedCallback() {
  const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
  root.innerHTML = '<style>div{resize:horizontal;overflow:hidden;border:1px dashed #999}iframe{display:block;width:100%;height:60px;border:0}</style><div><iframe loading="lazy"></iframe></div>';
  const frame = root.querySelector('iframe');
  frame.onload = () => { const page = frame.contentDocument.documentElement; new (frame.contentWindow.ResizeObserver)(() => { frame.style.height = page.offsetHeight + 'px'; }).observe(page); };
  frame.src = this.getAttribute('src'); } });`,
        'preview.html': inner(
          `<div id="app" style="padding:24px"></div><script type="module">
const { draw } = await import('./story.mjs?wait=400'); draw(document.querySelector('#app'), new URLSearchParams(location.search).get('variant'));</script>`,
        ),
        'story.mjs': `export function draw(place, variant) { place.innerHTML = '<p>Variant ' + variant + '</p><div style="display:grid;gap:16px;grid-template-columns:repeat(3,1fr)">' + ['Save', 'Send', 'Delete', 'Archive', 'Print', 'Share'].map((name) => '<button style="padding:20px;border:2px solid «#246|#824»;border-radius:6px;background:#fff">' + name + '</button>').join('') + '</div>'; place.lastElementChild.id = 'change'; }`,
      },
      visitor: { see: 'details[open]', toEnd: true },
    },
    // A document in a document in an element of the old web.
    'fifth-frame-object-report': {
      body: `${style('object{width:100%;height:560px;border:1px solid #ccc}')}${TOP}<main class="wrap"><h1>Annual report</h1>${chapters(5, 4)}<object id="report" type="text/html" data="report.html?wait=300"><a href="report.html">Report</a></object>${chapters(2, 11)}</main>${FOOTER}`,
      files: {
        'report.html': inner(
          `<h2>Passengers</h2>${paragraphs(1)}<embed type="image/svg+xml" src="chart.svg?wait=400" width="640" height="320">`,
        ),
        'chart.svg': `<svg ${SVG} width="640" height="320"><g id="bars"/><script>
fetch('values.json?wait=300').then((answer) => answer.json()).then((values) => { values.forEach((value, at) => { const bar = document.createElementNS('http://www.w3.org/2000/svg', 'rect'); for (const [name, field] of Object.entries({ x: 20 + at * 50, y: 300 - value, width: 36, height: value, fill: '#369' })) bar.setAttribute(name, field); document.getElementById('bars').append(bar); }); });
</script></svg>`,
        'values.json': '[80,120,140,90,160,200,«230|270»,180,150,120,100,90]',
      },
      visitor: { see: '#report' },
    },
    // A list of branches in a frame without an origin, which fills itself as its parts come into the window of the page.
    'fifth-frame-branches': {
      body: `${style('iframe{width:100%;height:2600px;border:0}')}${TOP}<main class="wrap"><h1>Branches</h1>${chapters(3, 6)}<iframe sandbox="allow-scripts" src="{other}/branches.html" title="Branches"></iframe>${chapters(1)}</main>${FOOTER}`,
      files: {
        'branches.html': inner(
          `<main></main><script>
const main = document.querySelector('main');
const seen = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) if (isIntersecting) { seen.unobserve(target); fill(target); } }, { threshold: 0.5 });
for (let at = 1; at <= 13; at++) { const one = document.createElement('section'); one.dataset.at = at; if (at === 12) one.id = 'change'; main.append(one); seen.observe(one); }
async function fill(one) { const { name, hours } = await (await fetch('branch-' + one.dataset.at + '.json?wait=150')).json(); one.innerHTML = '<h3>' + name + '</h3><p>Open: ' + hours + '</p>'; one.classList.add('on'); }</script>`,
          'section{height:180px;margin-bottom:16px;padding:16px;border:1px solid #ddd;background:#f2f2f2;transition:background .3s}section.on{background:#fff}',
        ),
        ...Object.fromEntries(
          Array.from({ length: 13 }, (_, at) => [
            `branch-${at + 1}.json`,
            JSON.stringify({ name: say(at + 5, 3), hours: at === 11 ? '«9 to 18|closed until Monday»' : '9 to 17' }),
          ]),
        ),
      },
      visitor: { ...inFrame() },
    },
    // A window that asks for consent opens by itself. Its vendors are a list of another site.
    'fifth-frame-consent': {
      body: `${style('dialog{width:620px;padding:0;border:0;border-radius:12px;overflow:hidden}dialog[open]{display:flex;flex-direction:column;max-height:80dvh}dialog iframe{width:100%;height:420px;border:0}dialog footer{display:flex;gap:12px;justify-content:flex-end;padding:16px}dialog::backdrop{background:#0008}')}${TOP}<main class="wrap"><h1>${say(8, 6)}</h1>${chapters(8, 3)}</main>${FOOTER}<dialog id="consent"><h2 style="padding:16px 24px 0">We value your privacy</h2><footer><button>Reject</button><button>Accept</button></footer></dialog><script>
setTimeout(() => { const frame = Object.assign(document.createElement('iframe'), { src: '{other}/vendors.html', title: 'Vendors' }); consent.querySelector('h2').after(frame); frame.onload = () => consent.showModal(); }, 600);</script>`,
      files: {
        'vendors.html': inner(
          `<div class="scroll">${each(36, (at) => `<div class="v"><b>${say(at, 2)} Ltd.</b><p>${say(at + 20, 12)}</p></div>`)}<div class="v" id="change"><b>Zenith Media</b><p>Stores data for «30|365» days, «in Norway|in four countries»</p></div></div>`,
          'html,body{height:100%}.scroll{height:100%;overflow-y:auto;padding:0 24px}.v{padding:10px 0;border-bottom:1px solid #ddd}.v p{margin:0}',
        ),
      },
      visitor: { over: [640, 340], waitMs: 1500, ...inFrame() },
    },
    // Posts of another site in an article: a script replaces one after the other.
    'fifth-frame-posts': {
      body: `${style('blockquote{margin:24px 0;padding:12px 20px;border-left:4px solid #ccc}.post{width:100%;border:0;position:absolute;visibility:hidden;height:0}.post.ready{position:static;visibility:visible}')}${TOP}<main class="wrap"><h1>${say(2, 8)}</h1>${each(4, (at) => `${chapters(2, at)}<blockquote class="embed" data-post="${at}">${say(at + 50, 14)} <a href="#">Post ${at}</a></blockquote>`)}${chapters(1, 9)}</main>${FOOTER}<script async src="widgets.js?wait=300"></script>`,
      files: {
        'widgets.js': `(async () => { for (const old of document.querySelectorAll('.embed')) { const frame = Object.assign(document.createElement('iframe'), { className: 'post', src: '{other}/post.html?id=' + old.dataset.post, id: 'post-' + old.dataset.post, scrolling: 'no' }); frame.allowTransparency = true; old.after(frame);
  await new Promise((done) => { addEventListener('message', function hear({ data, source }) { if (source !== frame.contentWindow) return; const { method, params: [height] } = JSON.parse(data); if (method !== 'rendered') return; removeEventListener('message', hear); frame.style.height = height + 'px'; frame.classList.add('ready'); old.remove(); done(); }); }); } })();`,
        'post.html': inner(
          `<div id="change" class="card"><b>Harbour Office</b> @harbour<p id="text"></p><small id="likes"></small></div><script>
(async () => { const id = new URLSearchParams(location.search).get('id'); const post = await (await fetch('post-' + id + '.json?wait=200')).json(); text.textContent = post.text; likes.textContent = post.likes + ' likes';
  parent.postMessage(JSON.stringify({ method: 'rendered', params: [document.documentElement.offsetHeight] }), '*'); })();</script>`,
        ),
        ...Object.fromEntries(
          [1, 2, 3, 4].map((at) => [
            `post-${at}.json`,
            JSON.stringify({
              text: at === 4 ? 'The «last|next» ferry leaves at «21:15|22:45» tonight' : say(at + 3, 20),
              likes: at * 31,
            }),
          ]),
        ),
      },
      visitor: { see: '#post-4' },
    },
    // An editor of another site, with a frame for the result, which it builds from what it fetches.
    'fifth-frame-pen': {
      body: `${style('.pen{width:100%;height:420px;border:1px solid #444}')}${TOP}<main class="wrap"><h1>${say(12, 6)}</h1>${chapters(4, 12)}<iframe class="pen" loading="lazy" src="{other}/pen.html" allow="fullscreen" title="Pen"></iframe>${chapters(2, 14)}</main>${FOOTER}`,
      files: {
        'pen.html': inner(
          `<div class="bar">HTML &nbsp; CSS &nbsp; <b>Result</b></div><div class="both"><pre id="code"></pre><iframe id="result" sandbox="allow-scripts allow-forms"></iframe></div><script>
let timer; const parts = {};
const show = () => { clearTimeout(timer); timer = setTimeout(() => { result.srcdoc = '<!doctype html><style>' + parts.css + '</style>' + parts.html + '<script>' + parts.js + '<\\/script>'; }, 500); };
for (const part of ['html', 'css', 'js']) fetch('pen-' + part + '.txt?wait=' + { html: 100, css: 250, js: 400 }[part]).then((answer) => answer.text()).then((text) => { parts[part] = text; code.textContent = parts.html ?? ''; if (Object.keys(parts).length === 3) show(); });</script>`,
          'html,body{height:100%}body{display:flex;flex-direction:column}.bar{padding:10px;background:#222;color:#ccc}.both{flex:1;display:grid;grid-template-columns:1fr 2fr}pre{margin:0;padding:12px;background:#333;color:#eee;overflow:auto}iframe{width:100%;height:100%;border:0}',
        ),
        'pen-html.txt': '<div class="box"></div>\n<button>Order</button>',
        'pen-css.txt': 'body{display:grid;place-items:center;gap:20px}',
        'pen-js.txt':
          "document.querySelector('.box').style.cssText = 'width:200px;height:160px;border-radius:20px;background:«#4a78b4|#6896d2»';",
      },
      visitor: { see: '.pen' },
    },
    // A booking widget with React at the end of an area that scrolls. Its times come by events.
    'fifth-frame-booking': {
      body: `${style('html,body{height:100%;overflow:hidden}body{display:flex;flex-direction:column}main{flex:1;min-height:0;overflow-y:auto;scrollbar-gutter:stable}.frame{position:relative;padding-top:75%}.frame iframe{position:absolute;inset:0;width:100%;height:100%;border:0}')}${TOP}<main><div class="wrap"><h1>Boat tours</h1>${chapters(4, 15)}<div class="grid">${cards(9)}</div><h2 style="margin-top:24px">Book</h2><div class="frame"><iframe loading="lazy" src="{other}/booking.html"></iframe></div></div>${FOOTER}</main>`,
      files: {
        'booking.html': writeDocument(
          ['react/umd/react.production.min.js', 'react-dom/umd/react-dom.production.min.js'],
          `${style(`${SANS}.times{display:grid;grid-template-columns:repeat(4,1fr);gap:12px;padding:16px}.times button{padding:18px;border:1px solid #888;border-radius:6px;background:#fff}.times button:disabled{background:#ddd;text-decoration:line-through}`)}<div id="root"></div><script>
const { createElement: h, useEffect, useState } = React;
function Booking() { const [times, take] = useState(); useEffect(() => { const events = new EventSource('times.events?stream=600'); events.onmessage = ({ data }) => take(JSON.parse(data)); return () => events.close(); }, []);
  return times ? h('div', { className: 'times', id: 'change' }, Object.entries(times).map(([time, free]) => h('button', { key: time, disabled: !free }, time))) : h('p', null, 'Loading times'); }
ReactDOM.createRoot(document.querySelector('#root')).render(h(Booking));</script>`,
        ),
        'times.events': 'data: {"9:00":1,"9:30":0,"10:00":1,"10:30":«1|0»,"11:00":0,"11:30":1,"12:00":1,"12:30":0}\n\n',
      },
      visitor: { ...inFrame() },
    },
  },
  'unseen 5: areas that scroll, and below the window': {
    // A chat that starts at the end, and loads what is older as it is scrolled up.
    'fifth-chat-older': {
      body: `${style('html,body{height:100%;overflow:hidden}body{display:grid;grid-template:52px 1fr auto/240px 1fr}.top{grid-column:1/3}#rooms{grid-row:2/4;overflow-y:auto;background:#26323f;color:#cde;padding:12px}#log{overflow-y:auto;padding:16px 24px;overflow-anchor:none}.m{display:flex;gap:12px;margin-bottom:14px}.m i{flex:none;width:36px;height:36px;border-radius:8px;background:#cde}.m p{margin:0}form{padding:16px;border-top:1px solid #ddd}input{width:100%;padding:12px}')}${TOP}<nav id="rooms">${each(45, (at) => `<p># ${say(at, 1)}</p>`)}</nav><section id="log" role="log"></section><form><input placeholder="Message"></form><script>
let page = 3, busy = false;
async function older() {
  if (busy || page === 0) return;
  busy = true;
  const { messages } = await (await fetch('messages-' + page-- + '.json?wait=250')).json();
  const below = log.scrollHeight - log.scrollTop;
  log.insertAdjacentHTML('afterbegin', messages.map(({ id, by, text }) => '<div class="m" id="' + id + '"><i></i><div><b>' + by + '</b><p>' + text + '</p></div></div>').join(''));
  log.scrollTop = log.scrollHeight - below;
  if (page === 0) log.insertAdjacentHTML('afterbegin', '<p>This is the start of the room</p>');
  busy = false;
}
older().then(() => { log.scrollTop = log.scrollHeight; });
log.addEventListener('scroll', () => { if (log.scrollTop < 150) older(); }, { passive: true });</script>`,
      files: Object.fromEntries(
        [1, 2, 3].map((page) => [
          `messages-${page}.json`,
          JSON.stringify({
            messages: Array.from({ length: 16 }, (_, at) => ({
              id: page === 1 && at === 3 ? 'change' : `m-${page}-${at}`,
              by: people[(page + at) % 8],
              text:
                page === 1 && at === 3 ? 'The key is «under the mat|with the neighbour, ask her first»' : say(at, 15),
            })),
          }),
        ]),
      ),
      visitor: { over: [700, 300], turn: [0, -200] },
    },
    // A table with a header and columns that stay, in both directions.
    'fifth-price-matrix': {
      body: `${style('.box{overflow:auto;max-height:calc(100dvh - 220px);margin:0 24px 40px;border:1px solid #bbb;isolation:isolate}table{border-collapse:separate;border-spacing:0}th,td{min-width:130px;padding:10px 14px;border-right:1px solid #ddd;border-bottom:1px solid #ddd;background:#fff;text-align:left;white-space:nowrap}thead th{position:sticky;top:0;z-index:2;background:#eef2f6}tbody th{position:sticky;left:0;z-index:1}thead th:first-child{left:0;z-index:3}tfoot td,tfoot th{position:sticky;bottom:0;background:#e4eadf;z-index:2}')}${TOP}<h1 style="margin:24px">Tariffs</h1><p style="margin:24px">${say(3, 30)}.</p><div class="box"><table><thead><tr><th>Port</th>${each(24, (at) => `<th>${say(at, 1)}</th>`)}</tr></thead><tbody>${each(90, (row) => `<tr><th scope="row">${row}. ${say(row, 2)}</th>${each(24, (at) => (row === 81 && at === 23 ? '<td id="change">«14.80|39.60 a day»</td>' : `<td>${(row * at) % 97}.${at % 10}0</td>`))}</tr>`)}</tbody><tfoot><tr><th>Mean</th>${repeat(24, '<td>#.50</td>')}</tr></tfoot></table></div><div class="wrap">${chapters(5, 3)}</div>${FOOTER}`,
      visitor: { over: [640, 450], turn: [200, 200] },
    },
    // A list, a ticket and its details: each has its own bar. The parts of the ticket draw themselves where they are near.
    'fifth-ticket-panes': {
      body: `${style('html,body{height:100%;overflow:clip}body{display:flex;flex-direction:column}.panes{flex:1;min-height:0;display:grid;grid-template-columns:260px minmax(0,1fr) 280px}.panes>*{overflow-y:auto;overscroll-behavior:contain;contain:strict;height:100%}#list p,#side p{margin:0;padding:12px;border-bottom:1px solid #eee}#ticket{padding:24px;border-inline:1px solid #ddd}.part{content-visibility:auto;contain-intrinsic-size:auto 340px;margin-bottom:20px}canvas{display:block;width:100%;height:200px;background:#f3f3f3}')}${TOP}<div class="panes"><nav id="list">${each(60, (at) => `<p>#${2000 - at} ${say(at, 3)}</p>`)}</nav><main id="ticket"><h1>${say(7, 5)}</h1>${each(12, (at) => `<section class="part" id="${at === 10 ? 'change' : `part-${at}`}"><h2>${say(at, 3)}</h2><p>${say(at + 3, 40)}.</p><canvas width="640" height="200" data-value="${at === 10 ? '«60|150»' : 40 + at * 9}"></canvas></section>`)}</main><aside id="side">${each(30, (at) => `<p>${say(at, 2)}: ${at}</p>`)}</aside></div><script>
for (const part of document.querySelectorAll('.part')) part.addEventListener('contentvisibilityautostatechange', ({ skipped }) => {
  const canvas = part.querySelector('canvas'), context = canvas.getContext('2d');
  context.clearRect(0, 0, 640, 200);
  if (skipped) return;
  context.fillStyle = '#357';
  for (let at = 0; at < 12; at++) context.fillRect(20 + at * 50, 200 - canvas.dataset.value * (0.4 + (at % 4) / 5), 34, 200);
});</script>`,
      visitor: { over: [600, 400] },
    },
    // Groups that come in when most of them is in view, one card after the other, and never leave.
    'fifth-reveal-groups': `${style('section{padding:60px 24px}.card{opacity:0;translate:0 40px;transition:opacity .5s,translate .5s cubic-bezier(.2,.8,.2,1);transition-delay:calc(var(--at)*90ms);min-height:180px}section.in .card{opacity:1;translate:none}.hero{height:90vh;background:linear-gradient(120deg,#123,#357);color:#fff;padding:20vh 24px}')}${TOP}<div class="hero"><h1>${say(2, 5)}</h1></div>${each(7, (group) => `<section data-threshold="${[0.1, 0.4, 0.75][group % 3]}"><h2>${say(group, 4)}</h2><div class="grid">${each(6, (at) => `<article class="card"${group === 5 && at === 6 ? ' id="change"' : ''} style="--at:${at}"><h3>${say(group + at, 2)}</h3><p>${group === 5 && at === 6 ? 'Free for «two|four» weeks, then «9|12» EUR' : say(group * at, 14)}</p></article>`)}</div></section>`)}${FOOTER}<script>
for (const section of document.querySelectorAll('section')) {
  const threshold = Number(section.dataset.threshold);
  const seen = new IntersectionObserver(([one]) => { if (one.intersectionRatio < threshold) return; section.classList.add('in'); seen.disconnect(); }, { threshold: [0, threshold], rootMargin: '0px 0px -40px' });
  seen.observe(section);
}</script>`,
    // A picture stays beside a story, and shows its last state at the end of it.
    'fifth-story-map': {
      body: `${style('.story{display:grid;grid-template-columns:1fr 1fr}figure{position:sticky;top:0;height:100dvh;margin:0;display:grid;place-items:center;background:#e8eef2}.step{min-height:85vh;padding:24px;opacity:.3;transition:opacity .3s}.step.on{opacity:1}path{fill:none;stroke:#147;stroke-width:6;stroke-dasharray:1000;stroke-dashoffset:1000;transition:stroke-dashoffset .6s}circle{transition:r .4s,fill .4s}')}${TOP}<div class="wrap"><h1>The route of the ferry</h1>${paragraphs(4, 5)}</div><div class="story"><div>${each(6, (at) => `<div class="step" data-at="${at}"><h2>${at}. ${say(at, 3)}</h2><p>${say(at + 7, 50)}.</p></div>`)}</div><figure><svg id="change" width="500" height="440" viewBox="0 0 500 440"><path pathLength="1000" d="M40 400C120 300 60 200 200 220S300 60 460 40"/><circle cx="460" cy="40" r="0"/><text x="40" y="60" font-size="24">Start</text></svg></figure></div><script>
const path = document.querySelector('path'), stop = document.querySelector('circle'), label = document.querySelector('text');
const names = ['Start', 'Mouth', 'Sound', 'Light', 'Cape', 'Arrival at «7 am|8 pm»'];
const steps = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) if (isIntersecting) {
  const { at } = target.dataset;
  document.querySelector('.on')?.classList.remove('on'); target.classList.add('on');
  path.style.strokeDashoffset = 1000 - at * 166; label.textContent = names[at - 1];
  stop.setAttribute('r', at === '6' ? 26 : 0); stop.setAttribute('fill', at === '6' ? '«#c33|#2a2»' : '#999'); } }, { rootMargin: '-50% 0px -50% 0px' });
for (const step of document.querySelectorAll('.step')) steps.observe(step);</script>`,
      visitor: { toEnd: true },
    },
    // A virtual list in a pane. Its rows are empty until the scrolling rests, and then come from the server.
    'fifth-virtual-chunks': {
      body: `${style('#pane{height:480px;width:820px;margin:24px;overflow-y:auto;border:1px solid #bbb;contain:content}#all{position:relative}.row{position:absolute;left:0;right:0;height:56px;display:flex;gap:24px;align-items:center;padding:0 16px;border-bottom:1px solid #eee}.row.none::before{content:"";width:300px;height:14px;border-radius:7px;background:#e4e4e4}')}${TOP}<h1 style="margin:24px">Passengers</h1><div id="pane" tabindex="0"><div id="all"></div></div><div class="wrap">${chapters(3, 21)}</div>${FOOTER}<script>
const COUNT = 120, HEIGHT = 56, rows = new Map(), asked = new Set();
let timer;
all.style.height = COUNT * HEIGHT + 'px';
function draw() {
  const first = Math.max(0, Math.floor(pane.scrollTop / HEIGHT) - 2), last = Math.min(COUNT - 1, first + 13);
  all.innerHTML = '';
  for (let at = first; at <= last; at++) { const row = document.createElement('div'), known = rows.get(at); row.className = known ? 'row' : 'row none'; row.style.transform = 'translateY(' + at * HEIGHT + 'px)'; if (at === 97) row.id = 'change'; if (known) row.innerHTML = '<b>' + (at + 1) + '</b><span>' + known + '</span>'; all.append(row); }
}
async function load() {
  const from = Math.floor(pane.scrollTop / HEIGHT / 20), to = Math.floor((pane.scrollTop + 480) / HEIGHT / 20);
  for (let chunk = from; chunk <= Math.min(to, 5); chunk++) { if (asked.has(chunk)) continue; asked.add(chunk);
    const names = await (await fetch('rows-' + chunk + '.json?wait=150')).json(); names.forEach((name, at) => rows.set(chunk * 20 + at, name)); draw(); }
}
pane.addEventListener('scroll', () => { draw(); clearTimeout(timer); timer = setTimeout(load, 120); });
draw(); load();</script>`,
      files: Object.fromEntries(
        Array.from({ length: 6 }, (_, chunk) => [
          `rows-${chunk}.json`,
          JSON.stringify(
            Array.from({ length: 20 }, (_, at) =>
              chunk === 4 && at === 17
                ? 'Wanda Weber, cabin «112|B 7, window»'
                : `${people[at % 8]} ${say(at + chunk, 2)}`,
            ),
          ),
        ]),
      ),
      visitor: { over: [400, 380] },
    },
    // A drawer with the basket. The page below it is locked.
    'fifth-drawer-basket': {
      body: `${style('#drawer{position:fixed;inset:0 0 0 auto;width:min(420px,100vw);height:100dvh;display:flex;flex-direction:column;background:#fff;translate:100% 0;visibility:hidden;transition:translate .35s,visibility .35s;z-index:9;box-shadow:0 0 40px #0006}.open #drawer{translate:none;visibility:visible}.lines{flex:1;min-height:0;overflow-y:auto;padding:0 20px}.line{display:flex;gap:14px;padding:14px 0;border-bottom:1px solid #eee}.line img{width:64px;height:64px}.pay{padding:20px;border-top:1px solid #ccc}')}<header class="top"><b>Northport Shop</b><button id="basket">Basket (12)</button></header><main class="wrap" style="max-width:none"><h1>Lamps</h1><div class="grid">${cards(24, 4)}</div></main>${FOOTER}<aside id="drawer" inert><h2 style="padding:20px 20px 0">Basket</h2><div class="lines">${each(12, (at) => `<div class="line"${at === 12 ? ' id="change"' : ''}><img loading="lazy" alt="" src="lamp-${at}.svg"><div><b>${say(at, 2)}</b><br>Amount: ${at === 12 ? '«1|5»' : 1}</div></div>`)}</div><div class="pay"><b>Total 240 EUR</b><br><button>Pay</button></div></aside><script>
basket.addEventListener('click', () => { const at = scrollY; Object.assign(document.body.style, { position: 'fixed', top: -at + 'px', width: '100%', overflowY: 'scroll' }); drawer.inert = false; document.documentElement.classList.add('open'); });</script>`,
      files: Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => [
          `lamp-${at + 1}.svg`,
          picture(at === 11 ? '«#963|#396»' : '#99a', 64, 64),
        ]),
      ),
      fields: { actions: [{ click: '#basket' }] },
      visitor: { moves: [1100, 400] },
    },
    // A feed that takes its posts away where they are out of view, and has an end.
    'fifth-feed-recycled': {
      body: `${style('#feed{max-width:600px;margin:0 auto}.post{padding:16px;border-bottom:8px solid #eee;min-height:150px}#end{text-align:center;padding:40px}#up{position:fixed;right:24px;bottom:24px;padding:14px;opacity:0;transition:opacity .2s}#up.on{opacity:1}')}${TOP}<main id="feed"></main><div id="end" aria-live="polite">Loading</div><a id="up" href="#">Back to top</a><script>
let page = 1, busy = false, done = false;
const near = new IntersectionObserver((all) => { for (const { target, isIntersecting, boundingClientRect } of all) {
  if (isIntersecting && !target.firstChild) { target.innerHTML = target.text; target.style.height = ''; }
  if (!isIntersecting && target.firstChild) { target.style.height = boundingClientRect.height + 'px'; target.replaceChildren(); } } }, { rootMargin: '300px 0px' });
const last = new IntersectionObserver(async ([one]) => { if (!one.isIntersecting || busy || done) return; busy = true; last.unobserve(end);
  const { posts, next } = await (await fetch('posts-' + page++ + '.json?wait=200')).json();
  for (const { id, html } of posts) { const post = Object.assign(document.createElement('article'), { className: 'post', id, text: html, innerHTML: html }); feed.append(post); near.observe(post); }
  busy = false; done = !next; if (done) end.textContent = 'You have seen everything'; else last.observe(end); }, { rootMargin: '400px 0px' });
last.observe(end);
addEventListener('scroll', () => up.classList.toggle('on', scrollY > 900), { passive: true });</script>`,
      files: Object.fromEntries(
        [1, 2, 3, 4].map((page) => [
          `posts-${page}.json`,
          JSON.stringify({
            next: page < 4,
            posts: Array.from({ length: 8 }, (_, at) => ({
              id: page === 3 && at === 4 ? 'change' : `post-${page}-${at}`,
              html: `<b>${people[at]}</b><p>${page === 3 && at === 4 ? 'Sold: the «blue|white» boat with «two|four» oars' : say(page * 9 + at, 20 + at * 5)}</p>`,
            })),
          }),
        ]),
      ),
    },
    // Pages in an app that snap. What is snapped comes in.
    'fifth-snapped-pages': {
      body: `${style('html,body{height:100%;overflow:hidden}main{height:100svh;overflow-y:auto;scroll-snap-type:y mandatory}section{height:100svh;scroll-snap-align:start;scroll-snap-stop:always;container-type:scroll-state size;border-bottom:1px solid #ccc}section>div{height:100%;padding:18cqh 10cqw;background:#f4f1ea}.late{opacity:0;translate:0 20px;transition:.3s}@container scroll-state(snapped:block){.late{opacity:1;translate:none}}')}<main>${each(6, (at) => `<section><div><h1>${say(at, 3)}</h1><p class="late"${at === 5 ? ' id="change"' : ''} style="max-width:500px;padding:24px;background:#fff">${at === 5 ? 'The sauna is «open|shut for the winter»' : say(at + 3, 24)}</p></div></section>`)}</main>`,
      visitor: { turn: [0, 720], waitMs: 300 },
    },
    // Backgrounds that stay where they are, behind text that moves over them.
    'fifth-fixed-background': {
      body: `${style('section{min-height:100lvh;padding:20vh 10vw;background:#fff fixed center/cover}.pane{max-width:520px;padding:28px;background:#fffc;backdrop-filter:blur(6px)}.s1{background-image:url(scene-1.svg)}.s2{background-image:url(scene-2.svg)}.s3{background-image:url(scene-3.svg)}')}${TOP}<section class="s1"><div class="pane"><h1>Islands</h1>${paragraphs(2)}</div></section><div class="wrap">${chapters(3)}</div><section class="s2" id="change"><div class="pane"><h2>Autumn</h2>${paragraphs(1, 8)}</div></section><div class="wrap">${chapters(3, 5)}</div><section class="s3"><div class="pane"><h2>Winter</h2>${paragraphs(1, 4)}</div></section>${FOOTER}`,
      files: Object.fromEntries(
        [1, 2, 3].map((at) => [
          `scene-${at}.svg`,
          `<svg ${SVG} viewBox="0 0 1280 720" preserveAspectRatio="xMidYMid slice"><rect width="1280" height="720" fill="#9bd"/><circle cx="1050" cy="160" r="80" fill="#fe9"/><path d="M0 520L260 300 520 560 800 260 1280 600V720H0Z" fill="${at === 2 ? '«#486|#a63»' : '#357'}"/></svg>`,
        ]),
      ),
    },
    // The contents of a handbook follow what is read: their end is out of view until then.
    'fifth-contents-follow': {
      body: `${style('.book{display:grid;grid-template-columns:260px minmax(0,1fr);gap:32px;align-items:start}#toc{position:sticky;top:0;max-height:100dvh;overflow-y:auto;padding:16px;border-right:1px solid #ddd;scrollbar-width:thin}#toc a{display:block;padding:7px 10px;color:#345;text-decoration:none}#toc a.on{background:#dde7f3;font-weight:bold}h2{scroll-margin-top:20px}')}${TOP}<div class="book"><nav id="toc">${each(44, (at) => `<a href="#c-${at}"${at === 43 ? ' id="change"' : ''}>${at === 43 ? '«Licences|Warranty and returns»' : say(at, 3)}</a>`)}</nav><main style="padding:24px 24px 500px 0"><h1>Handbook</h1>${each(44, (at) => `<h2 id="c-${at}">${say(at, 3)}</h2><p>${say(at + 2, 34)}.</p>`)}</main></div><script>
let active;
const mark = () => { const heads = [...document.querySelectorAll('h2')]; const now = heads.findLast((one) => one.getBoundingClientRect().top < 120) ?? heads[0]; if (now === active) return; active = now;
  toc.querySelector('.on')?.classList.remove('on'); const link = toc.querySelector('[href="#' + now.id + '"]'); link.classList.add('on'); toc.scrollTo({ top: link.offsetTop - toc.clientHeight / 2 }); };
let frame; addEventListener('scroll', () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(mark); }, { passive: true }); mark();</script>`,
      visitor: { over: [800, 400], toEnd: true },
    },
  },
  'unseen 5: data that comes late': {
    // Islands of a page of the server: a runtime imports each as it comes into view, and the island asks for its data.
    'fifth-islands': {
      body: `${style('site-island{display:block;min-height:160px;margin:20px 0;padding:16px;border:1px solid #ddd}')}${TOP}<main class="wrap"><h1>Boat</h1>${chapters(3)}<site-island client="idle" component="rating.mjs"><p>Ratings</p></site-island>${chapters(4, 5)}<site-island id="change" client="visible" component="offer.mjs"><p>Offer</p></site-island>${chapters(2, 9)}</main>${FOOTER}<script type="module" src="runtime.mjs?wait=200"></script>`,
      files: {
        'runtime.mjs': `const on = { idle: (run) => requestIdleCallback(run, { timeout: 1500 }), visible: (run, node) => { const seen = new IntersectionObserver(([one]) => { if (!one.isIntersecting) return; seen.disconnect(); run(); }); seen.observe(node); } };
customElements.define('site-island', class extends HTMLElement { connectedCallback() { on[this.getAttribute('client')](async () => { const [{ default: component }, { render }] = await Promise.all([import('./' + this.getAttribute('component') + '?wait=300'), import('./renderer.mjs?wait=450')]); await render(this, component); this.setAttribute('ready', ''); }, this); } });`,
        'renderer.mjs':
          'export async function render(node, component) { await new Promise((done) => requestIdleCallback(done)); node.innerHTML = await component(); }',
        'rating.mjs': "export default async () => '<b>4.5 of 5</b><p>from 212 guests</p>';",
        'offer.mjs': `export default async () => { const { currency } = await (await fetch('config.json?wait=200')).json(); const { price, left } = await (await fetch('offer-' + currency + '.json?wait=300')).json(); return '<h3>From ' + price + ' ' + currency + '</h3><p>' + left + ' places left</p>'; };`,
        'config.json': '{"currency":"EUR"}',
        'offer-EUR.json': '{"price":129,"left":"«8|only 3»"}',
      },
    },
    // A response that the server sends in parts: its later parts replace the skeletons of the first.
    'fifth-stream-boundaries': {
      body: `${style('.bone{height:90px;margin-bottom:16px;border-radius:8px;background:linear-gradient(90deg,#eee 40%,#f8f8f8 50%,#eee 60%) 0/300% 100%;animation:bone 1.2s infinite linear}@keyframes bone{from{background-position:100%}to{background-position:-50%}}')}${TOP}<main class="wrap"><h1>Timetable</h1>${chapters(3, 2)}${each(4, (at) => `<div data-boundary="${at}"><div class="bone"></div></div>`)}${chapters(2, 6)}</main>${FOOTER}<script>
(async () => { const reader = (await fetch('rest.html?stream=1400')).body.pipeThrough(new TextDecoderStream()).getReader(); let text = '';
  for (;;) { const { value, done } = await reader.read(); if (done) break; text += value;
    for (let end; (end = text.indexOf('</template>')) >= 0; text = text.slice(end + 11)) { const holder = document.createElement('div'); holder.innerHTML = text.slice(0, end + 11); const part = holder.querySelector('template'); document.querySelector('[data-boundary="' + part.dataset.for + '"]').replaceChildren(part.content); } } })();</script>`,
      files: {
        'rest.html': each(
          4,
          (at) =>
            `<template data-for="${at}"><div class="card"${at === 4 ? ' id="change"' : ''} style="min-height:90px;margin-bottom:16px"><b>${say(at, 2)}</b><p>${at === 4 ? '«Platform 3, on time|Platform 3, 25 minutes late»' : say(at, 12)}</p></div></template>`,
        ),
      },
      visitor: { see: '[data-boundary="4"]' },
    },
    // An answer that is written word by word, with a caret, and gets its form at the end.
    'fifth-answer-tokens': {
      body: `${style('body{background:#fafafa}.bubble{max-width:680px;margin:0 auto 24px;padding:16px 20px;border-radius:14px;background:#fff;border:1px solid #e4e4e4}.me{background:#e8f0ff}.caret{display:inline-block;width:8px;height:16px;background:#333;animation:blink 1s steps(2) infinite}@keyframes blink{50%{opacity:0}}pre{padding:12px;background:#222;color:#eee;border-radius:8px}')}${TOP}<main style="padding:24px">${each(7, (at) => `<div class="bubble me">${say(at, 10)}?</div><div class="bubble">${paragraphs(2, at)}</div>`)}<div class="bubble me">How long does the ferry take?</div><div class="bubble" id="change"><span id="out"></span><span class="caret"></span></div></main><script>
const queue = []; let open = true, text = '';
const events = new EventSource('answer.events?stream=700');
events.onmessage = ({ data }) => { const { words, end } = JSON.parse(data); queue.push(...words); if (end) { open = false; events.close(); } };
const write = setInterval(() => { if (queue.length > 0) { text += (text && ' ') + queue.shift(); out.textContent = text; return; } if (open) return; clearInterval(write); document.querySelector('.caret').remove();
  out.innerHTML = '<p>' + text.replace(/\\*\\*(.+?)\\*\\*/g, '<b>$1</b>').replace(/\`(.+?)\`/g, '</p><pre>$1</pre><p>') + '</p>'; }, 35);</script>`,
      files: {
        'answer.events': `data: ${JSON.stringify({ words: `${say(4, 20)}. The crossing takes **«forty|ninety» minutes** in good weather.`.split(' ') })}\n\ndata: ${JSON.stringify({ words: 'Ask for the next one: `ferry next --from Northport --count «2|5»` and be there early.'.split(' '), end: true })}\n\n`,
      },
    },
    // A board whose rows turn one after the other, once its socket has spoken.
    'fifth-socket-board': {
      body: `${style('#board{margin:24px;padding:12px;background:#111;color:#fc3;font:20px/1.6 monospace;min-height:420px}.r{display:grid;grid-template-columns:120px 1fr 80px;transition:transform .25s ease-in;transform-origin:50% 50%;border-bottom:1px solid #333}.r.turn{transform:rotateX(90deg)}')}${TOP}<div class="wrap">${chapters(3, 8)}</div><div id="board">${each(10, () => '<div class="r"><span>--:--</span><span>&nbsp;</span><span>-</span></div>')}</div><div class="wrap">${chapters(3, 12)}</div>${FOOTER}<script>
const rows = [...document.querySelectorAll('.r')];
rows[7].id = 'change';
const socket = new WebSocket(location.href.replace('http', 'ws') + 'board.txt?wait=900');
socket.onmessage = ({ data }) => data.split(';').forEach((entry, at) => setTimeout(() => { const row = rows[at], [time, to, platform] = entry.split(','); row.classList.add('turn'); row.addEventListener('transitionend', () => { row.children[0].textContent = time; row.children[1].textContent = to; row.children[2].textContent = platform; row.classList.remove('turn'); }, { once: true }); }, at * 130));</script>`,
      files: {
        'board.txt':
          '7:10,Cape,1;7:25,Ost,2;7:40,Vik,1;8:05,Ness,3;8:20,Cape,2;8:30,Lund,1;8:45,Ost,4;9:00,«Vik,2|Ness,9»',
      },
    },
    // A service worker answers with what it made up, asks the server, and tells the page.
    'fifth-worker-refresh': {
      body: `${style('#list{min-height:300px}')}${TOP}<main class="wrap"><h1>Stock</h1>${chapters(4, 17)}<div id="list"><p id="change" class="card">Loading</p></div>${chapters(3, 3)}</main>${FOOTER}<script>
const show = ({ amount, from }) => { change.innerHTML = '<b>' + amount + '</b> lamps, as of ' + from; };
(async () => { const { serviceWorker } = navigator;
  serviceWorker.addEventListener('message', ({ data }) => show(data)); serviceWorker.startMessages();
  const claimed = new Promise((done) => { if (serviceWorker.controller) done(); else serviceWorker.addEventListener('controllerchange', done, { once: true }); });
  await serviceWorker.register('worker.js'); await claimed;
  show(await (await fetch('stock.json')).json()); })();</script>`,
      files: {
        'worker.js': `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => { if (!event.request.url.endsWith('stock.json')) return;
  event.respondWith((async () => { const cache = await caches.open('stock'), known = await cache.match(event.request);
    const fresh = fetch(event.request.url + '?wait=900').then(async (answer) => { await cache.put(event.request, answer.clone()); const data = await answer.json(); for (const client of await clients.matchAll()) client.postMessage(data); });
    event.waitUntil(fresh);
    return known ?? Response.json({ amount: 'Some', from: 'last week' }); })()); });`,
        'stock.json': '{"amount":«48|31»,"from":"«Monday|Wednesday, 9 am»"}',
      },
    },
    // The first requests fail, and the page tries again, each time later.
    'fifth-retry-backoff': {
      body: `${style('#toast{position:fixed;left:50%;top:70px;translate:-50%;padding:10px 18px;background:#333;color:#fff;border-radius:20px}.spin{width:28px;height:28px;border:4px solid #ddd;border-top-color:#369;border-radius:50%;animation:spin .8s linear infinite}@keyframes spin{to{rotate:1turn}}')}${TOP}<main class="wrap"><h1>Weather</h1>${chapters(4, 7)}<section id="change" class="card" style="min-height:130px"><div class="spin"></div></section>${chapters(2)}</main>${FOOTER}<script>
async function ask(attempt = 0) {
  const answer = await fetch(attempt < 3 ? 'overloaded.json?attempt=' + attempt : 'weather.json?wait=100');
  if (answer.ok) return answer.json();
  if (!document.querySelector('#toast')) document.body.insertAdjacentHTML('beforeend', '<div id="toast">Connecting again</div>');
  await new Promise((done) => setTimeout(done, 250 * 2 ** attempt));
  return ask(attempt + 1);
}
ask().then(({ days }) => { document.querySelector('#toast')?.remove(); change.innerHTML = '<h3>This week</h3>' + days.map(({ day, sky }) => '<div>' + day + ': ' + sky + '</div>').join(''); });</script>`,
      files: {
        'weather.json':
          '{"days":[{"day":"Monday","sky":"rain"},{"day":"Tuesday","sky":"fog"},{"day":"Wednesday","sky":"«snow|sun»"},{"day":"Thursday","sky":"«storm in the west|calm»"}]}',
      },
    },
    // A job that the page asks about until it is done. Its result is a long table, which comes in slices.
    'fifth-job-table': {
      body: `${style('#bar{height:10px;background:#ddd}#bar i{display:block;height:100%;width:0;background:#369;transition:width .4s}table{width:100%;border-collapse:collapse}td{padding:7px;border-bottom:1px solid #ddd}tr{content-visibility:auto}')}${TOP}<main class="wrap"><h1>Export</h1><p>${say(3, 30)}.</p><p id="state">Queued</p><div id="bar"><i></i></div><table><tbody id="rows"></tbody></table></main>${FOOTER}<script>
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
(async () => { await fetch('jobs.json', { method: 'POST' });
  for (let turn = 1; ; turn++) { await wait(450); const { state: now, percent } = await (await fetch('job-' + turn + '.json')).json(); state.textContent = now + ', ' + percent + ' %'; bar.firstElementChild.style.width = percent + '%'; if (now === 'done') break; }
  const all = await (await fetch('result.json?wait=200')).json(); bar.remove(); state.textContent = all.length + ' rows';
  for (let at = 0; at < all.length; at += 15) { rows.insertAdjacentHTML('beforeend', all.slice(at, at + 15).map(([id, name, sum]) => '<tr' + (id === 96 ? ' id="change"' : '') + '><td>' + id + '</td><td>' + name + '</td><td>' + sum + '</td></tr>').join('')); await new Promise((done) => requestIdleCallback(done)); } })();</script>`,
      files: {
        'jobs.json': '{"id":7}',
        'job-1.json': '{"state":"queued","percent":0}',
        'job-2.json': '{"state":"running","percent":60}',
        'job-3.json': '{"state":"done","percent":100}',
        'result.json': `[${Array.from({ length: 120 }, (_, at) => `[${at + 1},"${say(at, 3)}",${at === 95 ? '"«paid in full|still open, 2nd reminder»"' : at * 12}]`).join(',')}]`,
      },
    },
    // Charts draw themselves when the scrolling rests, from data that each asks for then.
    'fifth-rest-charts': {
      body: `${style('.chart{height:300px;margin-bottom:24px;border:1px solid #ddd;background:#fbfbfb}canvas{display:block;width:100%;height:100%}')}${TOP}<main class="wrap"><h1>Figures</h1>${each(9, (at) => `<h2>${say(at, 3)}</h2><p>${say(at + 4, 30)}.</p><div class="chart"${at === 8 ? ' id="change"' : ''} data-at="${at}"><canvas></canvas></div>`)}</main>${FOOTER}<script>
const debounce = (run, ms) => { let timer; return () => { clearTimeout(timer); timer = setTimeout(run, ms); }; };
const data = new Map();
async function draw(box) {
  const { at } = box.dataset, { width, height } = box.getBoundingClientRect();
  if (!data.has(at)) data.set(at, fetch('chart-' + at + '.json?wait=200').then((answer) => answer.json()));
  const values = await data.get(at), canvas = box.firstElementChild, context = canvas.getContext('2d');
  canvas.width = width; canvas.height = height; context.fillStyle = '#47a';
  values.forEach((value, index) => context.fillRect(20 + index * (width - 40) / values.length, height - value, 30, value));
}
const inView = () => [...document.querySelectorAll('.chart')].filter((box) => { const { top, bottom } = box.getBoundingClientRect(); return top < innerHeight && bottom > 0; }).forEach(draw);
const later = debounce(inView, 300);
addEventListener('scroll', later, { passive: true }); addEventListener('resize', later); later();</script>`,
      files: Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [
          `chart-${at + 1}.json`,
          at === 7
            ? '[90,150,210,«120|240»,60,180,«240|100»,130]'
            : `[${Array.from({ length: 8 }, (_, index) => 40 + ((at * 50 + index * 37) % 200)).join(',')}]`,
        ]),
      ),
    },
    // A style sheet that does not block, which imports another one, which styles what has come by then.
    'fifth-style-not-blocking': {
      body: `<link rel="stylesheet" href="late.css?wait=700" media="print" onload="this.media='all'">${style('')}${TOP}<main class="wrap"><h1>${say(9, 6)}</h1>${chapters(5, 20)}<aside class="note" id="change"><div class="note-inner">${say(4, 30)}.</div></aside>${chapters(3, 24)}</main>${FOOTER}<script>
setTimeout(() => document.querySelector('.note-inner').insertAdjacentHTML('beforeend', '<em data-new>Updated</em>'), 1200);</script>`,
      files: {
        'late.css': '@import url("theme.css?wait=600") layer(theme);.note{padding:20px;background:#f4f4f4}',
        'theme.css':
          '@layer theme{.note:has([data-new]){border-left:8px solid «#369|#c60»;border-radius:4px}.note-inner{letter-spacing:.01em}}',
      },
    },
    // Pictures that are swapped once they are decoded, two at a time, as they come near.
    'fifth-decode-queue': {
      body: `${style('.photo{position:relative;aspect-ratio:3/2;overflow:hidden;background:#ddd}.photo img{position:absolute;inset:0;width:100%;height:100%;filter:blur(14px);scale:1.1}.photo img.full{filter:none;scale:1;opacity:0;transition:opacity .5s}.photo img.full.on{opacity:1}.grid{padding:24px}')}${TOP}<div class="grid">${each(27, (at) => `<figure style="margin:0"><div class="photo"${at === 26 ? ' id="change"' : ''} data-full="photo-${at}.svg?wait=150"><img alt="" src="small.svg"></div><figcaption>${say(at, 3)}</figcaption></figure>`)}</div>${FOOTER}<script>
const waiting = []; let running = 0;
const next = () => { while (running < 2 && waiting.length > 0) { running++; load(waiting.pop()).finally(() => { running--; next(); }); } };
async function load(box) { const image = new Image(); image.className = 'full'; image.alt = ''; image.src = box.dataset.full; await image.decode(); box.append(image); await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame); image.classList.add('on'); image.addEventListener('transitionend', () => image.previousElementSibling?.remove(), { once: true }); }
const near = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) if (isIntersecting) { near.unobserve(target); waiting.push(target); } next(); }, { rootMargin: '100px' });
for (const box of document.querySelectorAll('.photo')) near.observe(box);</script>`,
      files: {
        'small.svg': picture('#bbc', 30, 20),
        ...Object.fromEntries(
          Array.from({ length: 27 }, (_, at) => [
            `photo-${at + 1}.svg`,
            picture(at === 25 ? '«#2a6f7a|#7a2a6f»' : `hsl(${at * 13} 40% 55%)`),
          ]),
        ),
      },
    },
    // A Vue app: nested parts that wait, a part that is imported where it is in view, and transitions between them.
    'fifth-vue-suspense': {
      load: ['vue/dist/vue.global.prod.js'],
      body: `${style('.v-enter-active,.v-leave-active{transition:opacity .3s}.v-enter-from,.v-leave-to{opacity:0}.wait{height:140px;background:#eee;border-radius:8px}')}${TOP}<main class="wrap"><h1>Account</h1>${chapters(4, 9)}<div id="app"></div>${chapters(2, 2)}</main>${FOOTER}<script>
const { createApp, defineAsyncComponent, defineComponent, h, onMounted, ref, Suspense, Transition } = Vue;
const json = async (path) => (await fetch(path)).json();
const Invoices = defineAsyncComponent({ loader: async () => (await import('./invoices.mjs?wait=300')).create(Vue, json), delay: 100, loadingComponent: { render: () => h('div', { class: 'wait' }) } });
const Plan = defineComponent({ async setup() { const { plan } = await json('plan.json?wait=400'); return () => h('div', [h('h3', 'Plan: ' + plan), h(Suspense, { timeout: 0 }, { default: () => h(Invoices, { plan }), fallback: () => h('div', { class: 'wait' }) })]); } });
createApp({ setup() { const near = ref(false), place = ref(); onMounted(() => { const seen = new IntersectionObserver(([one]) => { if (one.isIntersecting) { near.value = true; seen.disconnect(); } }); seen.observe(place.value); });
  return () => h('section', { ref: place, class: 'card', id: 'change', style: 'min-height:220px' }, near.value ? h(Transition, { mode: 'out-in', appear: true }, () => h('div', { key: 'in' }, h(Suspense, null, { default: () => h(Plan), fallback: () => h('div', { class: 'wait' }) }))) : h('div', { class: 'wait' })); } }).mount('#app');</script>`,
      files: {
        'plan.json': '{"plan":"Harbour"}',
        'invoices.mjs': `export const create = ({ defineComponent, h }, json) => defineComponent({ props: ['plan'], async setup({ plan }) { const all = await json('invoices-' + plan + '.json?wait=350'); return () => h('ul', all.map((one) => h('li', { key: one }, one))); } });`,
        'invoices-Harbour.json': '["January: 12.00","February: 12.00","March: «12.00|reminder, 17.50»"]',
      },
    },
  },
  'unseen 5: small changes, and what moves': {
    // One letter of a headline, beside a ticker that never ends.
    'fifth-letter-ticker': `${style('.ticker{overflow:hidden;white-space:nowrap;background:#fd6;padding:8px 0}.ticker div{display:inline-flex;gap:60px;padding-right:60px;animation:tick 14s linear infinite}.ticker:hover div{animation-play-state:paused}@keyframes tick{to{translate:-50%}}.lead{display:grid;grid-template-columns:2fr 1fr;gap:24px}')}${TOP}${ticker(1)}<main class="wrap">${chapters(3)}${ticker(10)}<div class="lead"><h1 id="change">The harbour m«o|i»ves slowly in winter</h1><p>${say(5, 30)}.</p></div>${chapters(4, 6)}</main>${FOOTER}`,
    // One pixel of a border, beside a part that loads for ever.
    'fifth-border-spinner': `${style('.tile{padding:20px;background:#fff;border:1px solid #fff;border-radius:6px;min-height:170px}body{background:#f3f4f6}.tiles{display:grid;grid-template-columns:repeat(4,1fr);gap:16px;padding:24px}')}${TOP}<div class="tiles">${each(28, (at) => `<div class="tile"${at === 23 ? ' id="change" style="border-color:«#fff|#777»"' : ''}><small>${say(at, 2)}</small><h2>${at * 37}</h2>${at % 4 === 2 ? `<svg ${SVG} width="48" height="48" viewBox="0 0 48 48"><circle cx="24" cy="24" r="18" fill="none" stroke="#36c" stroke-width="5" stroke-dasharray="30 84"><animateTransform attributeName="transform" type="rotate" from="0 24 24" to="360 24 24" dur="0.9s" repeatCount="indefinite"/></circle></svg>` : `<p>${say(at, 8)}</p>`}</div>`)}</div>${FOOTER}`,
    // Numbers that count up once they are in view, each with its own duration.
    'fifth-count-up': `${style('.stats{display:flex;justify-content:space-around;padding:70px 24px;background:#16222e;color:#fff}.stats b{display:block;font:bold 44px/1.2 monospace;font-variant-numeric:tabular-nums}')}${TOP}<div class="wrap">${chapters(5, 2)}</div><div class="stats" id="change">${[1284, 96, '«48210|48270»', 12].map((value, at) => `<div><b data-to="${value}" data-ms="${900 + at * 300}">0</b>${say(at + 1, 2)}</div>`).join('')}</div><div class="wrap">${chapters(3, 7)}</div>${FOOTER}<script>
const format = new Intl.NumberFormat('en');
const seen = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) if (isIntersecting) { seen.unobserve(target); count(target); } }, { threshold: 1 });
for (const one of document.querySelectorAll('b[data-to]')) seen.observe(one);
function count(node) { const from = performance.now(), { to, ms } = node.dataset; requestAnimationFrame(function step(now) { const part = Math.min(1, Math.max(0, now - from) / ms), eased = part === 1 ? 1 : 1 - 2 ** (-10 * part); node.textContent = format.format(Math.round(to * eased)); if (part < 1) requestAnimationFrame(step); }); }</script>`,
    // An icon below a line that types and deletes words for ever.
    'fifth-icon-typewriter': `${style('.hero{height:420px;display:grid;place-content:center;background:#eef2f8;text-align:center}.hero b{display:inline-block;min-width:300px;text-align:left;border-right:3px solid}.feature{display:flex;gap:16px;align-items:center}.feature svg{flex:none}')}${TOP}<div class="hero"><h1>We ship <b id="typed"></b></h1><p>${say(2, 16)}.</p><svg id="change" ${SVG} width="40" height="40" viewBox="0 0 24 24" fill="none" stroke="#147" stroke-width="2" style="margin:auto"><path d="«M12 3v14M6 11l6 6 6-6M4 21h16|M12 21V7M6 13l6-6 6 6M4 3h16»"/></svg></div><main class="wrap">${chapters(4)}</main>${FOOTER}<script>
const words = ['parcels', 'letters', 'furniture', 'whole houses']; let word = 0, length = 0, way = 1;
(function tick() { length += way; typed.textContent = words[word].slice(0, length); let ms = way > 0 ? 90 : 45;
  if (length === words[word].length) { way = -1; ms = 900; } else if (length === 0) { way = 1; word = (word + 1) % words.length; ms = 300; }
  setTimeout(tick, ms); })();</script>`,
    // A label on a carousel that plays by itself.
    'fifth-label-carousel': `${style('.show{position:relative;height:380px;overflow:hidden;border-radius:12px}.slide{position:absolute;inset:0;opacity:0;transition:opacity .5s;padding:40px;color:#fff}.slide.on{opacity:1}.show strong{position:absolute;right:24px;top:24px;z-index:2;padding:12px 20px;background:#fd3;border-radius:30px}.dots{position:absolute;bottom:16px;left:50%;translate:-50%;z-index:2}.dots i{display:inline-block;width:10px;height:10px;margin:4px;border-radius:5px;background:#fff8}.dots .on{background:#fff}')}${TOP}<main class="wrap">${chapters(4, 5)}<div class="show"><strong id="change">Until «Sunday|Friday»</strong>${each(4, (at) => `<div class="slide${at === 1 ? ' on' : ''}" style="background:hsl(${at * 80} 45% 40%)"><h2>${say(at, 4)}</h2></div>`)}<div class="dots">${repeat(4, '<i></i>')}</div></div>${chapters(3, 8)}</main>${FOOTER}<script>
const slides = [...document.querySelectorAll('.slide')], dots = [...document.querySelectorAll('.dots i')]; let now = 0;
const go = (next) => { now = next % slides.length; slides.forEach((one, at) => one.classList.toggle('on', at === now)); dots.forEach((one, at) => one.classList.toggle('on', at === now)); };
go(0); let timer = setInterval(() => go(now + 1), 1400);
document.querySelector('.show').addEventListener('mouseenter', () => clearInterval(timer));
document.addEventListener('visibilitychange', () => { clearInterval(timer); if (!document.hidden) timer = setInterval(() => go(now + 1), 1400); });</script>`,
    // A step of a color, in a list whose times count, below a clock.
    'fifth-color-times': `${style('.job{display:grid;grid-template-columns:90px 1fr 160px 110px;gap:16px;align-items:center;padding:12px 24px;border-bottom:1px solid #eee}.tag{padding:6px 12px;border-radius:14px;background:#2c7a4b;color:#fff;text-align:center}time{color:#777;font-variant-numeric:tabular-nums}#clock{margin-left:auto;font-variant-numeric:tabular-nums}')}<header class="top"><b>Builds</b><span id="clock">00:00:00</span></header><main>${each(48, (at) => `<div class="job"><b>#${900 - at}</b><span>${say(at, 5)}</span><time data-ago="${at * 53}"></time><span class="tag"${at === 39 ? ' id="change" style="background:«#2c7a4b|#4a986a»"' : ''}>passed</span></div>`)}</main>${FOOTER}<script>
const opened = Date.now();
const ago = (seconds) => seconds < 60 ? seconds + ' s ago' : Math.floor(seconds / 60) + ' min ' + (seconds % 60) + ' s ago';
const tick = () => { const passed = Math.round((Date.now() - opened) / 1000); clock.textContent = new Date().toLocaleTimeString('de'); for (const one of document.querySelectorAll('time')) one.textContent = ago(passed + Number(one.dataset.ago)); };
tick(); setInterval(tick, 1000);</script>`,
    // A line that wraps, beside pictures that step to and fro.
    'fifth-wrap-steps': `${style('.stage{display:flex;gap:10px;height:120px;align-items:flex-end;padding:16px;background:#f2f6ee}.stage i{width:30px;height:20px;background:#6a4;animation:hop 1.1s steps(5) infinite alternate;animation-delay:calc(var(--at)*-170ms)}@keyframes hop{to{height:90px;background:#394}}.walker{width:60px;height:60px;background:conic-gradient(#333 25%,#ccc 0 50%,#333 0 75%,#ccc 0) 0/60px;animation:walk .8s steps(4) infinite,cross 5s linear 1s infinite alternate}@keyframes walk{to{background-position:240px}}@keyframes cross{to{translate:500px}}.side{width:300px}')}${TOP}<main class="wrap">${chapters(5, 4)}<div class="stage">${each(12, (at) => `<i style="--at:${at}"></i>`)}</div><div class="walker"></div><div class="side card" id="change"><b>Opening hours of «the|all the other» bridges in winter</b><p>${say(7, 12)}.</p></div>${chapters(2, 3)}</main>${FOOTER}`,
    // A logo whose one part moves for ever, and whose other part moves once and stays.
    'fifth-logo-smil': `${style('.brand{display:flex;align-items:center;gap:40px;padding:60px 24px;background:#f7f3ea}')}${TOP}<div class="wrap">${chapters(4, 13)}</div><div class="brand"><svg id="change" ${SVG} width="260" height="160" viewBox="0 0 260 160"><rect x="10" y="120" width="240" height="16" fill="#ccc"><animate id="grow" attributeName="width" begin="0.8s" dur="0.7s" from="0" to="240" fill="freeze"/></rect><circle cx="60" cy="60" r="34" fill="#ccc"><animate attributeName="fill" begin="grow.end+0.2s" dur="0.5s" from="#ccc" to="«#b33|#b83»" fill="freeze"/></circle><text x="110" y="66" font-size="26">North</text></svg><svg ${SVG} width="120" height="120" viewBox="0 0 120 120"><g fill="#258">${each(8, (at) => `<circle cx="60" cy="16" r="8" transform="rotate(${at * 45} 60 60)"><animate attributeName="opacity" values="1;.2;1" dur="1.2s" begin="${at * 0.15}s" repeatCount="indefinite"/></circle>`)}</g></svg><p>${say(4, 14)}.</p></div><div class="wrap">${chapters(3, 16)}</div>${FOOTER}`,
    // A word of a card, over a canvas of the whole window that is painted in each frame.
    'fifth-card-particles': `${style('#sky{position:fixed;inset:0;z-index:-1;width:100vw;height:100vh;pointer-events:none}.plans{display:grid;grid-template-columns:repeat(3,1fr);gap:24px;padding:24px}.plan{padding:24px;background:#fff;border:1px solid #ccd;border-radius:10px}body{background:none}html{background:#0d1b2a}h1,.wrap{color:#fff}')}<canvas id="sky"></canvas><div class="wrap"><h1>${say(3, 4)}</h1>${paragraphs(8, 3)}</div><div class="plans">${each(3, (at) => `<div class="plan"${at === 2 ? ' id="change"' : ''}><h2>${['Skiff', 'Sloop', 'Schooner'][at - 1]}</h2><p>${at === 2 ? 'For «5|8» people, with support by «mail|phone»' : say(at, 9)}</p></div>`)}</div><div class="wrap">${paragraphs(9, 6)}</div><script>
const context = sky.getContext('2d'); let width, height;
const fit = () => { width = sky.width = innerWidth; height = sky.height = innerHeight; }; addEventListener('resize', fit); fit();
const stars = Array.from({ length: 90 }, (_, at) => ({ x: (at * 197) % 1280, y: (at * 331) % 720, speed: 0.3 + (at % 5) / 4 }));
(function paint() { context.clearRect(0, 0, width, height); context.fillStyle = '#9cf'; for (const star of stars) { star.y = (star.y + star.speed) % height; context.beginPath(); context.arc(star.x % width, star.y, 2.5, 0, 7); context.fill(); } requestAnimationFrame(paint); })();</script>`,
    // A toast that comes late and stays, with a ring that turns.
    'fifth-toast-stays': {
      body: `${style('.toast{position:fixed;right:24px;bottom:24px;width:340px;display:flex;gap:14px;align-items:center;padding:16px;background:#222;color:#fff;border-radius:10px;translate:0 140%;transition:translate .4s cubic-bezier(.2,1.4,.4,1)}.toast.in{translate:none}.ring{width:26px;height:26px;border-radius:50%;border:3px solid #555;border-top-color:#fff;animation:turn 1s linear infinite}@keyframes turn{to{rotate:1turn}}')}${TOP}<main class="wrap"><h1>Photos</h1>${chapters(6, 18)}</main>${FOOTER}<div id="toasts" aria-live="polite"></div><script>
setTimeout(async () => { const { left } = await (await fetch('sync.json?wait=300')).json(); toasts.innerHTML = '<div class="toast"><span class="ring"></span><span id="change">' + left + ' photos are still to come</span></div>'; const toast = toasts.firstElementChild; toast.getBoundingClientRect(); toast.classList.add('in'); }, 900);</script>`,
      files: { 'sync.json': '{"left":"«34|All 81»"}' },
      visitor: { waitMs: 1500 },
    },
    // An arrow in a long table, whose lines draw themselves, and whose points beat for ever.
    'fifth-arrow-table': `${style('table{width:100%;border-collapse:collapse}td{padding:6px 14px;border-bottom:1px solid #e6e6e6}polyline{fill:none;stroke:#58a;stroke-width:2;stroke-dasharray:200;animation:draw .8s ease-out both;animation-delay:calc(min(var(--at),20)*40ms)}@keyframes draw{from{stroke-dashoffset:200}}.live{display:inline-block;width:9px;height:9px;border-radius:5px;background:#2a4;animation:beat 1.3s ease-in-out infinite alternate;animation-delay:calc(var(--at)*-230ms)}@keyframes beat{to{opacity:.2;scale:1.6}}thead th{position:sticky;top:0;background:#fff;text-align:left;padding:10px 14px}')}${TOP}<table><thead><tr><th>Name<th>Week<th>Price<th>Trend<th>Live</tr></thead><tbody>${each(110, (at) => `<tr style="--at:${at}"><td>${say(at, 2)}</td><td><svg width="120" height="30"><polyline points="${Array.from({ length: 9 }, (_, index) => `${index * 14},${4 + ((at * 7 + index * index * 5) % 22)}`).join(' ')}"/></svg></td><td>${at * 3}.${at % 10}0</td><td><svg${at === 77 ? ' id="change"' : ''} width="20" height="20"><path fill="${at === 77 ? '«#283|#c22»' : '#283'}" d="${at === 77 ? '«M10 2L19 18H1Z|M10 18L19 2H1Z»' : 'M10 2L19 18H1Z'}"/></svg></td><td><i class="live"></i></td></tr>`)}</tbody></table>${FOOTER}`,
  },
};
