export { default, type ReporterOptions } from './playwright/index.js';
