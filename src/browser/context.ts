import { existsSync, readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, devices } from '@playwright/test';
import { ProofsheetError } from '../model/errors.js';
import type { Credentials, Emulation, Target } from '../model/shot.js';

/**
 * Opens a context for one side of a shot: nothing of another page reaches it, and what it is given to be let in goes to the
 * origin of its own page alone.
 *
 * @param crossOrigin its page is of another site than the project's own: what the project's `use` holds to be let in is not
 * for it.
 * @param bounds what pages are kept from, beyond what a test run keeps them from.
 * @throws ProofsheetError `storage-state` when that file cannot be read.
 */
export async function openContext(
  browser: Browser,
  emulation: Emulation,
  { url, credentials }: Target,
  crossOrigin: boolean,
  bounds: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...bounds,
    ...(crossOrigin ? NOT_FOR_STRANGERS : {}),
    ...emulationOptions(emulation),
    ...credentialOptions(url, credentials),
  });
  if (credentials.cookies.length > 0)
    await context.addCookies(credentials.cookies.map(({ path, ...cookie }) => ({ ...cookie, ...scopeOf(url, path) })));
  return context;
}

/** Is a page let in as anybody would be, by nothing that the list gives it? */
export function isAnonymous({ url, credentials }: Target): boolean {
  const { headers, cookies, storageState, httpCredentials } = credentials;
  const given = [...Object.keys(headers), ...cookies, storageState, httpCredentials, credentialsIn(url)];
  return given.every((one) => one === null);
}

/** Set, so that Playwright's defaults for the test do not fill them in. */
const NOT_FOR_STRANGERS: object = { storageState: undefined, httpCredentials: undefined, extraHTTPHeaders: undefined };

/** What is null stays as the project has it. */
function emulationOptions(emulation: Emulation): BrowserContextOptions {
  const { device, size, language, colorScheme, timezone, userAgent } = emulation;
  return {
    ...(device !== null && deviceOptions(device)),
    ...(size && { viewport: { width: size.width, height: size.height } }),
    ...(language !== null && { locale: language }),
    ...(colorScheme !== null && { colorScheme }),
    ...(timezone !== null && { timezoneId: timezone }),
    ...(userAgent !== null && { userAgent }),
  };
}

/** A device says which browser it has, too; a list does not choose browsers, projects do. */
function deviceOptions(name: string): BrowserContextOptions {
  const { defaultBrowserType: _, ...options } = devices[name] ?? {};
  return options;
}

function credentialOptions(url: string, { httpCredentials, storageState }: Credentials): BrowserContextOptions {
  const { origin } = new URL(url);
  const known = httpCredentials ?? credentialsIn(url);
  return {
    ...(known && { httpCredentials: { ...known, origin } }),
    ...(storageState !== null && { storageState: ownState(storageState, url) }),
  };
}

/** The page is opened by its URL without these: every step of Playwright's names its URL in every report. */
function credentialsIn(url: string): Credentials['httpCredentials'] {
  const [username, password] = [new URL(url).username, new URL(url).password].map(decodeURIComponent);
  return username || password ? { username: username ?? '', password: password ?? '' } : null;
}

/** The parts of a saved state that are known here. */
interface SavedState {
  cookies: {
    name: string;
    value: string;
    domain: string;
    path: string;
    expires: number;
    httpOnly: boolean;
    secure: boolean;
    sameSite: 'Strict' | 'Lax' | 'None';
  }[];
  origins: { origin: string; localStorage: { name: string; value: string }[] }[];
}

/** A saved state may hold what other sites have given: that is not for this page. */
function ownState(path: string, url: string): SavedState {
  const { origin, hostname } = new URL(url);
  const { cookies, origins } = readState(path);
  return {
    cookies: cookies.filter(({ domain }) => isHostOf(domain, hostname)),
    origins: origins.filter((saved) => saved.origin === origin),
  };
}

function isHostOf(domain: string, hostname: string): boolean {
  const bare = domain.replace(/^\./, '');
  return hostname === bare || (domain.startsWith('.') && hostname.endsWith(`.${bare}`));
}

function readState(path: string): SavedState {
  if (!existsSync(path)) throw unreadable(path, 'is not there');
  try {
    const { cookies = [], origins = [] } = JSON.parse(readFileSync(path, 'utf8'));
    if (Array.isArray(cookies) && Array.isArray(origins)) return { cookies, origins };
  } catch {
    // What a parser says quotes the file, and the file is secret.
  }
  throw unreadable(path, 'is not JSON with lists of cookies and origins');
}

function unreadable(path: string, problem: string): ProofsheetError {
  return new ProofsheetError({
    code: 'storage-state',
    where: path,
    found: `the file that \`storageState\` names ${problem}`,
    advice: 'It is what `context.storageState({ path })` writes: does the project that writes it run before?',
  });
}

/** A cookie of the page's own host: the browser sends it nowhere else. */
function scopeOf(url: string, path: string): { domain: string; path: string } {
  return { domain: new URL(url).hostname, path };
}
