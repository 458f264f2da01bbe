/** What runs inside Playwright Test. Other folders import this door, and nothing behind it. */

export { definePages } from './define-pages.js';
export { test } from './fixtures.js';
export { expect } from './matcher.js';
export { default, type ReporterOptions } from './reporter/reporter.js';
