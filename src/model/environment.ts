import { z } from 'zod';

/** What an image depends on besides the page. */
export const environmentSchema = z.strictObject({
  os: z.string().describe('as process.platform names it, of the machine that the browser runs on'),
  arch: z.string().describe('as process.arch names it'),
  browser: z.string().describe('chromium, firefox or webkit'),
  browserVersion: z.string(),
  headless: z
    .enum(['shell', 'new', 'headed', 'unknown'])
    .describe('which kind of headless; shell is chromium-headless-shell'),
  scale: z.number().describe('device pixels per CSS pixel'),
  fonts: z.string().nullable().describe('fingerprint of the installed fonts; null when it was not taken'),
  engine: z.string().describe('what compared, with its version: pixelmatch 7.2.0'),
});

/** See {@link environmentSchema}. */
export type Environment = z.infer<typeof environmentSchema>;

/** What can become of a shot whose baseline was made in another environment than the run's. */
export const ENVIRONMENT_RULES = ['warn', 'fail', 'separate'] as const;

/** `warn`: the run says it once; `fail`: the shot is an error; `separate`: every environment has baselines of its own. */
export type EnvironmentRule = (typeof ENVIRONMENT_RULES)[number];

/** Gives the parts in which two environments differ. What one of them does not know is not held against the other. */
export function differingParts(a: Environment, b: Environment): (keyof Environment)[] {
  return environmentSchema
    .keyof()
    .options.filter((part) => isKnown(a[part]) && isKnown(b[part]) && a[part] !== b[part]);
}

function isKnown(value: Environment[keyof Environment]): boolean {
  return value !== null && value !== 'unknown';
}
