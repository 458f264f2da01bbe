import { z } from 'zod';
import { cookieFault, cookieNameFault, headerFault, headersFault, oneKey, rule, selectorFault } from './rules.js';

/** The credentials of a page, as a user writes them. */
export type CredentialsInput = z.infer<typeof credentialsSchema>;
/** A cookie as a user writes it, in its long form. */
export type CookieInput = z.infer<typeof cookieSchema>;

const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'one line of Latin-1 characters');
const cookieName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'a name without spaces or separators');
const cookieValue = z.string().regex(/^[\x20-\x3a\x3c-\x7e]*$/, 'one line of ASCII characters without ";"');

const cookieFields = z.strictObject({
  name: cookieName,
  value: cookieValue,
  path: z
    .string()
    .regex(/^\/[\x20-\x3a\x3c-\x7e]*$/, 'a path that starts with /')
    .optional()
    .describe('Path that the cookie applies to. Default: /.'),
  httpOnly: z.boolean().optional().describe('Hides the cookie from JavaScript. Default: false.'),
  secure: z.boolean().optional().describe('Sends the cookie over HTTPS only. Default: false.'),
  sameSite: z
    .enum(['Strict', 'Lax', 'None'])
    .optional()
    .describe('Whether cross-site requests send the cookie. Default: Lax.'),
});
const cookieSchema = rule(cookieFields, cookieFault);

/** Schema of the credentials of a page. They are among the other fields of a page, and in the mapping of `before`. */
export const credentialsSchema = z.strictObject({
  headers: rule(z.record(rule(z.string(), headerFault), headerValue), headersFault)
    .optional()
    .describe('HTTP headers of requests to the origin of the page: a mapping of name to value. Default: none.'),
  cookies: z
    .union([z.array(cookieSchema), z.record(rule(z.string(), cookieNameFault), cookieValue)])
    .optional()
    .describe(
      'Cookies for the host of the page: a mapping of name to value, or a list of { name, value, path, ... }. Default: none.',
    ),
  storageState: z
    .string()
    .min(1)
    .optional()
    .describe('Path of a Playwright storage state file, relative to the list. Default: none.'),
  httpCredentials: z
    .strictObject({ username: z.string().min(1), password: z.string() })
    .optional()
    .describe('User name and password for HTTP authentication at the origin of the page. Default: none.'),
});

/** A wait condition as a user writes it. A mapping has exactly one key. */
export type WaitInput = z.infer<typeof waitSchema>;
/** An action as a user writes it. A mapping has exactly one key. */
export type ActionInput = z.infer<typeof actionSchema>;

/** Schema of a selector of Playwright. */
export const selectorSchema = rule(z.string().min(1), selectorFault);

/** Schema of the long form of a wait condition. */
export const waitFieldsSchema = oneKey(
  z.strictObject({
    selector: selectorSchema.optional().describe('Waits until an element that matches this selector is visible.'),
    text: z
      .string()
      .min(1)
      .optional()
      .describe('Waits until an element that contains this text is visible; case is ignored.'),
    response: z
      .string()
      .min(1)
      .optional()
      .describe('Waits for a response whose URL matches this glob pattern, such as **/api/items*.'),
  }),
  'Write each condition as a separate list item. The test waits for all of them.',
);

/** Schema of one wait condition: a selector, or a mapping with one key. */
export const waitSchema = z.union([selectorSchema, waitFieldsSchema]);

/** Schema of `waitFor`: one wait condition, or a list of them. */
export const waitsSchema = z.union([selectorSchema, waitFieldsSchema, z.array(waitSchema)]);

const scrollTarget = rule(selectorSchema, (to) =>
  to === 'bottom'
    ? {
        found: '{name} must be a selector, "top" or a number, not "bottom"',
        advice: 'Use the selector of the last element, such as "footer".',
      }
    : null,
);

/** Schema of one action: a mapping with one key. */
export const actionSchema = oneKey(
  z.strictObject({
    click: selectorSchema.optional().describe('Clicks the element that matches this selector.'),
    hover: selectorSchema.optional().describe('Moves the mouse over the element that matches this selector.'),
    fill: z
      .strictObject({ selector: selectorSchema, value: z.string().describe('Text to fill in.') })
      .optional()
      .describe('Fills a form field with a value.'),
    press: z
      .union([
        z.string().min(1),
        z
          .strictObject({ key: z.string().min(1), selector: selectorSchema.optional() })
          .describe('Focuses an element and presses a key.'),
      ])
      .optional()
      .describe('Presses a key or a key combination, such as Enter or Control+A.'),
    scrollTo: z
      .union([scrollTarget, z.number().min(0).max(1_000_000)])
      .optional()
      .describe(
        'Scrolls to the element that matches this selector, or to a distance from the top of the page in CSS pixels.',
      ),
    wait: z
      .union([z.number().min(0).max(10), selectorSchema, waitFieldsSchema])
      .optional()
      .describe('Waits for a number of seconds, such as 0.5 for 500 ms, or for a condition as in waitFor.'),
  }),
  'Write each action as a separate list item, in the order in which they run.',
);

/** Schema of `reuse` of a page list. */
export const reuseSchema = z.union([
  z.boolean(),
  z.strictObject({
    verify: z
      .number()
      .min(0)
      .max(1)
      .describe('Share of the reusable shots that are captured all the same, 0 to 1, such as 0.05.'),
  }),
]);

/** How a run reuses earlier captures. */
export interface ReuseSettings {
  /** Share of the reusable shots that are captured all the same, 0..1. */
  readonly verify: number;
}

/** The rules for pixels that differ only by anti-aliasing. */
export const ANTIALIASING_RULES = ['count', 'ignore', 'auto'] as const;

/** `count`: they count as different; `ignore`: they are counted separately; `auto`: `count` within one environment. */
export type AntialiasingRule = (typeof ANTIALIASING_RULES)[number];

/** The resolved rule of one comparison. */
export type Antialiasing = Exclude<AntialiasingRule, 'auto'>;

/** Resolves `auto`. @param isOneEnvironment - true if both images are known to come from the same environment */
export function resolveAntialiasing(rule: AntialiasingRule, isOneEnvironment: boolean): Antialiasing {
  if (rule !== 'auto') return rule;
  return isOneEnvironment ? 'count' : 'ignore';
}

/** The engines that compare pixels. */
export const ENGINES = ['odiff', 'pixelmatch'] as const;

/** The bounds of a viewport in CSS pixels, for the page list, the service and the commands. */
export const VIEWPORT_BOUNDS = { width: { min: 100, max: 8000 }, height: { min: 100, max: 20_000 } } as const;

/** Schema of a viewport width. */
export const widthSchema = z.int().min(VIEWPORT_BOUNDS.width.min).max(VIEWPORT_BOUNDS.width.max);
/** Schema of a viewport height. */
export const heightSchema = z.int().min(VIEWPORT_BOUNDS.height.min).max(VIEWPORT_BOUNDS.height.max);

/** Formats the bounds of a side: `100..8000`. */
export function renderBounds(side: keyof typeof VIEWPORT_BOUNDS): string {
  const { min, max } = VIEWPORT_BOUNDS[side];
  return `${min}..${max}`;
}
