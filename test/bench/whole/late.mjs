import { LATE, NEWS, repeat, SVG, VALUE } from './shared.mjs';

/** Runs code when the page has loaded. */
const afterLoad = (code) => `${LATE}<script>addEventListener('load', () => { ${code} });</script>`;

/** Changes a chart once its data has arrived. */
const chartPage = (draw) =>
  `<h1>Specimen</h1><div id="change" style="width:700px;height:400px"></div><script>${draw}</script>`;

const SHOW_VALUE = `show('${VALUE}');`;
const CODE = `function total(items) {\\n  let sum = 0;\\n  for (const item of items) sum += item.price;\\n  return sum;\\n}`;

/** What comes late. */
export const LATER = {
  'starts after load': {
    'late-script': {
      body: afterLoad(`add('script', { src: 'late.js?wait=1300' })`),
      files: { 'late.js': `show('${NEWS}');` },
    },
    'late-data': {
      body: afterLoad(
        `fetch('data.json?wait=2500').then((response) => response.json()).then(({ text }) => show(text))`,
      ),
      files: { 'data.json': `{ "text": "${NEWS}" }` },
    },
    'late-chain': {
      body: afterLoad(`(async () => {
  for (const name of ['a', 'b']) await (await fetch(name + '.json?wait=600')).json();
  show((await (await fetch('c.json?wait=600')).json()).text);
})()`),
      files: { 'a.json': '{}', 'b.json': '{}', 'c.json': `{ "text": "${NEWS}" }` },
    },
    'late-style': {
      body: afterLoad(`show('10'); add('link', { rel: 'stylesheet', href: 'late.css?wait=800' })`),
      files: { 'late.css': '#change { background: «#fc6|#6cf» !important }' },
    },
    'late-chart': {
      load: ['chart.js/dist/chart.umd.min.js'],
      body: chartPage(`
const canvas = change.appendChild(document.createElement('canvas'));
const chart = new Chart(canvas, { type: 'bar', data: { labels: ['a', 'b', 'c'], datasets: [{ label: 'n', data: [3, 1, 2] }] } });
addEventListener('load', async () => { chart.data.datasets[0].data = await (await fetch('data.json?wait=1300')).json(); chart.update(); });`),
      files: { 'data.json': '[3, «1|5», 2]' },
    },
    'late-echarts': {
      load: ['echarts/dist/echarts.min.js'],
      body: chartPage(`
const chart = echarts.init(change);
const load = async (name) => (await fetch(name + '.json?wait=700')).json();
addEventListener('load', async () => {
  const axis = await load('axis');
  chart.setOption({ xAxis: { data: axis }, yAxis: {}, series: [{ type: 'line', data: await load('data') }] });
});`),
      files: { 'axis.json': '["a", "b", "c"]', 'data.json': '[3, «1|5», 2]' },
    },
    'late-apexcharts': {
      load: ['apexcharts/dist/apexcharts.min.js'],
      body: chartPage(`
const chart = new ApexCharts(change, { chart: { type: 'bar', height: 380 }, series: [], noData: { text: 'Loading' } });
chart.render();
addEventListener('load', async () => chart.updateSeries(await (await fetch('data.json?wait=1500')).json()));`),
      files: { 'data.json': '[{ "name": "n", "data": [3, «1|5», 2] }]' },
    },
  },
  'streaming bodies': {
    'stream-text': {
      body: `${LATE}<script>show('Loading'); fetch('data.txt?stream=700').then((response) => response.text()).then(show)</script>`,
      files: { 'data.txt': VALUE },
    },
    'stream-table': {
      load: ['tabulator-tables/dist/css/tabulator.min.css', 'tabulator-tables/dist/js/tabulator.min.js'],
      body: `<h1>Specimen</h1><div id="change"></div><script>
new Tabulator('#change', { height: 300, ajaxURL: 'rows.json?stream=1000', columns: [{ title: 'Name', field: 'name', width: 300 }] });</script>`,
      files: { 'rows.json': '[{ "name": "Tea" }, { "name": "«Coffee|Chocolate and cake»" }, { "name": "Milk" }]' },
    },
    'stream-highcharts': {
      load: ['highcharts/highcharts.js'],
      body: chartPage(`
fetch('data.csv?stream=800').then((response) => response.text()).then((text) => {
  Highcharts.chart(change, { series: [{ type: 'column', data: text.trim().split(',').map(Number) }] });
});`),
      files: { 'data.csv': '3,«1|5»,2,4' },
    },
  },
  'external resources': {
    'resource-sprite': {
      body: `<h1>Specimen</h1><div id="change"></div><script>addEventListener('load', () => {
  change.innerHTML = '<svg width="120" height="120"><use href="sprite.svg?wait=800#icon"></use></svg>';
});</script>`,
      files: {
        'sprite.svg': `<svg ${SVG}><symbol id="icon" viewBox="0 0 24 24"><path fill="«#c00|#06c»" d="M2 2h20v20H2z"/></symbol></svg>`,
      },
    },
    'resource-filter': {
      body: `<h1>Specimen</h1><div id="change" style="width:200px;height:120px;background:#c00"></div><script>
addEventListener('load', () => { change.style.filter = 'url(filter.svg?wait=800#color)'; });</script>`,
      files: {
        'filter.svg': `<svg ${SVG}><filter id="color"><feFlood flood-color="«#fc6|#06c»"/></filter></svg>`,
      },
    },
    'resource-mask': {
      body: `<h1>Specimen</h1><div id="change" style="width:200px;height:200px;background:#c00"></div><script>
addEventListener('load', () => { change.style.mask = 'url(mask.svg?wait=800) no-repeat'; });</script>`,
      files: { 'mask.svg': `<svg ${SVG} width="200" height="200"><circle cx="100" cy="100" r="«50|90»"/></svg>` },
    },
    'resource-image': {
      body: `<h1>Specimen</h1><div id="change" style="width:200px;height:200px"></div><script>
addEventListener('load', () => { change.style.background = 'url(photo.svg?wait=1200)'; });</script>`,
      files: {
        'photo.svg': `<svg ${SVG} width="200" height="200"><rect width="200" height="200" fill="«#fc6|#06c»"/></svg>`,
      },
    },
    'resource-video': `<h1>Specimen</h1><video id="change" width="320" height="180" preload="auto" muted></video><script>
addEventListener('load', () => { change.src = '/clip.webm?wait=800#t=«0|0.9»'; });</script>`,
    'resource-plyr': {
      load: ['plyr/dist/plyr.css', 'plyr/dist/plyr.min.js'],
      body: `<h1>Specimen</h1><div id="change" style="width:640px"><video id="player" src="/clip.webm"></video></div><script>
addEventListener('load', () => new Plyr('#player', { iconUrl: 'icons.svg?wait=800', controls: ['play-large', 'play'] }));</script>`,
      files: {
        'icons.svg': `<svg ${SVG}><symbol id="plyr-play" viewBox="0 0 18 18"><path d="M«2 2h14v14H2z|9 1l8 16H1z»"/></symbol><symbol id="plyr-pause" viewBox="0 0 18 18"><path d="M2 2h4v14H2z"/></symbol></svg>`,
      },
    },
    'resource-lottie': {
      load: ['lottie-web/build/player/lottie.min.js'],
      body: `<h1>Specimen</h1><div id="change" style="width:200px;height:200px"></div><script>
addEventListener('load', () => lottie.loadAnimation({ container: change, loop: false, path: 'animation.json?wait=1200' }));</script>`,
      files: { 'animation.json': writeLottie('[«1,0.4,0|0,0.4,1»,1]') },
    },
  },
  'module imports': {
    'module-import': {
      body: afterLoad(`import('./late.mjs?wait=800').then(({ text }) => show(text))`),
      files: { 'late.mjs': `export const text = '${NEWS}';` },
    },
    'module-chain': {
      body: afterLoad(`add('script', { type: 'module', src: 'a.mjs?wait=500' })`),
      files: {
        'a.mjs': `import { text } from './b.mjs?wait=500'; show(text);`,
        'b.mjs': `export { text } from './c.mjs?wait=500';`,
        'c.mjs': `export const text = '${VALUE}';`,
      },
    },
    'module-three': `<h1>Specimen</h1><canvas id="change" width="400" height="300"></canvas><script>
addEventListener('load', async () => {
  const { BoxGeometry, Mesh, MeshNormalMaterial, PerspectiveCamera, Scene, WebGLRenderer } = await import('/lib/three/build/three.module.js?wait=800');
  const renderer = new WebGLRenderer({ canvas: change }); const scene = new Scene();
  const box = new Mesh(new BoxGeometry(), new MeshNormalMaterial());
  box.rotation.set(0.5, «0.2|0.9», 0); scene.add(box);
  const camera = new PerspectiveCamera(60, 4 / 3); camera.position.z = 2; renderer.render(scene, camera);
});</script>`,
    'module-echarts': `${chartPage('')}<script>
addEventListener('load', async () => {
  const { init } = await import('/lib/echarts/dist/echarts.esm.min.js?wait=800');
  init(change).setOption({ series: [{ type: 'pie', data: [{ name: 'a', value: 1 }, { name: 'b', value: «1|3» }] }] });
});</script>`,
  },
  'other timers': {
    'timer-signal': afterLoad(`AbortSignal.timeout(1500).onabort = () => { ${SHOW_VALUE} }`),
    'timer-task': afterLoad(`scheduler.postTask(() => { ${SHOW_VALUE} }, { delay: 1500 })`),
    'timer-worker': {
      body: afterLoad(`new Worker('worker.js').onmessage = ({ data }) => show(data)`),
      files: { 'worker.js': `setTimeout(() => postMessage('${VALUE}'), 1500);` },
    },
    'timer-idle': afterLoad(`let left = 60;
requestIdleCallback(function next() { if (--left > 0) return requestIdleCallback(next); ${SHOW_VALUE} });`),
    'timer-frames': afterLoad(`const start = performance.now(); show('10');
requestAnimationFrame(function next(now) {
  const share = Math.min(1, Math.max(0, (now - start - 1000) / 500));
  change.style.width = 320 + share * «0|300» + 'px';
  if (share < 1) requestAnimationFrame(next);
});`),
    'timer-refresh': `${LATE}<script>
if (location.search) { ${SHOW_VALUE} } else document.write('<meta http-equiv="refresh" content="1;url=?ready">');</script>`,
    'timer-events': {
      body: afterLoad(`new EventSource('news.events?stream=1000').onmessage = ({ data }) => show(data)`),
      files: { 'news.events': `data: ${VALUE}\n\n` },
    },
    'timer-gsap': {
      load: ['gsap/dist/gsap.min.js'],
      body: afterLoad(`show('10'); gsap.to('#change', { delay: 1.2, duration: 0.5, width: «400|700» })`),
    },
    'timer-typed': {
      load: ['typed.js/dist/typed.umd.js'],
      body: `<h1>Specimen</h1><p style="font-size:40px">&nbsp;<span id="text"></span></p><script>
new Typed('#text', { strings: ['«Price: 10|Price: 20»'], startDelay: 1000, showCursor: false });</script>`,
      visitor: { see: 'p' },
    },
  },
  'late decoration of an editor': {
    'editor-monaco': {
      load: ['monaco-editor/min/vs/loader.js'],
      body: `<style>.wordHighlight,.wordHighlightStrong,.wordHighlightText,.selectionHighlight{background:«#fc6|#6cf»!important}</style>
<div id="change" style="height:300px"></div><script>
require.config({ paths: { vs: location.origin + '/lib/monaco-editor/min/vs' } });
require(['vs/editor/editor.main'], () => {
  const editor = monaco.editor.create(change, { language: 'javascript', value: '${CODE}' });
  editor.setPosition({ lineNumber: 2, column: 8 }); editor.focus();
});</script>`,
    },
    'editor-codemirror': {
      load: [
        'codemirror/lib/codemirror.css',
        'codemirror/lib/codemirror.js',
        'codemirror/mode/javascript/javascript.js',
        'codemirror/addon/search/searchcursor.js',
        'codemirror/addon/search/match-highlighter.js',
      ],
      body: `<style>.cm-matchhighlight{background:«#fc6|#6cf»}</style><div id="change"></div><script>
const editor = CodeMirror(change, { mode: 'javascript', lineNumbers: true, value: '${CODE}',
  highlightSelectionMatches: { showToken: true, delay: 700 } });
editor.focus(); editor.setCursor(1, 8);</script>`,
    },
    'editor-quill': {
      load: ['quill/dist/quill.snow.css', 'quill/dist/quill.js'],
      body: `<div id="editor">${repeat(3, '<p>Line # of a letter</p>')}</div><script>
const quill = new Quill('#editor', { theme: 'snow' });
// As a spelling checker does: once the worker has read the text.
const checker = new Worker('checker.js');
checker.onmessage = ({ data: [start, length] }) => quill.formatText(start, length, { background: '«#fc6|#6cf»' });
checker.postMessage(quill.getText());</script>`,
      files: {
        'checker.js': `onmessage = ({ data }) => setTimeout(() => postMessage([data.indexOf('letter'), 6]), 900);`,
      },
      visitor: { see: '#editor' },
    },
  },
};

