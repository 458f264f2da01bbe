import type { Browser, BrowserType, LaunchOptions } from '@playwright/test';

/** Installs WebKitGTK of Debian, unless it is installed. */
export function installWebKit(): void;

/** The first lines of a Playwright config whose projects have WebKitGTK as `webkit`. Their lists need `scale: device`. */
export const WEBKIT_CONFIG: string;

/** Returns the options of `use` for such a project. */
export function webKitOptions(): { browserName: 'webkit'; launchOptions: LaunchOptions };

/** Starts WebKitGTK on a screen without a monitor: each context is a window with one page. */
export function launchWebKit(webkit: BrowserType): Promise<Browser>;
