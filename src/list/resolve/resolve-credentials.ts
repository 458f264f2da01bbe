import { dirname, resolve } from 'node:path';
import {
  type Cookie,
  type CookieInput,
  type Credentials,
  type CredentialsInput,
  DEFAULTS,
  type PlannedShot,
} from '../../model/index.js';

/** The credentials of a page without credential fields: none. */
export const NO_CREDENTIALS: Credentials = { headers: {}, cookies: [], storageState: null, httpCredentials: null };

/** Resolves the credentials of a shot's page. */
export function resolveCredentials({ fields, position }: PlannedShot): Credentials {
  return resolveFields(fields, position.file);
}

/**
 * Resolves the credentials of the `before` page: those of `before`. Without them, the credentials of the `after` page
 * apply, but only if both pages have the same origin.
 */
export function resolveBeforeCredentials(planned: PlannedShot, afterUrl: string, beforeUrl: string): Credentials {
  const { beforeCredentials, position } = planned;
  if (beforeCredentials !== null) return resolveFields(beforeCredentials, position.file);
  return new URL(afterUrl).origin === new URL(beforeUrl).origin ? resolveCredentials(planned) : NO_CREDENTIALS;
}

/** Does not check whether the storage state file exists: a setup project may write it later. */
function resolveFields(
  { headers, cookies, storageState, httpCredentials }: CredentialsInput,
  list: string,
): Credentials {
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
