import { z } from 'zod';

/** The default of every step. */
const ENABLED = true;

const step = (description: string) => z.boolean().exactOptional().describe(`${description} Default: ${ENABLED}.`);

/** The steps that stabilize a page, in the order of the documentation. Each can be switched off under `settle` in a list. */
const steps = {
  load: step('Waits for the load event.'),
  fonts: step('Waits for web fonts.'),
  images: step('Waits for images, including lazy and background images.'),
  layout: step('Lets the page live for 5 s of its own time, so that late content arrives.'),
  busy: step('Waits while an element is aria-busy.'),
  animations: step('Ends animations where the frames of a page are not controlled; stops marquees.'),
  motion: step('Asks for reduced motion.'),
  videos: step('Stops videos at their first frame.'),
  gifs: step('Stops animated images at their first frame.'),
  caret: step('Hides the caret.'),
  scrollbars: step('Hides scrollbars.'),
  spelling: step('Hides the marks of the spell checker.'),
  scroll: step('Scrolls through the page to show content that appears on scroll.'),
  random: step('Seeds Math.random.'),
};

const nameSchema = z.strictObject(steps).keyof();
const switchesSchema = z.record(nameSchema, z.boolean().default(ENABLED));

/** The name of one cause of unstable captures. */
export type SettleName = z.infer<typeof nameSchema>;

/** Which stabilization steps are enabled. */
export type SettleSwitches = Readonly<z.infer<typeof switchesSchema>>;

/** The switches of a page that sets none. */
export const SETTLE_DEFAULTS: SettleSwitches = switchesSchema.parse({});

/** Schema of `settle`: disabled stabilization steps, and how long to wait for late changes. */
export const settleSchema = z.strictObject({
  ...steps,
  late: z
    .number()
    .positive()
    .max(60)
    .exactOptional()
    .describe('Seconds of its own time that the page lives before its image, if more than 5. Default: 0.'),
});
