import type { Page, Response } from '@playwright/test';
import {
  BASELINE_WARNINGS,
  firstLineOf,
  messageOf,
  ProofsheetError,
  type Target,
  type Warning,
} from '../model/index.js';
import { TimeoutError } from './browser/launch.js';
import type { Deadline } from './deadline.js';
import { isDocumentOf } from './network.js';

const ADDRESS_CAP_MS = 5_000;

/** @throws ProofsheetError `page-unreachable`, `page-status`, `page-timeout` */
export async function openPage(page: Page, target: Target, deadline: Deadline): Promise<void> {
  const open = () => deadline.race('loading the page', navigate(page, target.url, deadline));
  // A reload by the page itself may take the place of the navigation, which then has no response.
  const response = (await open()) ?? (await open());
  checkStatus(response?.status() ?? 0, target);
}

/** @throws ProofsheetError `page-redirected` if the page is not {@link isAt | at} the expected URL */
export function checkAddress(
  page: Page,
  { url, finalUrl, accepts }: Pick<Target, 'url' | 'finalUrl' | 'accepts'>,
): void {
  const expected = finalUrl ?? url;
  if ((accepts?.anyAddress && isWeb(page)) || isAt(page, expected)) return;
  throw new ProofsheetError({
    code: 'page-redirected',
    where: url,
    found: `the final URL is ${page.url()}, expected ${expected}`,
    advice: 'Set `finalUrl` if the redirect is correct. Otherwise, check whether the page requires a login.',
  });
}

/** Returns a warning if the query or the hash of a page is another one: {@link checkAddress} does not compare them. */
export function warnOfAddress(found: string, { url, finalUrl }: Pick<Target, 'url' | 'finalUrl'>): Warning[] {
  const expected = finalUrl ?? url;
  // A final URL without a query and a hash accepts any.
  if (routeOf(found) === routeOf(expected) || (finalUrl !== null && routeOf(finalUrl) === '')) return [];
  const message = `the final URL is ${found}, expected ${expected}: set \`finalUrl\` to it if the page is the right one`;
  return [{ code: BASELINE_WARNINGS.address, message }];
}

/** Returns the query and the hash. A router that keeps routes in the hash adds an empty one to the address of its first page. */
function routeOf(url: string): string {
  const { search, hash } = new URL(url);
  return `${search}${hash.replace(/^#!?\/?$/, '')}`;
}

/** Checks whether the URL of a page is http or https: a script may also open an error page of the browser or a generated document. */
export function isWeb(page: Page): boolean {
  return /^https?:/.test(page.url());
}

/** Checks whether a page is at a URL. Compares only the host, with its port, and the path, without a trailing slash. */
export function isAt(page: Page, url: string): boolean {
  return addressOf(page.url()) === addressOf(url);
}

/** Waits until the page is at `finalUrl`: a script may navigate there shortly after the last action. A wrong URL is found later. */
export async function awaitAddress(page: Page, finalUrl: string, deadline: Deadline): Promise<void> {
  const timeout = Math.min(ADDRESS_CAP_MS, deadline.remainingMs(1 / 2));
  const isThere = (url: URL) => addressOf(url.href) === addressOf(finalUrl);
  await page.waitForURL(isThere, { timeout, waitUntil: 'commit' }).catch(messageOf);
}

async function navigate(page: Page, url: string, deadline: Deadline): Promise<Response | null> {
  try {
    return await page.goto(removeCredentials(url), { waitUntil: 'commit', timeout: deadline.remainingMs() });
  } catch (cause) {
    // The deadline ends at the same time and throws the better error.
    if (cause instanceof TimeoutError) return new Promise(() => {});
    if (/interrupted by another navigation/.test(messageOf(cause))) throw new NavigationError();
    const problem = /net::[A-Z_]+|NS_[A-Z_]+/.exec(messageOf(cause))?.[0];
    throw unreachable(url, problem ?? firstLineOf(cause).replace(/^page\.goto: /, ''));
  }
}

/** Reports contain the URL, so it must not hold credentials: the browser context has them. */
function removeCredentials(url: string): string {
  return Object.assign(new URL(url), { username: '', password: '' }).href;
}

function unreachable(url: string, problem: string): ProofsheetError {
  const isFile = /Download is starting|ERR_ABORTED/.test(problem);
  return new ProofsheetError({
    code: 'page-unreachable',
    where: url,
    found: isFile ? `the URL did not load a page (${problem})` : `the page cannot be reached (${problem})`,
    advice: isFile
      ? 'The response is a download or has no content. Use the URL of a page.'
      : 'Check that the server is running and that the URL is correct.',
  });
}

/** @throws ProofsheetError `page-status` */
export function checkStatus(status: number, { url, httpStatus, accepts }: Target): void {
  if (accepts?.anyStatus && status !== 0) return;
  const expected = httpStatus === null ? status >= 200 && status <= 299 : status === httpStatus;
  if (expected) return;
  throw new ProofsheetError({
    code: 'page-status',
    where: url,
    found: `${status === 0 ? 'no HTTP response' : `HTTP status ${status}`}, expected ${httpStatus ?? '200..299'}`,
    advice: 'Check the URL, fix the server, or set `httpStatus` if this status is expected.',
  });
}

function addressOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, '')}`;
}

/** Checks whether a step failed because the page navigated or reloaded. */
export function isNavigation(cause: unknown): boolean {
  // A step in the old document may fail before `domcontentloaded` of the new document.
  return cause instanceof NavigationError || /Execution context was destroyed/.test(messageOf(cause));
}

class NavigationError extends Error {}

/** The page navigated after it looked finished: one of its timers may have done it. {@link isNavigation} accepts it. */
export class LateNavigation extends NavigationError {}

export type Navigations = ReturnType<typeof watchNavigations>;

/** Starts to watch navigations. A URL change without a new document (History API, hash) does not count. */
export function watchNavigations(page: Page) {
  let status = 0;
  let rejectNext = () => {};
  const onResponse = (response: Response) => {
    if (isDocumentOf(page, response.request())) status = response.status();
  };
  const onDocument = () => rejectNext();
  page.on('response', onResponse);
  page.on('domcontentloaded', onDocument);
  return {
    /** Rejects when the page loads another document, with an error that {@link isNavigation} accepts. */
    next(): Promise<never> {
      const navigated = new Promise<never>((_, reject) => {
        rejectNext = () => reject(new NavigationError());
      });
      // The page may navigate between two steps, when nothing awaits this promise.
      navigated.catch(() => {});
      return navigated;
    },
    status: () => status,
    stop() {
      page.off('response', onResponse);
      page.off('domcontentloaded', onDocument);
    },
  };
}
