import { z } from 'zod';

/** What an image depends on besides the page. */
export const environmentSchema = z.strictObject({
  os: z.string().describe('process.platform'),
  arch: z.string().describe('process.arch'),
  browser: z.string().describe('chromium, firefox or webkit'),
  browserVersion: z.string(),
  headless: z
    .enum(['shell', 'new', 'headed', 'unknown'])
    .describe('which kind of headless; shell is chromium-headless-shell'),
  scale: z.number().describe('device pixels per CSS pixel'),
  fonts: z.string().nullable().describe('fingerprint of the fonts that text falls back to; null when it was not taken'),
  engine: z.string().describe('what compared, with its version: pixelmatch 7.2.0'),
});

/** See {@link environmentSchema}. */
export type Environment = z.infer<typeof environmentSchema>;
