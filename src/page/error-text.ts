import type { Page } from '@playwright/test';
import { BASELINE_WARNINGS, type Target, type Warning } from '../model/index.js';
import { callInFrames } from './in-page/frames.js';
import type { Tools } from './in-page/tools.js';

const STATUS = '(?:40[0-9]|410|429|50[0-4])';

const SEPARATOR = '[-\u2013\u2014:|\u00b7\u2022,.!]';

/** A bare number may be a price or a house number. It counts at the start or end of the text, or next to an error word. */
const PATTERNS: readonly RegExp[] = [
  new RegExp(`^${STATUS}(?:\\s*$|\\s*${SEPARATOR}|\\s+error\\b)`, 'i'),
  new RegExp(`${SEPARATOR}\\s*${STATUS}$`, 'i'),
  new RegExp(`\\b(?:http|error|status)\\s+(?:code\\s+)?${STATUS}\\b`, 'i'),
  /^error$/i,
  /\b(?:not found|(?:could not|couldn['\u2019]t|cannot|can['\u2019]t) be (?:found|reached)|(?:page|site) (?:does not|doesn['\u2019]t) exist)\b/i,
  /\b(?:internal server error|server error|bad gateway|service unavailable|gateway time-?out|application error)\b/i,
  /\b(?:access denied|forbidden|unauthorized|too many requests|something went wrong|an (?:unexpected )?error (?:has )?occurred)\b/i,
  // The pages of frameworks: React Router, Next.js, Rails, Laravel, Symfony, Spring, Django, Werkzeug, ASP.NET and WordPress.
  /^(?:unexpected application error|unhandled (?:thrown response|runtime error)|failed to compile$|build error$|whoops\b|oops\b)/i,
  /^(?:we['\u2019]re sorry, but|action controller: exception caught|routing error$|whitelabel error page|page expired$)/i,
  /\b(?:change you wanted was rejected|page you were looking for (?:does not|doesn['\u2019]t) exist)\b/i,
  /\b\w*(?:error|exception|disallowedhost|doesnotexist) at \/|\bwerkzeug debugger\b|\ban unhandled exception occurred\b/i,
  /\b(?:error establishing a database connection|critical error on this website|function has crashed)\b/i,
  /\b(?:nicht gefunden|introuvable|no encontrad[ao]|non trovata|n\u00e3o encontrada|niet gevonden)\b/i,
];

export interface PageNames {
  readonly title: string;
  /** The first visible heading of level 1, or else of level 2. */
  readonly heading: string;
  /** The element in which a development server shows an error over the page; empty if there is none. */
  readonly overlay: string;
}

/** Returns a warning if a page looks like an error message. Such a page may have status 200 and match its baseline. */
export function warnOfErrorText({ title, heading, overlay }: PageNames): Warning[] {
  if (overlay !== '') {
    const message = `a development server shows an error over the page (<${overlay}>); set \`strict: false\` to allow it`;
    return [{ code: 'page-error-text', message }];
  }
  for (const [what, text] of Object.entries({ title, heading })) {
    const plain = text.replace(/\s+/g, ' ').trim();
    if (!PATTERNS.some((pattern) => pattern.test(plain))) continue;
    const message = `the ${what} of the page looks like an error message: "${plain}"; set \`strict: false\` to allow it`;
    return [{ code: 'page-error-text', message }];
  }
  return [];
}

const SIGN_IN =
  /\b(?:sign|log)[ -]?(?:in|on)\b|\blogin\b|anmeld|einlogg|connexion|connecter|inici[ae]r? sesi|\bacced[ei]|\bentrar\b|inloggen|logga in|log ind|logg inn|zaloguj|přihlá|увійти|войти|вход|ログイン|登录|登入|로그인/i;

export function saysSignIn(text: string): boolean {
  return SIGN_IN.test(text);
}

export function isSignInUrl(url: string): boolean {
  const { pathname, search, hash } = new URL(url);
  return /(?:^|[^a-z])(?:log|sign)[-_]?(?:in|on)(?:$|[^a-z])|(?:^|[^a-z])(?:auth|sso|session|anmeld\w*|connexion)(?:$|[^a-z])/i.test(
    `${pathname}${search}${hash}`,
  );
}

/** Runs in the page. Returns at most 200 characters of each text. */
export function readPageNames(): PageNames {
  const maxLength = 200;
  const overlays =
    'vite-error-overlay, nuxt-error-overlay, rsbuild-error-overlay, nextjs-portal, #webpack-dev-server-client-overlay, #__parcel__error__overlay__';
  // The portal of Next.js has an indicator in it, too.
  const overlay = Array.from(document.querySelectorAll(overlays)).find(
    (element) =>
      element.localName !== 'nextjs-portal' || element.shadowRoot?.querySelector('[data-nextjs-dialog]') != null,
  );
  const headings = ['h1', 'h2'].flatMap((name) => Array.from(document.querySelectorAll(name)));
  const heading = headings.find((element) => element.checkVisibility());
  // A page can shadow these properties with values of any type.
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, maxLength) : '');
  return { title: text(document.title), heading: text(heading?.textContent), overlay: overlay?.localName ?? '' };
}

/** Returns a warning if a page asks for a password and looks like a sign-in page, unless it was asked for. */
export async function warnOfSignIn(
  page: Page,
  { url, finalUrl }: Pick<Target, 'url' | 'finalUrl'>,
): Promise<Warning[]> {
  if (isSignInUrl(finalUrl ?? url)) return [];
  if (!(await callInFrames(page, showsPassword)).includes(true)) return [];
  const { title, heading } = await page.evaluate(readPageNames);
  const name = [heading, title].find(saysSignIn) ?? (isSignInUrl(page.url()) ? page.url() : null);
  if (name === null) return [];
  const message = `the page asks for a password and looks like a sign-in page: "${name.trim()}"; give the page credentials, or set \`strict: false\` to allow it`;
  return [{ code: BASELINE_WARNINGS.signIn, message }];
}

function showsPassword({ findAll }: Tools): boolean {
  return findAll('input[type="password"]').some((field) => field.checkVisibility({ visibilityProperty: true }));
}
