/**
 * What is done so that the same page gives the same image, in the order in which it is explained. Each can be switched off
 * under `settle` in a list, by its name.
 */
export const SETTLE_NAMES = [
  'load',
  'fonts',
  'images',
  'layout',
  'busy',
  'animations',
  'motion',
  'videos',
  'gifs',
  'caret',
  'scrollbars',
  'spelling',
  'scroll',
  'random',
] as const;

/** The name of one cause of two captures of the same page being different. */
export type SettleName = (typeof SETTLE_NAMES)[number];

/** Which of them are on. */
export type SettleSwitches = Readonly<Record<SettleName, boolean>>;
