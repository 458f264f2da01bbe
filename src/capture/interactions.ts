import { errors, type Locator, type Page } from '@playwright/test';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { Action, Wait } from '../model/shot.js';
import type { Deadline } from './deadline.js';
import { isNavigation } from './navigation.js';

/** Waits that were begun before the page was opened: a response may come at any time from then on. */
export type Awaited = ReadonlyMap<Wait, Promise<unknown>>;

/** Begins to wait for responses, before the page is opened. */
export function awaitResponses(page: Page, waits: readonly Wait[], deadline: Deadline): Awaited {
  const begun = waits.flatMap((wait): [Wait, Promise<unknown>][] => {
    if (wait.kind !== 'response') return [];
    const response = page.waitForResponse(wait.pattern, { timeout: deadline.remainingMs() });
    // Whoever waits for it is told; until then nobody has to be.
    response.catch(() => {});
    return [[wait, response]];
  });
  return new Map(begun);
}

/**
 * Waits until the page is as the list wants it.
 *
 * @throws ProofsheetError `page-wait` naming what did not come.
 */
export async function awaitConditions(
  page: Page,
  waits: readonly Wait[],
  awaited: Awaited,
  deadline: Deadline,
): Promise<void> {
  for (const wait of waits) await waitUntil(page, wait, deadline, awaited.get(wait));
}

/**
 * Does to the page what a visitor would, one thing after the other.
 *
 * @throws ProofsheetError `page-action` naming the action that could not be done.
 */
export async function runActions(page: Page, actions: readonly Action[], deadline: Deadline): Promise<void> {
  for (const [index, action] of actions.entries()) {
    const name = `action ${index + 1} (${nameOf(action)})`;
    try {
      await deadline.race(name, perform(page, action, deadline));
    } catch (cause) {
      if (isNavigation(cause) || cause instanceof ProofsheetError) throw cause;
      throw new ProofsheetError({
        code: 'page-action',
        where: page.url(),
        found: `${name} could not be done (${problemOf(cause)})`,
        advice: 'Is its selector that of one element that is there and can be used?',
      });
    }
  }
}

/**
 * Runs a list's own script in the page.
 *
 * @throws ProofsheetError `page-script` with what it threw.
 */
export async function runScript(page: Page, code: string | null): Promise<void> {
  if (code === null) return;
  const failure = await page.evaluate<string | null>(guarded(code)).catch((cause: unknown) => {
    if (isNavigation(cause)) throw cause;
    return problemOf(cause);
  });
  if (failure === null) return;
  throw new ProofsheetError({
    code: 'page-script',
    where: page.url(),
    found: `\`javascriptCode\` failed (${failure})`,
    advice: 'Try it in the console of the browser.',
  });
}

/**
 * Puts a list's script into a function, so that several statements, `return` and `await` are all right.
 *
 * What it throws comes back as a value: Playwright prints the message of an error as it is, and it may hold a secret.
 */
function guarded(code: string): string {
  return `(async () => {${code}\n})().then(
    () => null,
    (error) => String(error instanceof Error ? error : (error?.message ?? error)).split('\\n')[0] || 'no message')`;
}

function perform(page: Page, action: Action, deadline: Deadline): Promise<unknown> {
  const options = { timeout: deadline.remainingMs(1 / 2) };
  switch (action.kind) {
    case 'click':
      return page.locator(action.selector).click(options);
    case 'hover':
      return page.locator(action.selector).hover(options);
    case 'fill':
      return fillUntold(page.locator(action.selector), action.value, options);
    case 'press':
      return action.selector === null
        ? page.keyboard.press(action.key)
        : page.locator(action.selector).press(action.key, options);
    case 'scrollTo':
      return typeof action.to === 'string'
        ? page.locator(action.to).evaluate((element) => element.scrollIntoView({ behavior: 'instant' }), null, options)
        : page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), action.to);
    case 'pause':
      return new Promise((resolve) => setTimeout(resolve, action.ms));
    case 'wait':
      return waitUntil(page, action.until, deadline);
    default:
      return action satisfies never;
  }
}

/**
 * Fills in a field as Playwright's `fill` does, which would tell every reporter the value, as the name of a step: here it
 * only waits for the field, and empties it.
 */
async function fillUntold(field: Locator, value: string, options: { timeout: number }): Promise<void> {
  if (!(await field.evaluate(isNeverEmpty, null, options))) await field.fill('', options);
  await field.evaluate(insertText, value, options);
}

/** Runs in the page. */
function isNeverEmpty(field: Element): boolean {
  return field instanceof HTMLInputElement && ['color', 'range'].includes(field.type);
}

/** Runs in the page. Nobody types into a calendar or a slider: there the value is set. */
function insertText(field: Element, value: string): void {
  const type = field instanceof HTMLInputElement ? field.type : '';
  if (type === 'number' && Number.isNaN(Number(value))) throw new Error('a field for numbers takes no other text');
  if (!/^(color|date|datetime-local|month|range|time|week)$/.test(type)) {
    if (value !== '') document.execCommand('insertText', false, value);
    return;
  }
  // Not the element's own: frameworks put one of theirs over it, and then take the value for an old one.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value.trim());
  if (field instanceof HTMLInputElement && field.value !== value.trim())
    throw new Error(`a field for ${type} does not take this value`);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

async function waitUntil(page: Page, wait: Wait, deadline: Deadline, begun?: Promise<unknown>): Promise<void> {
  const timeout = deadline.remainingMs(1 / 2);
  try {
    switch (wait.kind) {
      case 'selector':
        await page.locator(wait.selector).first().waitFor({ state: 'visible', timeout });
        return;
      case 'text':
        await page.getByText(wait.text).first().waitFor({ state: 'visible', timeout });
        return;
      case 'response':
        await deadline.race(`waiting for ${tell(wait)}`, begun ?? page.waitForResponse(wait.pattern, { timeout }));
        return;
      default:
        return wait satisfies never;
    }
  } catch (cause) {
    if (isNavigation(cause) || cause instanceof ProofsheetError) throw cause;
    const late = cause instanceof errors.TimeoutError;
    throw new ProofsheetError({
      code: 'page-wait',
      where: page.url(),
      found: late ? `${tell(wait)} did not come in time` : `${tell(wait)} cannot be waited for (${problemOf(cause)})`,
      advice: 'Look at the page in a browser: is it there, and visible?',
    });
  }
}

function tell(wait: Wait): string {
  switch (wait.kind) {
    case 'selector':
      return wait.selector;
    case 'text':
      return `the text "${wait.text}"`;
    case 'response':
      return `a response of ${wait.pattern}`;
    default:
      return wait satisfies never;
  }
}

/** What is filled in may be a password: it is not told. */
function nameOf(action: Action): string {
  switch (action.kind) {
    case 'click':
    case 'hover':
    case 'fill':
      return `${action.kind} ${action.selector}`;
    case 'press':
      return `press ${action.key}`;
    case 'scrollTo':
      return `scrollTo ${action.to}`;
    case 'pause':
      return `wait ${action.ms / 1000}`;
    case 'wait':
      return `wait for ${tell(action.until)}`;
    default:
      return action satisfies never;
  }
}

function problemOf(cause: unknown): string {
  const line = messageOf(cause).split('\n')[0] ?? '';
  // Where single calls are told, Playwright puts its own call's name in front: `page.evaluate: `.
  return line.replace(/^[a-z]+[a-zA-Z]*\.[a-zA-Z]+: /, '').replace(/\.$/, '');
}
