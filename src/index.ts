/**
 * Visual regression tests for a list of pages, as a Playwright Test plugin.
 *
 * @module
 */
export { definePages } from './faces/playwright/define-pages.js';
export { test } from './faces/playwright/fixtures.js';
export { expect } from './faces/playwright/matcher.js';
export type { MatcherOptionsInput as MatchBaselineOptions } from './model/page-list.js';
