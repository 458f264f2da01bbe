import type { FullConfig } from '@playwright/test';
import { shown } from './host.js';

/** Gives what the ids of a spec's own shots begin with: its path without its ending. */
export function specName(file: string, config: FullConfig): string {
  return shown(file, { config }).replace(/(\.(spec|test))?\.[cm]?[jt]sx?$/, '');
}
