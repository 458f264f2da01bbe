import { errors, type Page, type Response } from '@playwright/test';
import type { Warning } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { Target } from '../model/shot.js';
import type { Deadline } from './deadline.js';
import { listSome, type Network } from './network.js';
import { load } from './stabilize/causes/load.js';

/** How long a page may take to go where an action leads to. */
const ADDRESS_CAP_MS = 5_000;

/** No answer for so long, and what a page still waits for is taken not to come. */
const STALL_MS = 3_500;

/**
 * Opens a page and makes sure that it answered as expected.
 *
 * @throws ProofsheetError `page-unreachable`, `page-status`, `page-timeout`.
 */
export async function openPage(
  page: Page,
  target: Target,
  network: Network,
  deadline: Deadline,
  isLoadAwaited: boolean,
): Promise<Warning[]> {
  const response = await deadline.race('loading the page', navigate(page, target.url, deadline));
  checkStatus(response?.status() ?? 0, target);
  return isLoadAwaited ? waitForLoad(page, network, deadline) : [];
}

/** Waits for a page that has loaded itself anew, and makes sure that it answered as expected this time too. */
export async function awaitPage(
  page: Page,
  target: Target,
  status: number,
  network: Network,
  deadline: Deadline,
  isLoadAwaited: boolean,
): Promise<Warning[]> {
  checkStatus(status, target);
  return isLoadAwaited ? waitForLoad(page, network, deadline) : [];
}

/**
 * Makes sure that the page is still the one that was asked for: it may have sent the visitor elsewhere.
 *
 * A trailing slash and http to https are always expected.
 * @throws ProofsheetError `page-redirected`.
 */
export function checkAddress(page: Page, { url, finalUrl, takes }: Pick<Target, 'url' | 'finalUrl' | 'takes'>): void {
  const expected = finalUrl ?? url;
  if ((takes?.anyAddress && isWeb(page)) || isAt(page, expected)) return;
  throw new ProofsheetError({
    code: 'page-redirected',
    where: url,
    found: `the page ended at ${page.url()}, expected ${expected}`,
    advice: 'Set `finalUrl` if the redirect is right, else look whether a login is needed.',
  });
}

/**
 * Checks whether a page is one of the web. What a script may lead to else: an error of the browser's, a document of the page's
 * own making.
 */
export function isWeb(page: Page): boolean {
  return /^https?:/.test(page.url());
}

/** Checks whether a page is where it was asked for: a trailing slash and http to https are no other place. */
export function isAt(page: Page, url: string): boolean {
  return addressOf(page.url()) === addressOf(url);
}

/** Waits until the page is at the address where what was done to it leads to: a script may go there a moment later. */
export async function awaitAddress(page: Page, finalUrl: string, deadline: Deadline): Promise<void> {
  const timeout = Math.min(ADDRESS_CAP_MS, deadline.remainingMs(1 / 2));
  await page
    .waitForURL((url) => addressOf(url.href) === addressOf(finalUrl), { timeout, waitUntil: 'commit' })
    // Whether it is there is checked, and told, by checkAddress.
    .catch(messageOf);
}

async function navigate(page: Page, url: string, deadline: Deadline): Promise<Response | null> {
  try {
    return await page.goto(bareUrl(url), { waitUntil: 'domcontentloaded', timeout: deadline.remainingMs() });
  } catch (cause) {
    // The deadline of the same length tells it better, and is about to.
    if (cause instanceof errors.TimeoutError) return new Promise(() => {});
    throw unreachable(url, reachProblem(cause));
  }
}

/** A URL is told in every report: what it has to be let in by is told to the context. */
function bareUrl(url: string): string {
  return Object.assign(new URL(url), { username: '', password: '' }).href;
}

function unreachable(url: string, problem: string): ProofsheetError {
  const isFile = /Download is starting|ERR_ABORTED/.test(problem);
  return new ProofsheetError({
    code: 'page-unreachable',
    where: url,
    found: isFile ? `it is no page (${problem})` : `it cannot be reached (${problem})`,
    advice: isFile
      ? 'It answers with a download, or with nothing: give the URL of a page.'
      : 'Is the server running, and is the URL right?',
  });
}

function reachProblem(cause: unknown): string {
  const message = messageOf(cause);
  return /net::[A-Z_]+|NS_[A-Z_]+/.exec(message)?.[0] ?? message.split('\n')[0]?.replace(/^page\.goto: /, '') ?? '';
}

function checkStatus(status: number, { url, httpStatus, takes }: Target): void {
  if (takes?.anyStatus && status !== 0) return;
  const expected = httpStatus === null ? status >= 200 && status <= 299 : status === httpStatus;
  if (expected) return;
  throw new ProofsheetError({
    code: 'page-status',
    where: url,
    found: `it answered ${status === 0 ? 'nothing' : status}, expected ${httpStatus ?? '200..299'}`,
    advice: 'Set `httpStatus` if this is the page you want, else mend the server.',
  });
}

async function waitForLoad(page: Page, network: Network, deadline: Deadline): Promise<Warning[]> {
  const loaded = page
    .waitForLoadState('load', { timeout: Math.min(load.capMs, deadline.remainingMs(1 / 2)) })
    .then(() => true)
    .catch((cause: unknown) => {
      if (cause instanceof errors.TimeoutError) return false;
      throw cause;
    });
  if (await Promise.race([loaded, network.stalled(STALL_MS).then(() => false)])) return [];
  const waiting = network.pending(['image', 'font', 'stylesheet', 'script', 'document']);
  return [{ code: load.name, message: `${load.explanation}${waiting.length > 0 ? `: ${listSome(waiting)}` : ''}` }];
}

function addressOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, '')}`;
}

/** Checks whether a step failed because the page has gone to another document, or loaded its own anew. */
export function isNavigation(cause: unknown): boolean {
  // A step in the old document may fail before the new one is announced.
  return cause instanceof PageMoved || /Execution context was destroyed/.test(messageOf(cause));
}

class PageMoved extends Error {}

/** Watches where a page goes by itself, once it was opened. */
export interface Navigations {
  /** Rejects, as {@link isNavigation} knows it, when the page goes to another document. */
  next(): Promise<never>;
  /** Returns the status of the last document, 0 where none answered. */
  status(): number;
  stop(): void;
}

/** Starts to watch. A change of the address alone, by script, is not a visit. */
export function watchNavigations(page: Page): Navigations {
  let status = 0;
  let move = () => {};
  const onResponse = (response: Response) => {
    const request = response.request();
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) status = response.status();
  };
  const onDocument = () => move();
  page.on('response', onResponse);
  page.on('domcontentloaded', onDocument);
  return {
    next() {
      const moved = new Promise<never>((_, reject) => {
        move = () => reject(new PageMoved());
      });
      // It may happen when no step is under way.
      moved.catch(() => {});
      return moved;
    },
    status: () => status,
    stop() {
      page.off('response', onResponse);
      page.off('domcontentloaded', onDocument);
    },
  };
}