/** An animation of one growing rectangle, in the format of Lottie. */
export function writeLottie(color) {
  const still = (k) => ({ a: 0, k });
  const grow = {
    a: 1,
    k: [
      { t: 0, s: [140, 140], i: { x: [0.5], y: [1] }, o: { x: [0.5], y: [0] } },
      { t: 30, s: [160, 160] },
    ],
  };
  const transform = { o: still(100), r: still(0), p: still([100, 100]), a: still([0, 0]), s: still([100, 100]) };
  const shapes = [
    {
      ty: 'gr',
      it: [
        { ty: 'rc', d: 1, s: grow, p: still([0, 0]), r: still(0) },
        { ty: 'fl', c: { a: 0, k: 'COLOR' }, o: still(100) },
        { ty: 'tr', ...transform, p: still([0, 0]) },
      ],
    },
  ];
  const layer = { ddd: 0, ind: 1, ty: 4, nm: 'box', sr: 1, ks: transform, ao: 0, shapes, ip: 0, op: 61, st: 0, bm: 0 };
  return JSON.stringify({
    v: '5.7.0',
    fr: 30,
    ip: 0,
    op: 60,
    w: 200,
    h: 200,
    ddd: 0,
    assets: [],
    layers: [layer],
  }).replace('"COLOR"', color);
}
