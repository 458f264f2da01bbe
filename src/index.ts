/**
 * Visual regression tests for a list of pages, as a Playwright Test plugin.
 *
 * @module
 */

export type { MatcherOptionsInput as MatchBaselineOptions } from './model/index.js';
export { definePages, expect, test } from './playwright/index.js';
