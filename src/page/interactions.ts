import type { Locator, Page } from '@playwright/test';
import { type Action, type CaptureSettings, firstLineOf, ProofsheetError, type Wait } from '../model/index.js';
import { TimeoutError } from './browser/launch.js';
import { pause, withTimeLimit } from './browser/timing.js';
import type { Deadline } from './deadline.js';
import { isNavigation } from './navigation.js';

/** Checks whether the list or a story interacts with the page, or waits for it: how long that takes depends on the machine. */
export function hasInteractions({ story, waitFor, actions, javascriptCode }: CaptureSettings): boolean {
  return story !== null || waitFor.length > 0 || actions.length > 0 || javascriptCode !== null;
}

/** Response waits that started before navigation: the response may arrive at any time after it. */
export type ResponseWaits = ReadonlyMap<Wait, Promise<unknown>>;

/** Starts to wait for responses. Call it before navigation. */
export function startResponseWaits(page: Page, waits: readonly Wait[]): ResponseWaits {
  const started = waits.flatMap((wait) => {
    if (wait.kind !== 'response') return [];
    // Its limit begins later, in `waitUntil`.
    const response = page.waitForResponse(wait.pattern, { timeout: 0 });
    // The error is handled where the promise is awaited.
    response.catch(() => {});
    return [[wait, response] as const];
  });
  return new Map(started);
}

/** @throws ProofsheetError `page-wait` with the condition of `waitFor` that was not met */
export async function awaitConditions(
  page: Page,
  waits: readonly Wait[],
  awaited: ResponseWaits,
  deadline: Deadline,
): Promise<void> {
  for (const wait of waits) await waitUntil(page, wait, '`waitFor`', deadline, awaited.get(wait));
}

/** @throws ProofsheetError `page-action` with the action that failed */
export async function runActions(page: Page, actions: readonly Action[], deadline: Deadline): Promise<void> {
  for (const [index, action] of actions.entries()) {
    const number = `action ${index + 1}`;
    const name = `${number} (${describeAction(action)})`;
    try {
      await deadline.race(`running ${name}`, perform(page, action, number, deadline));
    } catch (cause) {
      if (isNavigation(cause) || cause instanceof ProofsheetError) throw cause;
      throw new ProofsheetError({
        code: 'page-action',
        where: page.url(),
        found: `${name} failed: ${problemOf(cause)}`,
        advice: 'Correct the action. A selector must match exactly one element, which is visible and enabled.',
      });
    }
  }
}

/** @throws ProofsheetError `page-script` with the error of `javascriptCode` */
export async function runScript(page: Page, code: string | null): Promise<void> {
  if (code === null) return;
  const failure = await page.evaluate<string | null>(wrapScript(code)).catch((cause: unknown) => {
    if (isNavigation(cause)) throw cause;
    return problemOf(cause);
  });
  if (failure === null) return;
  throw new ProofsheetError({
    code: 'page-script',
    where: page.url(),
    found: `\`javascriptCode\` failed: ${failure}`,
    advice: 'Run the code in the browser console to find the cause.',
  });
}

/**
 * Wraps a script in an async function, so that it can contain several statements, `return` and `await`. Errors are returned as values: Playwright
 * prints error messages unmodified, and they may contain a secret.
 */
function wrapScript(code: string): string {
  return `(async () => {${code}\n})().then(
    () => null,
    (error) => String(error instanceof Error ? error : (error?.message ?? error)).split('\\n')[0] || 'no message')`;
}

function perform(page: Page, action: Action, number: string, deadline: Deadline): Promise<unknown> {
  const options = { timeout: deadline.remainingMs(1 / 2) };
  switch (action.kind) {
    case 'click':
      return page.locator(action.selector).click(options);
    case 'hover':
      return page.locator(action.selector).hover(options);
    case 'fill':
      return fillWithoutReporting(page.locator(action.selector), action.value, options);
    case 'press':
      return action.selector === null
        ? page.keyboard.press(action.key)
        : page.locator(action.selector).press(action.key, options);
    case 'scrollTo':
      return typeof action.to === 'string'
        ? page.locator(action.to).evaluate((element) => element.scrollIntoView({ behavior: 'instant' }), null, options)
        : page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), action.to);
    case 'pause':
      return pause(action.ms);
    case 'wait':
      return waitUntil(page, action.until, number, deadline);
    default:
      return action satisfies never;
  }
}

