import { z } from 'zod';

/**
 * The steps that stabilize a page, in the order of the documentation. Each can be switched off by name under `settle` in a list.
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

/** The name of one cause of unstable captures. */
export type SettleName = (typeof SETTLE_NAMES)[number];

/** Which stabilization steps are enabled. */
export type SettleSwitches = Readonly<Record<SettleName, boolean>>;

const off = (description: string) => z.boolean().exactOptional().describe(`${description} Default true.`);

const switches = {
  load: off('Waits for the load event.'),
  fonts: off('Waits for web fonts.'),
  images: off('Waits for images, lazy and background ones too.'),
  layout: off('Waits until nothing moves any more.'),
  busy: off('Waits while something is aria-busy.'),
  animations: off('Ends CSS and Web Animations.'),
  motion: off('Stops what JavaScript moves.'),
  videos: off('Stops videos at their first frame.'),
  gifs: off('Stops animated images at their first frame.'),
  caret: off('Hides the caret.'),
  scrollbars: off('Hides scrollbars.'),
  spelling: off('Hides the marks of the spelling checker.'),
  scroll: off('Scrolls through the page, so that what appears on scroll appears.'),
  random: off('Seeds Math.random.'),
} satisfies Record<SettleName, unknown>;

/** Schema of `settle`: disabled stabilization steps, and how long to wait for late changes. */
export const settleSchema = z.strictObject({
  ...switches,
  late: z
    .number()
    .positive()
    .max(60)
    .exactOptional()
    .describe('Seconds up to which timers, responses and sockets of the page are waited for. Default: responses only.'),
});
