export { default, type ReporterOptions } from './playwright/reporter/reporter.js';
