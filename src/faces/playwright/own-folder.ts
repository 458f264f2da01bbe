import type { Browser, Page } from '@playwright/test';
import { readEnvironment } from '../../capture/environment.js';
import type { Shot } from '../../model/plan.js';
import { environmentFolder } from '../../record/environment-folder.js';
import { currentHeadlessKind } from './fixtures.js';

/** Gives the folder of a shot's baseline where every environment has its own (`environment: separate`); null elsewhere. */
export async function ownFolderOf(shot: Shot, browser: Browser): Promise<string | null> {
  if (shot.environment !== 'separate' || shot.before) return null;
  const known = folders.get(browser) ?? readInPage(browser);
  folders.set(browser, known);
  return known;
}

/** Gives it for a page that is open already. */
export async function ownFolderFor(shot: Shot, page: Page): Promise<string | null> {
  return shot.environment === 'separate' ? readFolder(page) : null;
}

const folders = new WeakMap<Browser, Promise<string>>();

async function readInPage(browser: Browser): Promise<string> {
  const page = await browser.newPage();
  try {
    return await readFolder(page);
  } finally {
    await page.close();
  }
}

async function readFolder(page: Page): Promise<string> {
  return environmentFolder({ ...(await readEnvironment(page, 1)), headless: currentHeadlessKind() });
}
