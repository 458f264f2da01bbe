import type { BrowserContextOptions, LaunchOptions } from '@playwright/test';
import { fetchGuarded } from './fetch-guarded.js';
import { addressesOfUrl, createGuard, type GuardRules } from './guard.js';
import { type Pass, startProxy } from './proxy.js';

/** The way from the service to the web: all that it fetches for others, it fetches on it. */
export interface Outside {
  /** What the service's browser is launched with. */
  readonly launchOptions: Pick<LaunchOptions, 'args' | 'proxy'>;
  /** Lets one capture out. */
  admit(): Leave;
  /** Makes sure that a URL may be fetched. @throws ProofsheetError naming what it leads to. */
  checkTarget(url: string): Promise<void>;
  /** Fetches as `fetch` does. A redirect is not followed here: whoever asks checks its target first. */
  fetch(url: string, init: { readonly signal: AbortSignal }): Promise<Response>;
  close(): Promise<void>;
}

/** What one capture goes outside with. */
export interface Leave extends Pick<Pass, 'troubles' | 'end'> {
  /** What its context is opened with; a context that is opened otherwise reaches nothing. */
  readonly contextOptions: BrowserContextOptions;
}

/** Which addresses may be asked for, and what the browser is launched with beyond what we need. */
export interface OutsideSettings extends GuardRules {
  readonly browserFlags?: readonly string[];
}

/** What is looked up, or asked for, is so by the proxy and nothing else. */
const FLAGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-quic',
  // Two names of one switch: which one holds depends on the browser.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Loopback goes by the proxy as well, whatever the environment says. */
const BYPASS = '<-loopback>';

/** Opens a way on which nobody reaches an address that is refused: by whatever name, at whatever moment. */
export async function openOutside({ browserFlags = [], ...rules }: OutsideSettings): Promise<Outside> {
  const guard = createGuard(rules);
  const proxy = await startProxy(guard);
  const { server } = proxy;
  return {
    launchOptions: { args: [...FLAGS, ...browserFlags], proxy: { server, bypass: BYPASS } },
    admit() {
      const pass = proxy.admit();
      const { username, password } = pass;
      return {
        ...pass,
        contextOptions: {
          proxy: { server, username, password, bypass: BYPASS },
          acceptDownloads: false,
          serviceWorkers: 'block',
          permissions: [],
        },
      };
    },
    async checkTarget(url) {
      await addressesOfUrl(guard, url);
    },
    fetch: (url, { signal }) => fetchGuarded(guard, url, signal),
    close: () => proxy.close(),
  };
}
