import { z } from 'zod';

/** Something to wait for as a user writes it; the list is checked for having one key each. */
export type WaitInput = z.infer<typeof waitSchema>;
/** An action as a user writes it; the list is checked for having one key each. */
export type ActionInput = z.infer<typeof actionSchema>;

/** Checks what names one element, or what `hide` and the like take one of. */
export const selectorSchema = z.string().min(1);

/** A mapping of which one key is written. The words are JSON schema's, for editors and for our messages. */
const ONE_KEY = { minProperties: 1, maxProperties: 1 };

/** Checks the long form of one thing to wait for. */
export const waitFieldsSchema = z
  .strictObject({
    selector: selectorSchema.optional().describe('An element that is visible.'),
    text: z.string().min(1).optional().describe('A text that is visible, any part of it, whatever its case.'),
    response: z.string().min(1).optional().describe('The URL of a response, as a pattern: **/api/items*.'),
  })
  .meta(ONE_KEY);

/** Checks one thing to wait for: a selector, or a mapping with one key. */
export const waitSchema = z.union([selectorSchema, waitFieldsSchema]);

/** Checks what `waitFor` takes: one thing, or a list of them. */
export const waitsSchema = z.union([selectorSchema, waitFieldsSchema, z.array(waitSchema)]);

/** Checks one action: a mapping with one key. */
export const actionSchema = z
  .strictObject({
    click: selectorSchema.optional().describe('Clicks this element.'),
    hover: selectorSchema.optional().describe('Moves the mouse over this element.'),
    fill: z
      .strictObject({ selector: selectorSchema, value: z.string().describe('What is typed into it.') })
      .optional()
      .describe('Types a value into this element.'),
    press: z
      .union([
        z.string().min(1),
        z
          .strictObject({ key: z.string().min(1), selector: selectorSchema.optional() })
          .describe('A key in an element.'),
      ])
      .optional()
      .describe('Presses a key, such as Enter or Control+A.'),
    scrollTo: z
      .union([selectorSchema, z.number().min(0).max(1_000_000)])
      .optional()
      .describe('Scrolls to this element, or to so many CSS pixels from the top of the page.'),
    wait: z
      .union([z.number().min(0).max(10), selectorSchema, waitFieldsSchema])
      .optional()
      .describe('Waits so many seconds, or for what waitFor can wait for.'),
  })
  .meta(ONE_KEY);
