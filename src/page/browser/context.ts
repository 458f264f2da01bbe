import { existsSync, readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, devices } from '@playwright/test';
import {
  type BrowserFields,
  type Credentials,
  type Emulation,
  ProofsheetError,
  type Target,
} from '../../model/index.js';

/**
 * Opens an isolated browser context for one side of a shot. Its credentials go only to the origin of its own page.
 *
 * @param crossOrigin - the page is on another site than the project, so the context gets no credentials of the project's `use`
 * @param bounds - further restrictions of the context, such as a proxy
 * @throws ProofsheetError `storage-state` if that file cannot be read
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
    ...(crossOrigin ? NO_PROJECT_CREDENTIALS : {}),
    ...emulationOptions(emulation),
    ...(browser.browserType().name() === 'firefox' ? NO_PHONE : {}),
    ...credentialOptions(url, credentials),
  });
  if (credentials.cookies.length > 0)
    await context.addCookies(credentials.cookies.map((cookie) => ({ ...cookie, domain: new URL(url).hostname })));
  return context;
}

/** Playwright ignores `isMobile` in Firefox, and earlier versions open no context with it. */
const NO_PHONE: object = { isMobile: undefined };

/** Explicit `undefined` values prevent Playwright from filling in the defaults of the test. */
const NO_PROJECT_CREDENTIALS: object = {
  storageState: undefined,
  httpCredentials: undefined,
  extraHTTPHeaders: undefined,
};

/** Playwright's option for each field about the browser. */
const OPTIONS = {
  language: 'locale',
  colorScheme: 'colorScheme',
  reducedMotion: 'reducedMotion',
  forcedColors: 'forcedColors',
  contrast: 'contrast',
  geolocation: 'geolocation',
  permissions: 'permissions',
  timezone: 'timezoneId',
  userAgent: 'userAgent',
} satisfies Record<keyof BrowserFields, keyof BrowserContextOptions>;

/** A null field keeps the value of the project. */
function emulationOptions({ device, size, ...fields }: Emulation): BrowserContextOptions {
  // Projects choose browsers, lists do not.
  const { defaultBrowserType: _, ...ofDevice } = devices[device ?? ''] ?? {};
  const named = Object.entries(OPTIONS).map(([field, option]) => [option, Reflect.get(fields, field)]);
  return {
    ...ofDevice,
    ...(size && { viewport: { width: size.width, height: size.height } }),
    ...Object.fromEntries(named.filter(([, value]) => value !== null)),
    ...(fields.geolocation && { permissions: [...(fields.permissions ?? []), 'geolocation'] }),
  };
}

function credentialOptions(url: string, { httpCredentials, storageState }: Credentials): BrowserContextOptions {
  const { origin } = new URL(url);
  const known = httpCredentials ?? credentialsIn(url);
  return {
    ...(known && { httpCredentials: { ...known, origin } }),
    ...(storageState !== null && { storageState: readOwnState(storageState, url) }),
  };
}

/** Reads credentials from a URL. The page is opened without them, because Playwright prints the URL of each step in reports. */
function credentialsIn(url: string): Credentials['httpCredentials'] {
  const [username, password] = [new URL(url).username, new URL(url).password].map(decodeURIComponent);
  return username || password ? { username: username ?? '', password: password ?? '' } : null;
}

type SavedState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** Returns only the entries of this page's own site: a storage state may hold entries of several sites. */
function readOwnState(path: string, url: string): SavedState {
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
  if (!existsSync(path)) throw unreadable(path, 'the `storageState` file does not exist');
  try {
    const { cookies = [], origins = [] } = JSON.parse(readFileSync(path, 'utf8'));
    if (Array.isArray(cookies) && Array.isArray(origins)) return { cookies, origins };
  } catch {
    // The message of the parser is dropped: it quotes the file, and the file holds secrets.
  }
  throw unreadable(path, 'the `storageState` file is not valid, expected JSON with the lists `cookies` and `origins`');
}

function unreadable(path: string, found: string): ProofsheetError {
  return new ProofsheetError({
    code: 'storage-state',
    where: path,
    found,
    advice: 'Write the file with `context.storageState({ path })`, for example in a setup project that runs first.',
  });
}
