import { repeat, said, style } from './shared.mjs';

const SAYS = '«Delivery takes two days|Delivery takes nine weeks»';
const SAID = said(SAYS);
const COLOR = '«#3c3|#c33»';
const lines = (count) => repeat(count, '<p>Paragraph #: the quick brown fox jumps over the lazy dog.</p>');

/** Layouts of real sites. */
export const LAYOUTS = {
  layouts: {
    'layout-sticky-sidebar': {
      body: `${style('.docs{display:grid;grid-template-columns:280px 1fr}nav{position:sticky;top:0;height:100vh;overflow-y:auto;background:#eef}')}
<header style="height:60px">Docs</header><div class="docs"><nav>${lines(50)}${SAID}</nav><article>${lines(70)}</article></div>`,
      visitor: { over: [100, 400] },
    },
    'layout-tab-panel': {
      body: `${style('[role=tabpanel]{border-top:1px solid;min-height:300px}')}${lines(4)}<div role="tablist"><button role="tab" id="first">Info</button><button role="tab" id="second">Terms</button></div>
<div role="tabpanel" id="panel">Info</div><script>
second.onclick = async () => { panel.innerHTML = await (await fetch('terms.html?wait=400')).text(); };</script>`,
      files: { 'terms.html': `${lines(40)}${SAID}` },
      fields: { actions: [{ click: '#second' }] },
    },
    'layout-accordion': {
      body: `${style(':root{interpolate-size:allow-keywords}details::details-content{height:0;overflow:clip;transition:height .5s,content-visibility .5s allow-discrete}details[open]::details-content{height:auto}summary{padding:16px;border-top:1px solid}')}
${repeat(12, '<details name="faq"><summary>Question #</summary><p>Answer</p></details>')}<details name="faq" id="last"><summary>Question 13</summary>${lines(10)}${SAID}</details>`,
      fields: { actions: [{ click: '#last summary' }] },
    },
    'layout-fixed-footer': {
      body: `${style('footer{position:fixed;bottom:0;left:0;right:0;height:80px;background:#234;color:#fff}body{padding-bottom:80px}')}${lines(70)}${SAID}<footer>Accept all</footer>`,
      visitor: { toEnd: true },
    },
    'layout-viewport-units': `${style('section{position:relative;background:#eef;border-bottom:1px solid}section:nth-child(odd){min-height:100svh}section:nth-child(even){height:calc(100dvh - 60px)}section:last-child{height:min(120lvh,900px)}section>p{position:absolute;bottom:0;font-size:clamp(12px,3vh,40px)}')}
<main>${repeat(3, '<section><h2>#</h2></section>')}<section>${SAID}</section><section>End</section></main>`,
    'layout-container-units': `${style(`.stage{container-type:size;height:70vh;background:#eef}.stage div{height:40cqh;font-size:10cqh;background:${COLOR}}@container (height > 600px){.stage div{display:none}}`)}${lines(40)}<div class="stage"><div id="change">Stage</div></div>${lines(10)}`,
    // The page scrolls down, and its pictures move sideways.
    'layout-timeline-gallery': `${style('.gallery{height:400vh;view-timeline:--gallery block}.pin{position:sticky;top:0;height:100vh;overflow:hidden}.row{display:flex;width:400vw;animation:move linear both;animation-timeline:--gallery;animation-range:contain}.row>*{width:100vw;flex:none}@keyframes move{to{transform:translateX(-300vw)}}')}
${lines(10)}<div class="gallery"><div class="pin"><div class="row">${repeat(3, '<div>Picture #</div>')}<div>${SAID}</div></div></div></div>${lines(20)}`,
    'layout-snap-carousel': {
      body: `${style('.row{display:flex;gap:20px;overflow-x:auto;scroll-snap-type:x mandatory}.row>*{flex:0 0 80%;scroll-snap-align:center;height:300px;background:#eef}')}<h1>News</h1><div class="row">${repeat(5, '<div>Card #</div>')}<div>${SAID}</div></div>${lines(40)}`,
      visitor: { over: [600, 200], turn: [900, 0], toEnd: true },
    },
    // Each part is loaded when the place before it is near.
    'layout-lazy-chain': {
      body: `${style('section{min-height:500px;border-top:1px solid}')}<div id="list"><section data-next="2.html">Part 1</section></div><script>
const seen = new IntersectionObserver((all) => { for (const { target, isIntersecting } of all) if (isIntersecting) { seen.unobserve(target); setTimeout(load, 900, target.dataset.next); } }, { rootMargin: '0px 0px 200px' });
const load = async (path) => { list.insertAdjacentHTML('beforeend', await (await fetch(path + '?wait=300')).text()); if (list.lastElementChild.dataset.next) seen.observe(list.lastElementChild); };
seen.observe(list.firstElementChild);</script>`,
      files: {
        ...Object.fromEntries(
          [2, 3, 4].map((part) => [`${part}.html`, `<section data-next="${part + 1}.html">Part ${part}</section>`]),
        ),
        '5.html': `<section>${SAID}</section>`,
      },
      visitor: { toEnd: true },
    },
    'layout-masonry': `${style('#wall{position:relative}#wall>*{position:absolute;width:300px;box-sizing:border-box;background:#eef;border:1px solid}')}<h1>Pins</h1><div id="wall">${repeat(40, '<div style="height:calc(120px + 7px * #)">Pin #</div>')}<div>${SAID}</div></div><script>
new ResizeObserver(([{ contentRect }]) => {
  const ends = Array.from({ length: Math.max(1, Math.floor(contentRect.width / 310)) }, () => 0);
  for (const pin of wall.children) { const at = ends.indexOf(Math.min(...ends)); pin.style.left = at * 310 + 'px'; pin.style.top = ends[at] + 'px'; ends[at] += pin.offsetHeight + 10; }
  wall.style.height = Math.max(...ends) + 'px';
}).observe(wall);</script>`,
    'layout-load-more': {
      body: `${style('article{height:200px;border-top:1px solid}')}<h1>Shop</h1><div id="list">${repeat(6, '<article>Item #</article>')}</div><button id="more">Load more</button><script>
let next = 2;
more.onclick = async () => { more.disabled = true; list.insertAdjacentHTML('beforeend', await (await fetch('page-' + next++ + '.html?wait=500')).text()); more.hidden = next > 3; more.disabled = false; };
new IntersectionObserver(([one]) => one.isIntersecting && next === 2 && more.click()).observe(more);</script>`,
      files: {
        'page-2.html': `${repeat(4, '<article>More #</article>')}${SAID}`,
        'page-3.html': '<article>Last</article>',
      },
    },
    'layout-dialog-terms': {
      body: `${style('dialog{width:600px}dialog>div{height:300px;overflow-y:scroll}')}${lines(60)}<dialog><h2>Terms</h2><div>${lines(30)}${SAID}</div><button>Agree</button></dialog>
<script>setTimeout(() => document.querySelector('dialog').showModal(), 1500)</script>`,
      visitor: { over: [640, 360], waitMs: 2000 },
    },
    'layout-columns': {
      body: `${style('main{columns:3;column-gap:40px;column-fill:balance}figure{break-inside:avoid;margin:0;height:260px;background:#eef}h1{column-span:all}')}<main><h1>Paper</h1>${lines(60)}<h1>Second</h1>${repeat(8, '<figure>Figure #</figure>')}${lines(60)}${SAID}</main>`,
      visitor: { toEnd: true },
    },
    // The layers move at other speeds than the page. A sticker comes from behind a panel.
    'layout-parallax': `${style('.scene{position:relative;height:1600px;overflow:hidden;background:#eef}.panel{position:absolute;top:900px;width:100%;height:300px;background:#234;z-index:1}#change{position:absolute;top:1000px;left:100px;width:300px;height:120px}')}<div class="scene"><div class="panel"></div><div id="change" style="background:${COLOR}">Sticker</div></div>${lines(40)}<script>
addEventListener('scroll', () => { change.style.transform = 'translateY(' + -0.3 * scrollY + 'px)'; });</script>`,
    'layout-hero-by-script': `${style('section{position:relative;background:#eef;border-bottom:1px solid}section>p{position:absolute;bottom:0}')}<header style="height:60px">Head</header><section>1</section><section>${SAID}</section>${lines(20)}<script>
const fit = () => { for (const one of document.querySelectorAll('section')) one.style.height = innerHeight - 60 + 'px'; };
addEventListener('resize', fit); fit();</script>`,
    'layout-match-media': `${style('')}<div id="change" style="padding:16px">Wide</div>${lines(80)}<script>
const low = matchMedia('(max-height: 900px)');
const show = () => { change.textContent = low.matches ? '${SAYS}' : 'Tall window'; };
low.addEventListener('change', show); show();</script>`,
  },
};
