import { CHANGE, repeat } from './shared.mjs';

const ROWS = repeat(14, '<li style="height:40px">Row #</li>');
const LIST = `<ul id="list" style="margin:0;padding:0 40px">${ROWS}<li id="change" style="height:40px;background:«#fc6|#6cf»">Last</li></ul>`;
const SECRET = '<b id="secret" style="display:inline-block;width:160px;padding:8px;background:#ffd">§</b>';

/** The part of a page that was asked for, and the parts that were left out. */
export const PARTS = {
  element: {
    'element-sticky': {
      body: `<header style="position:sticky;top:0;height:90px;background:#234;color:#fff;z-index:1">Visitor §</header><div class="tall"></div>
<div id="box"><div style="height:60px;background:«#fc6|#6cf»" id="change">Title</div><div style="height:900px;background:#eee">Text</div></div><div class="tall"></div>`,
      fields: { element: '#box' },
    },
    'element-footer': {
      body: `<footer style="position:fixed;bottom:0;width:100%;height:90px;background:#234;color:#fff">Visitor §</footer><div class="tall"></div>
<div id="box"><div style="height:630px;background:#eee">Text</div><div style="height:60px;background:«#fc6|#6cf»" id="change">Total</div></div><div class="tall"></div>`,
      fields: { element: '#box' },
    },
    'element-in-box': {
      body: `<h1>Specimen</h1><div style="height:300px;overflow:auto;border:1px solid">${LIST}</div><p>Visitor §</p><div class="tall"></div>`,
      fields: { element: '#list' },
      visitor: { over: [200, 200] },
    },
    'element-simplebar': {
      load: ['simplebar/dist/simplebar.css', 'simplebar/dist/simplebar.min.js'],
      body: `<h1>Specimen</h1><div style="height:300px" data-simplebar>${LIST}</div><p>Visitor §</p><div class="tall"></div>`,
      fields: { element: '#list' },
      visitor: { over: [200, 200] },
    },
    'element-tabulator': {
      load: ['tabulator-tables/dist/css/tabulator.min.css', 'tabulator-tables/dist/js/tabulator.min.js'],
      body: `<h1>Specimen</h1><div id="table"></div><p>Visitor §</p><script>
new Tabulator('#table', { height: 250, renderVertical: 'basic', columns: [{ title: 'Price', field: 'price', width: 400, formatter: 'html' }],
  data: Array.from({ length: 20 }, (_, row) => ({ price: row === 18 ? '<b id="change" style="background:«#fc6|#6cf»">Total</b>' : row })) });</script>`,
      fields: { element: '.tabulator-table' },
      visitor: { over: [200, 200] },
    },
  },
  masks: {
    'mask-zoom-html': {
      body: `<style>html{zoom:1.4}</style><h1>Specimen</h1><p>${SECRET}</p>${CHANGE}`,
      fields: { mask: '#secret' },
    },
    'mask-zoom-body': {
      body: `<style>body{zoom:0.7}</style><h1>Specimen</h1><p>${SECRET}</p>${CHANGE}`,
      fields: { mask: '#secret' },
    },
    'mask-scale': {
      body: `<div style="transform:scale(0.8) rotate(8deg);transform-origin:0 0"><h1>Specimen</h1><p>${SECRET}</p></div>${CHANGE}`,
      fields: { mask: '#secret' },
    },
    'mask-right-to-left': {
      body: `<div dir="rtl" style="overflow:auto"><h1>Specimen</h1><div style="width:2000px"><p>${SECRET}</p></div></div>${CHANGE}`,
      fields: { mask: '#secret' },
    },
    'mask-frame': {
      body: `<style>body{zoom:1.3}</style><h1>Specimen</h1><p><iframe id="secret" src="frame.html" width="300" height="80"></iframe></p>${CHANGE}`,
      files: { 'frame.html': '<body style="zoom:1.5">§' },
      fields: { mask: '#secret' },
    },
    'mask-leaflet': {
      load: ['leaflet/dist/leaflet.css', 'leaflet/dist/leaflet.js'],
      body: `<style>body{zoom:1.2}</style><div id="map" style="height:300px"></div>${CHANGE}<script>
const map = L.map('map', { fadeAnimation: false }).setView([48, 11], 6); L.popup().setLatLng([48, 11]).setContent('Visitors: §').openOn(map);</script>`,
      fields: { mask: '.leaflet-popup-content-wrapper' },
    },
    'mask-swiper': {
      load: ['swiper/swiper-bundle.min.css', 'swiper/swiper-bundle.min.js'],
      body: `<style>body{zoom:1.25}</style><div class="swiper" dir="rtl" style="width:500px;height:120px"><div class="swiper-wrapper">
<div class="swiper-slide">One</div><div class="swiper-slide">${SECRET}</div></div></div>${CHANGE}<script>
new Swiper('.swiper', { initialSlide: 1, speed: 0 })</script>`,
      fields: { mask: '#secret' },
    },
    'mask-apexcharts': {
      load: ['apexcharts/dist/apexcharts.min.js'],
      body: `<style>html{zoom:0.8}</style><div id="chart" style="width:600px"></div>${CHANGE}<script>
new ApexCharts(chart, { chart: { type: 'bar', height: 300, animations: { enabled: false } }, title: { text: 'Visitors: §' }, series: [{ name: 'n', data: [3, 1, 2] }] }).render();</script>`,
      fields: { mask: '.apexcharts-title-text' },
    },
  },
  ignore: {
    'ignore-clip': {
      body: `<h1>Specimen</h1><div style="position:relative;height:200px">${CHANGE}
<div id="ad" style="position:absolute;inset:0;background:#396;clip-path:inset(0 0 0 80%)">§</div></div>`,
      fields: { ignore: '#ad' },
    },
    'ignore-overlay': {
      body: `<h1>Specimen</h1><div style="position:relative">${CHANGE}<a id="link" href="#" style="position:absolute;inset:0;opacity:0">Open</a></div><p>Text</p>`,
      fields: { ignore: '#link' },
    },
    'ignore-swiper': {
      load: ['swiper/swiper-bundle.min.css', 'swiper/swiper-bundle.min.js'],
      body: `<h1>Specimen</h1><div style="display:flex;gap:24px"><div class="swiper" style="width:400px;height:200px;margin:0"><div class="swiper-wrapper">
<div class="swiper-slide">One</div><div class="swiper-slide" id="ad">§</div></div></div><div style="width:500px">${CHANGE}</div></div><script>new Swiper('.swiper')</script>`,
      fields: { ignore: '#ad' },
    },
  },
};
