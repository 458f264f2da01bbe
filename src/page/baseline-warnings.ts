import type { Page } from '@playwright/test';
import { BASELINE_WARNINGS, type CaptureResult, type Target, type Warning } from '../model/index.js';
import { warnOfData } from './broken-resources.js';
import type { CaptureContext } from './capture-context.js';
import { isSignInUrl, readPageNames, saysSignIn } from './error-text.js';
import { callInFrames } from './in-page/frames.js';
import type { Tools } from './in-page/tools.js';
import { warnOfAddress } from './navigation.js';

/**
 * Adds the warnings of a page that may not be the one that was asked for. They count only if its image becomes a baseline: a page may
 * expect that a request fails.
 */
export async function addBaselineWarnings(
  result: CaptureResult,
  { page, settings, network, deadline, isExpected }: CaptureContext,
  target: Target,
): Promise<CaptureResult> {
  if (result.kind === 'unstable' || isExpected(result.capture.image.bytes)) return result;
  const isLed = settings.actions.length > 0 || settings.javascriptCode !== null;
  const signIn = settings.warnsOfErrorText ? await deadline.race('checking the page', warnOfSignIn(page, target)) : [];
  const baselineWarnings = [...warnOfData(network), ...(isLed ? [] : warnOfAddress(page.url(), target)), ...signIn];
  return { ...result, capture: { ...result.capture, baselineWarnings } };
}

async function warnOfSignIn(page: Page, { url, finalUrl }: Pick<Target, 'url' | 'finalUrl'>): Promise<Warning[]> {
  if (isSignInUrl(finalUrl ?? url)) return [];
  if (!(await callInFrames(page, showsPassword)).includes(true)) return [];
  const { title, heading } = await page.evaluate(readPageNames);
  const name = [heading, title].find(saysSignIn) ?? (isSignInUrl(page.url()) ? page.url() : null);
  if (name === null) return [];
  const message = `the page asks for a password and looks like a sign-in page: "${name.trim()}"; give the page credentials, or set \`strict: false\` to allow it`;
  return [{ code: BASELINE_WARNINGS.signIn, message }];
}

/** Runs in the page. */
function showsPassword({ findAll }: Tools): boolean {
  return findAll('input[type="password"]').some((field) => field.checkVisibility({ visibilityProperty: true }));
}
