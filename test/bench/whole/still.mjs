import { writeLottie } from './late.mjs';
import { CHANGE, SVG, writeDocument } from './shared.mjs';

const CHARTIST = ['chartist/dist/index.css', 'chartist/dist/index.umd.js'];
const SWIPER = ['swiper/swiper-bundle.min.css', 'swiper/swiper-bundle.min.js'];
const VIDEO = '<video src="/clip.webm" autoplay muted loop playsinline width="320" height="180"></video>';

/** An element with a shadow root. */
const inShadow = (content, mode = 'open') => `<h1>Specimen</h1><div id="host"></div><script>
const shadow = host.attachShadow({ mode: '${mode}' });
shadow.innerHTML = \`${content}\`;</script>`;

/** Runs code in an element with a size. */
const stage = (code) =>
  `<h1>Specimen</h1><div id="change" style="width:600px;height:360px"></div><script>${code}</script>`;

/** Where things stand still, and where they move. */
export const STILL = {
  'paused CSS animations': {
    'paused-progress': {
      body: `<style>@keyframes grow{from{width:0}to{width:600px}}#change{height:40px;background:#06c;animation:grow 10s linear «-2s|-6s» both paused}</style>
<h1>Specimen</h1><div style="width:600px;background:#ddd"><div id="change"></div></div>`,
      visitor: { see: 'div' },
    },
    'paused-pie': `<style>@keyframes pie{to{stroke-dashoffset:0}}circle{stroke-dasharray:314;stroke-dashoffset:314;animation:pie 100s linear «-25s|-70s» paused}</style>
<h1>Specimen</h1><svg id="change" width="200" height="200"><circle cx="100" cy="100" r="50" fill="none" stroke="#06c" stroke-width="80"/></svg>`,
    'paused-animate': {
      load: ['animate.css/animate.min.css'],
      body: `<h1>Specimen</h1><div id="change" style="padding:40px 0"><div class="animate__animated animate__slideInLeft"
style="width:300px;height:60px;background:#06c;animation-play-state:paused;animation-delay:«-.3s|-.8s»"></div></div>`,
      // The library ends all animations of a visitor who wants less motion.
      fields: { settle: { motion: false } },
    },
    'paused-gsap': {
      load: ['gsap/dist/gsap.min.js'],
      body: stage(`change.style.background = '#06c';
gsap.fromTo(change, { width: 0 }, { width: 600, duration: 4, paused: true }).progress(«0.3|0.7»);`),
    },
  },
  'SMIL animations that end': {
    'smil-bars': `<h1>Specimen</h1><svg id="change" width="300" height="200"><rect x="20" width="60" height="0" fill="#06c">
<animate attributeName="height" from="0" to="«80|180»" dur="1.2s" fill="freeze"/></rect></svg>`,
    'smil-image': {
      body: '<h1>Specimen</h1><img id="change" src="chart.svg" width="300" height="200" alt="">',
      files: {
        'chart.svg': `<svg ${SVG} width="300" height="200"><rect x="20" width="60" height="0" fill="#06c"><animate attributeName="height" from="0" to="«80|180»" dur="1.2s" fill="freeze"/></rect></svg>`,
      },
    },
    'smil-chartist': {
      load: CHARTIST,
      body: stage(`new Chartist.BarChart(change, { labels: ['a', 'b', 'c'], series: [[3, «1|5», 2]] }, { high: 6, low: 0 }).on('draw', ({ type, element, y1, y2 }) => {
  if (type === 'bar') element.animate({ y2: { dur: 1000, from: y1, to: y2, fill: 'freeze' } });
});`),
    },
  },
  "animations of the browser's style sheet": {
    'browser-progress': `<h1>Specimen</h1><p><progress></progress></p>${CHANGE}`,
    'browser-frame': {
      body: `<h1>Specimen</h1><iframe src="frame.html" width="500" height="300"></iframe>`,
      files: { 'frame.html': writeDocument([], `<p><progress></progress></p>${CHANGE}`) },
      visitor: { see: 'iframe' },
    },
    'browser-marquee': `<h1>Specimen</h1><marquee>News of the day</marquee>${CHANGE}`,
    'browser-pico': {
      load: ['@picocss/pico/css/pico.min.css'],
      body: `<h1>Specimen</h1><progress></progress><button aria-busy="true">Wait</button>${CHANGE}`,
    },
    'browser-videojs': {
      load: ['video.js/dist/video-js.min.css', 'video.js/dist/video.min.js'],
      body: `<h1>Specimen</h1><video id="player" class="video-js" width="400" height="200" controls></video>${CHANGE}<script>
const player = videojs('player'); player.addClass('vjs-waiting'); player.addClass('vjs-has-started');</script>`,
    },
  },
  'videos that play by themselves': {
    'video-shadow': {
      body: inShadow(VIDEO + CHANGE),
      visitor: { see: '#host' },
    },
    'video-frame': {
      body: `<h1>Specimen</h1><iframe src="{other}/frame.html" width="500" height="360"></iframe>`,
      files: { 'frame.html': writeDocument([], VIDEO + CHANGE) },
      visitor: { see: 'iframe' },
    },
    'video-videojs': {
      load: ['video.js/dist/video.min.js'],
      body: `${inShadow('<link rel="stylesheet" href="/lib/video.js/dist/video-js.min.css"><div id="box" style="height:200px"></div>')}${CHANGE}<script>
shadow.querySelector('#box').innerHTML = \`${VIDEO}\`; videojs(shadow.querySelector('video'), { autoplay: 'muted', loop: true })</script>`,
    },
    'video-plyr': {
      load: ['plyr/dist/plyr.css', 'plyr/dist/plyr.min.js'],
      body: `${inShadow(`<div style="width:320px">${VIDEO}</div>`)}${CHANGE}<script>
new Plyr(shadow.querySelector('video'), { autoplay: true, muted: true, loadSprite: false, loop: { active: true } })</script>`,
    },
  },
  'hover that no action asked for': {
    'hover-corner': `<style>#change{height:80px;background:«#fc6|#6cf»}#change:hover{background:#000}</style><div id="change">Home</div><p>Text</p>`,
    'hover-element': {
      body: `<style>a{display:block;padding:40px;background:«#fc6|#6cf»}a:hover{background:#000}</style><h1>Specimen</h1><a id="change" href="#">Home</a><p>Text</p>`,
      fields: { element: '#change' },
    },
    'hover-tippy': {
      load: [
        'tippy.js/dist/tippy.css',
        '@popperjs/core/dist/umd/popper.min.js',
        'tippy.js/dist/tippy-bundle.umd.min.js',
      ],
      body: `<button id="home" style="width:200px;height:60px;display:block">Home</button>${CHANGE}<script>
tippy('#home', { maxWidth: 'none', allowHTML: true, content: '<div style="width:1200px;height:140px">Start</div>', placement: 'bottom' });</script>`,
    },
  },
  'libraries that move': {
    'moves-three': `<h1>Specimen</h1><canvas id="change" width="400" height="300"></canvas><script type="module">
import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, WebGLRenderer } from '/lib/three/build/three.module.js';
const renderer = new WebGLRenderer({ canvas: change }); const scene = new Scene();
const box = new Mesh(new BoxGeometry(), new MeshBasicMaterial({ color: '«#c60|#06c»' })); scene.add(box);
const camera = new PerspectiveCamera(60, 4 / 3); camera.position.z = 2;
renderer.setAnimationLoop((ms) => { box.rotation.set(ms / 900, ms / 700, 0); renderer.render(scene, camera); });</script>`,
    'moves-lottie': {
      load: ['lottie-web/build/player/lottie.min.js'],
      body: stage(
        `lottie.loadAnimation({ container: change, loop: true, animationData: ${writeLottie('[«1,0.4,0|0,0.4,1»,1]')} })`,
      ),
    },
    'moves-swiper': {
      load: SWIPER,
      body: `<h1>Specimen</h1><div class="swiper" id="change" style="width:600px;height:200px"><div class="swiper-wrapper">
${['One', 'Two', 'Three'].map((text) => `<div class="swiper-slide" style="background:«#fc6|#6cf»">${text}</div>`).join('')}
</div></div><script>new Swiper('.swiper', { loop: true, autoplay: { delay: 1500 } })</script>`,
    },
    'moves-maplibre': {
      load: ['maplibre-gl/dist/maplibre-gl.css', 'maplibre-gl/dist/maplibre-gl.js'],
      body: stage(`const data = { type: 'Polygon', coordinates: [[[9, 47], [13, 47], [11, 50], [9, 47]]] };
const map = new maplibregl.Map({ container: change, center: [10, 47], zoom: 4, attributionControl: false, style: { version: 8,
  sources: { area: { type: 'geojson', data } }, layers: [{ id: 'area', type: 'fill', source: 'area', paint: { 'fill-color': '«#c60|#06c»' } }] } });
map.on('load', () => map.flyTo({ center: [11, 48], zoom: 5, duration: 1500 }));`),
    },
    'moves-leaflet': {
      load: ['leaflet/dist/leaflet.css', 'leaflet/dist/leaflet.js'],
      body: stage(`const map = L.map(change).setView([48, 9], 5);
L.circle([48, 11], { radius: 150000, color: '«#c60|#06c»', fillOpacity: 1 }).addTo(map);
setTimeout(() => map.flyTo([48, 11], 7, { duration: 1 }), 500);`),
    },
    'moves-highcharts': {
      load: ['highcharts/highcharts.js'],
      body: stage(
        `Highcharts.chart(change, { plotOptions: { series: { animation: { duration: 2500 } } }, series: [{ type: 'column', data: [3, «1|5», 2] }] })`,
      ),
    },
    'moves-gsap': {
      load: ['gsap/dist/gsap.min.js'],
      body: `<h1>Specimen</h1><div id="ball" style="width:80px;height:80px;border-radius:50%;background:#888"></div>${CHANGE}
<script>gsap.to('#ball', { x: 500, rotation: 360, duration: 1.7, repeat: -1, yoyo: true })</script>`,
    },
    'moves-typed': {
      load: ['typed.js/dist/typed.umd.js'],
      body: `<h1>Specimen</h1><p>We make <b id="text"></b></p>${CHANGE}<script>
new Typed('#text', { strings: ['pages', 'maps', 'tests'], typeSpeed: 60, backSpeed: 30, loop: true })</script>`,
    },
  },
};
