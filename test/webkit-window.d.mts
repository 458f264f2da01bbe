import type { Browser } from '@playwright/test';

/** Installs WebKitGTK of Debian, unless it is installed. */
export function installWebKit(): void;

/** Starts WebKitGTK on a screen without a monitor: each context is a window with one page. */
export function launchWebKit(): Promise<Browser>;
