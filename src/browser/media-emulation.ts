import type { Browser } from '@playwright/test';
import { isMediaRefusal, MEDIA_COMMAND } from '../model/media-refusal.js';

/**
 * Opens contexts also in a browser that has no media emulation. Playwright emulates a color scheme in every new context
 * over WebDriver BiDi, even where `colorScheme` is null, so that `newContext` fails in such a browser.
 *
 * Playwright has no option for it: this wraps the session by which its server, in this process, talks to the browser. Where
 * that is not found (a remote browser, another version of Playwright), nothing changes and `newContext` fails as before.
 *
 * @param onRefused is called each time that the browser refuses.
 */
export function tolerateMissingMedia(browser: Browser, onRefused: () => void): void {
  const session = property(serverOf(browser), '_browserSession');
  const send = property(session, 'send');
  if (!isObject(session) || typeof send !== 'function') return;
  const tolerant = async (method: string, parameters: unknown) => {
    try {
      return await Reflect.apply(send, session, [method, parameters]);
    } catch (cause) {
      if (method !== MEDIA_COMMAND || !isMediaRefusal(cause)) throw cause;
      onRefused();
      return {};
    }
  };
  Reflect.set(session, 'send', tolerant);
}

/** Gives Playwright's own object for a browser that it drives in this process. */
function serverOf(browser: Browser): unknown {
  const connection = property(browser, '_connection');
  const toServer = property(connection, 'toImpl');
  return typeof toServer === 'function' ? Reflect.apply(toServer, connection, [browser]) : undefined;
}

function property(owner: unknown, name: string): unknown {
  return isObject(owner) ? Reflect.get(owner, name) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
