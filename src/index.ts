/**
 * Visual regression tests for a list of pages, as a Playwright Test plugin.
 *
 * @module
 */

export type { MatcherOptionsInput as MatchBaselineOptions } from './model/list/page-list.js';
export { definePages } from './playwright/define-pages.js';
export { test } from './playwright/fixtures.js';
export { expect } from './playwright/matcher.js';
