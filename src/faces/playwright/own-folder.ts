import type { Browser, Page } from '@playwright/test';
import { readBrowserEnvironment, readEnvironment } from '../../capture/environment.js';
import type { Shot } from '../../model/plan.js';
import { environmentFolder } from '../../record/environment-folder.js';
import { currentHeadlessKind } from './fixtures.js';

/** Gives the folder of a shot's baseline where every environment has its own (`environment: separate`); null elsewhere. */
export async function ownFolderOf(shot: Shot, browser: Browser): Promise<string | null> {
  if (shot.environment !== 'separate' || shot.before) return null;
  return toFolder(await readBrowserEnvironment(browser, 1));
}

/** Gives it for a page that is open already. */
export async function ownFolderFor(shot: Shot, page: Page): Promise<string | null> {
  return shot.environment === 'separate' ? toFolder(await readEnvironment(page, 1)) : null;
}

function toFolder(drawing: Awaited<ReturnType<typeof readEnvironment>>): string {
  return environmentFolder({ ...drawing, headless: currentHeadlessKind() });
}
