import type { BrowserContextOptions, LaunchOptions } from '@playwright/test';
import type { Pass, Proxy } from './proxy.js';

/** All but the proxy itself: what is looked up, or asked for, is so by the proxy. */
const FLAGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-quic',
  // Two names of one switch: which one holds depends on the browser.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Loopback goes by the proxy, too, whatever the environment says. */
const BYPASS = '<-loopback>';

/** Gives how a browser is launched that opens what strangers name: it reaches nothing but by the proxy. */
export function guardedLaunch({ server }: Proxy): Pick<LaunchOptions, 'args' | 'proxy'> {
  return { args: FLAGS, proxy: { server, bypass: BYPASS } };
}

/** Gives what a context is opened with for a page that a stranger names. Dialogs are dismissed where nobody listens. */
export function guardedContext({ server }: Proxy, { username, password }: Pass): BrowserContextOptions {
  return {
    proxy: { server, username, password, bypass: BYPASS },
    acceptDownloads: false,
    serviceWorkers: 'block',
    permissions: [],
  };
}
