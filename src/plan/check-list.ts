import { checkCredentials } from './check-credentials.js';
import { checkFits } from './check-fits.js';
import { checkSelectors } from './check-selectors.js';
import { checkStates } from './check-states.js';
import { checkSteps } from './check-steps.js';
import { checkUrls } from './check-urls.js';
import { checkValues } from './check-values.js';
import { checkViewports } from './check-viewports.js';
import { findDuplicates } from './duplicates.js';
import { type Finding, invalid, type Locate } from './finding.js';
import { type ReadableList, readReadable } from './readable-list.js';

/** What a list is checked against. */
export interface Background {
  /** The list as it was written, variables not filled in and secrets hidden: what messages show. */
  readonly written: unknown;
  /** The device names that Playwright knows. */
  readonly devices: readonly string[];
  readonly locate: Locate;
}

/**
 * Finds what no schema can: names that mean nothing or the same, URLs that nothing can open, fields that contradict each
 * other. Judges what can be read of a list, whatever else is wrong with it.
 */
export function checkList(filled: unknown, { written, devices, locate }: Background): Finding[] {
  const list = readReadable(filled);
  return [
    ...checkViewports(list, devices, written),
    ...checkUrls(list, written),
    ...checkNames(list),
    ...checkStates(list),
    ...checkSelectors(list, written),
    ...checkSteps(filled, written),
    ...checkValues(list, written),
    ...checkFits(list),
    ...checkCredentials(filled),
    ...findDuplicates(list, written, locate),
  ];
}

function checkNames({ pages }: ReadableList): Finding[] {
  return pages
    .filter(({ page }) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(page.name ?? ''))
    .map(({ index }) =>
      invalid(['pages', index, 'name'], '"name" must be one line', 'Remove its line breaks and tabs.'),
    );
}
