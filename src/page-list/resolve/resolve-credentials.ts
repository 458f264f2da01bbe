import { dirname, resolve } from 'node:path';
import type { CookieInput, CredentialsInput } from '../../model/list/fields.js';
import type { Cookie, Credentials, PlannedShot } from '../../model/shot.js';
import { DEFAULTS } from '../schema/defaults.js';

/** What a page is given of which a list says nothing: nothing. */
export const NO_CREDENTIALS: Credentials = { headers: {}, cookies: [], storageState: null, httpCredentials: null };

/** Fills in what the page of a shot is given. */
export function resolveCredentials({ fields, position }: PlannedShot): Credentials {
  return fillIn(fields, position.file);
}

/**
 * Fills in what the page that is before is given: what the list gives it, and nothing of the other side's, unless both are
 * of one origin.
 */
export function resolveBeforeCredentials(planned: PlannedShot, afterUrl: string, beforeUrl: string): Credentials {
  const { beforeCredentials, position } = planned;
  if (beforeCredentials !== null) return fillIn(beforeCredentials, position.file);
  return new URL(afterUrl).origin === new URL(beforeUrl).origin ? resolveCredentials(planned) : NO_CREDENTIALS;
}

/** Whether the file of a storage state is there is of no matter yet: a setup project may write it. */
function fillIn({ headers, cookies, storageState, httpCredentials }: CredentialsInput, list: string): Credentials {
  return {
    headers: headers ?? {},
    cookies: cookiesOf(cookies ?? []).map(resolveCookie),
    storageState: storageState === undefined ? null : resolve(dirname(list), storageState),
    httpCredentials: httpCredentials ?? null,
  };
}

function cookiesOf(cookies: NonNullable<CredentialsInput['cookies']>): CookieInput[] {
  return Array.isArray(cookies) ? cookies : Object.entries(cookies).map(([name, value]) => ({ name, value }));
}

function resolveCookie({ name, value, path, httpOnly, secure, sameSite }: CookieInput): Cookie {
  return {
    ...{ name, value },
    path: path ?? DEFAULTS.cookie.path,
    httpOnly: httpOnly ?? DEFAULTS.cookie.httpOnly,
    secure: secure ?? DEFAULTS.cookie.secure,
    sameSite: sameSite ?? DEFAULTS.cookie.sameSite,
  };
}
