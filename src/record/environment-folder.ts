import type { Environment } from '../model/environment.js';

/** What of an environment a page can be drawn differently by. The scale is the list's own, for each viewport. */
export type Drawing = Pick<Environment, 'os' | 'arch' | 'browser' | 'browserVersion' | 'headless' | 'fonts'>;

/** Names the folder that holds the baselines of one environment: `linux-x64-chromium-141.0.7390.37-shell-3f2a9c1b04de`. */
export function environmentFolder({ os, arch, browser, browserVersion, headless, fonts }: Drawing): string {
  const parts = [os, arch, browser, browserVersion, headless, ...(fonts === null ? [] : [fonts])];
  return parts.join('-').replace(/[^\w.-]/g, '_');
}
