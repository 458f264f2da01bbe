import type { BrowserContextOptions, LaunchOptions } from '@playwright/test';
import { ProofsheetError } from '../model/errors.js';
import type { ServeSettings } from '../model/serve-settings.js';

/** The way from the service to the web: all that it fetches for others, it fetches on it. */
export interface Outside {
  /** What the service's browser is launched with. */
  readonly launchOptions: Pick<LaunchOptions, 'args' | 'proxy'>;
  /** What each of its contexts is opened with. */
  readonly contextOptions: BrowserContextOptions;
  /** Makes sure that a URL may be fetched. @throws ProofsheetError naming what it leads to. */
  checkTarget(url: string): Promise<void>;
  /** Fetches as `fetch` does. A redirect is not followed here: whoever asks checks its target first. */
  fetch(url: string, init: { readonly signal: AbortSignal }): Promise<Response>;
}

/**
 * Opens the way outside that a service is to have.
 *
 * @throws ProofsheetError `command-invalid` where private addresses cannot be kept out.
 */
export function openOutside({
  allowPrivate,
  browserFlags,
}: Pick<ServeSettings, 'allowPrivate' | 'browserFlags'>): Outside {
  if (allowPrivate) return openEverywhere(browserFlags);
  throw new ProofsheetError({
    code: 'command-invalid',
    where: 'proofsheet serve',
    found: 'private addresses cannot be kept from being captured yet',
    advice: 'Where every page that this machine reaches may be captured, give --allow-private.',
  });
}

/** Opens a way that leads everywhere, to private addresses too. @param args flags of the browser's. */
export function openEverywhere(args: readonly string[] = []): Outside {
  return {
    launchOptions: { args: [...args] },
    contextOptions: { acceptDownloads: false, serviceWorkers: 'block' },
    checkTarget: async () => {},
    fetch: (url, { signal }) => fetch(url, { signal, redirect: 'manual' }),
  };
}
