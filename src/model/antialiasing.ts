/** What the list can say about pixels that differ only by anti-aliasing. */
export const ANTIALIASING_RULES = ['count', 'ignore', 'auto'] as const;

/** `count`: they are different; `ignore`: they are set apart; `auto`: they are different within one environment. */
export type AntialiasingRule = (typeof ANTIALIASING_RULES)[number];

/** The rule of one comparison, once it is known where both images were made. */
export type Antialiasing = Exclude<AntialiasingRule, 'auto'>;

/** Resolves `auto`. @param isOneEnvironment - both images are known to come from one environment */
export function resolveAntialiasing(rule: AntialiasingRule, isOneEnvironment: boolean): Antialiasing {
  if (rule !== 'auto') return rule;
  return isOneEnvironment ? 'count' : 'ignore';
}
