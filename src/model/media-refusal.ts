import { messageOf } from './errors.js';

/** The command of WebDriver BiDi by which Playwright emulates a color scheme. */
export const MEDIA_COMMAND = 'emulation.setMediaFeaturesOverride';

/** Checks for the answer of a browser that has no media emulation. Firefox 153 has none over WebDriver BiDi. */
export function isMediaRefusal(cause: unknown): boolean {
  const message = messageOf(cause);
  return message.includes(MEDIA_COMMAND) && message.includes('unknown command');
}
