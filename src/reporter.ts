export { default, type ReporterOptions } from './faces/playwright/reporter.js';
