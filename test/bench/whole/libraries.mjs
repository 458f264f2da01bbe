import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from '../../../scripts/run.mjs';

/** The libraries that specimens use. Versions are exact: another one is another specimen. */
const LIBRARIES = `
  @alpinejs/intersect@3.17.4 @fontsource/pacifico@5.3.0 @fontsource/press-start-2p@5.3.0 @hotwired/turbo@8.0.23
  @picocss/pico@2.1.1 @popperjs/core@2.11.8 @splidejs/splide@4.1.4 @tanstack/virtual-core@3.19.11 ag-grid-community@36.2.0
  alpinejs@3.17.5 animate.css@4.1.1 aos@2.3.4 apexcharts@5.16.0 chart.js@4.6.1 chartist@1.5.0 clusterize.js@1.0.0
  codemirror@5.65.20 countup.js@2.10.1 echarts@6.1.0 flatpickr@4.6.13 fullcalendar@6.1.19 fullpage.js@4.0.41 gsap@3.15.0
  highcharts@13.1.1 htmx.org@2.0.7 infinite-scroll@5.0.0 jarallax@2.2.1 lazysizes@5.3.2 leaflet@1.9.4 lenis@1.3.27
  lit@3.3.3 lottie-web@5.13.0 lozad@1.16.0 maplibre-gl@5.24.1 masonry-layout@4.2.2 monaco-editor@0.52.2 motion@14.14.0
  overlayscrollbars@2.17.0 perfect-scrollbar@1.5.6 plyr@3.8.4 preact@10.27.2 quill@2.0.3 react-dom@18.3.1 react@18.3.1
  rellax@1.12.1 sal.js@0.8.5 scrollama@3.2.0 scrollreveal@4.0.9 simplebar@6.3.3 split.js@1.6.5 swiper@11.2.10
  tabulator-tables@6.5.3 three@0.187.0 tippy.js@6.3.7 typed.js@2.1.0 uplot@1.6.32 video.js@8.24.1 virtual-scroller@1.16.4
  vue@3.5.22 wow.js@1.2.2
  ace-builds@1.45.2 @xterm/xterm@6.0.0 isotope-layout@3.0.6 imagesloaded@5.0.0 embla-carousel@8.6.0 jquery@3.7.1 datatables.net@2.3.4 vis-timeline@8.5.4 d3@7.9.2 katex@0.19.1 react-window@1.8.11 frappe-gantt@1.2.2 gridstack@14.1.0 mithril@2.3.8 handsontable@18.1.1 unpoly@3.14.3 ol@10.11.0 petite-vue@0.4.1 @tanstack/query-core@5.108.4 odometer@0.4.8 bootstrap@5.3.9 @hotwired/stimulus@3.2.2 locomotive-scroll@4.1.4
`;

/**
 * Installs the libraries into a folder, once.
 *
 * @returns the folder that has them.
 */
export async function bringLibraries(folder) {
  const manifest = join(folder, 'package.json');
  const specs = LIBRARIES.trim()
    .split(/\s+/)
    .map((spec) => spec.split(/(?<=.)@/));
  const text = JSON.stringify({ private: true, dependencies: Object.fromEntries(specs) });
  const installed = join(folder, 'node_modules');
  if (existsSync(join(installed, '.package-lock.json')) && readFileSync(manifest, 'utf8') === text) return installed;
  mkdirSync(folder, { recursive: true });
  writeFileSync(manifest, text);
  await mustRun('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, quiet: true });
  return installed;
}