/** Playwright's `fill` passes the value to every reporter, so it is only used to wait for the field and to clear it. */
async function fillWithoutReporting(field: Locator, value: string, options: { timeout: number }): Promise<void> {
  if (!(await field.evaluate(isNeverEmpty, null, options))) await field.fill('', options);
  await field.evaluate(insertText, value, options);
}

/** Runs in the page. Color and range inputs always have a value and cannot be cleared. */
function isNeverEmpty(field: Element): boolean {
  return field instanceof HTMLInputElement && ['color', 'range'].includes(field.type);
}

/** Runs in the page. Inserts text as if typed. Sets the value of pickers and sliders, which do not accept typed text. */
function insertText(field: Element, value: string): void {
  const type = field instanceof HTMLInputElement ? field.type : '';
  if (type === 'number' && Number.isNaN(Number(value))) throw new Error('a number field accepts only numbers');
  if (!/^(color|date|datetime-local|month|range|time|week)$/.test(type)) {
    if (value !== '') document.execCommand('insertText', false, value);
    return;
  }
  // Uses the setter of the prototype: frameworks override it on the element and then ignore the value as unchanged.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value.trim());
  if (field instanceof HTMLInputElement && field.value !== value.trim())
    throw new Error(`a field of type ${type} does not accept this value`);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** @param name - of the field that waits */
async function waitUntil(
  page: Page,
  wait: Wait,
  name: string,
  deadline: Deadline,
  started?: Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now();
  try {
    await awaitCondition(page, wait, deadline.remainingMs(1 / 2), started);
  } catch (cause) {
    if (isNavigation(cause)) throw cause;
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const { condition, miss } = describeWait(wait);
    throw new ProofsheetError({
      code: 'page-wait',
      where: page.url(),
      found:
        cause instanceof TimeoutError
          ? `${name}: ${miss} after ${seconds} s`
          : `${name}: cannot wait for ${condition}: ${problemOf(cause)}`,
      advice: 'Correct the condition, or open the page in a browser and check whether it is met.',
    });
  }
}

function awaitCondition(page: Page, wait: Wait, timeout: number, started?: Promise<unknown>): Promise<unknown> {
  if (wait.kind === 'response')
    return withTimeLimit(timeout, started ?? page.waitForResponse(wait.pattern, { timeout: 0 }), () => {
      throw new TimeoutError();
    });
  const locator = wait.kind === 'selector' ? page.locator(wait.selector) : page.getByText(wait.text);
  return locator.first().waitFor({ state: 'visible', timeout });
}

function describeWait(wait: Wait): { readonly condition: string; readonly miss: string } {
  if (wait.kind === 'response')
    return { condition: `a response that matches "${wait.pattern}"`, miss: `no response matches "${wait.pattern}"` };
  if (wait.kind === 'selector')
    return { condition: `the element "${wait.selector}"`, miss: `no visible element matches "${wait.selector}"` };
  return { condition: `the text "${wait.text}"`, miss: `no visible element contains the text "${wait.text}"` };
}

/** Omits the value of `fill`, which may be a password. */
function describeAction(action: Action): string {
  if (action.kind === 'pause') return `wait ${action.ms / 1000}`;
  if (action.kind === 'wait') return `wait for ${describeWait(action.until).condition}`;
  if (action.kind === 'press') return `press ${action.key}`;
  return `${action.kind} ${action.kind === 'scrollTo' ? action.to : action.selector}`;
}

/** Says in one line what Playwright reports, without the name of the call, such as `page.evaluate: `. */
export function problemOf(cause: unknown): string {
  return firstLineOf(cause)
    .replace(/^[a-z]+[a-zA-Z]*\.[a-zA-Z]+: /, '')
    .replace(/^Error: /, '')
    .replace(/[.:]$/, '');
}
