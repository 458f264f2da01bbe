import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { type Violation, violationsSchema } from '../../model/analysis.js';

/**
 * Finds what of a page breaks the rules of accessibility that axe-core knows for certain. Frames are left out.
 *
 * @throws Error where the page answers with something else.
 */
export async function findViolations(page: Page): Promise<Violation[]> {
  const source = await (axeSource ?? readAxe());
  // A page that loads modules by a `define` of its own would be given it instead.
  const wrapped = `(() => { const define = undefined, module = undefined, exports = undefined; ${source}\n})()`;
  return violationsSchema.parse(await page.evaluate<unknown>(`${wrapped}; (${String(runAxe)})()`));
}

let axeSource: Promise<string> | null = null;

/** Read once, and only where it is asked for. */
function readAxe(): Promise<string> {
  axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return axeSource;
}

/** Where axe-core puts itself. */
interface Marked {
  axe?: typeof axe;
}

/** Runs in the page. */
async function runAxe() {
  const marked = globalThis as Marked;
  const runner = marked.axe;
  if (!runner) throw new Error('axe-core is not there');
  delete marked.axe;
  const { violations } = await runner.run(document, { resultTypes: ['violations'], iframes: false, elementRef: false });
  return violations.map(({ id, impact, help, helpUrl, nodes }) => ({
    rule: id,
    impact: impact ?? null,
    help,
    helpUrl,
    elements: nodes.length,
    example: nodes[0] ? nodes[0].target.flat().join(' ') : null,
  }));
}
