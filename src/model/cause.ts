import { z } from 'zod';
import { rectangleSchema } from './environment.js';
import { ruleSourceSchema } from './structure.js';

/** The kinds of causes. Only a shot that is unstable has `changing`. docs/causes.md documents each. */
const CAUSE_KINDS = [
  'restyled',
  'reworded',
  'image',
  'broken',
  'drawing',
  'inserted',
  'removed',
  'moved',
  'changing',
  'opaque',
  'unexplained',
] as const;

/** Schema of one cause of a change. */
export const causeSchema = z.strictObject({
  kind: z.enum(CAUSE_KINDS),
  element: z.string().nullable().describe('short selector of the first element; null: the whole page, or unexplained'),
  property: z.string().nullable().describe('restyled: the CSS property; otherwise null'),
  before: z.string().nullable().describe('the value, the text, or the URL of the image before'),
  after: z
    .string()
    .nullable()
    .describe('the value, the text, or the URL of the image after; broken: with the status or the error'),
  source: ruleSourceSchema.nullable().describe('restyled: the declaration that wins now; null: none, or unknown'),
  certain: z.boolean().describe('false: other causes of the same pixels are possible'),
  elements: z.int().min(0).describe('number of elements that the cause changed in the same way'),
  boxes: z
    .array(z.strictObject({ before: rectangleSchema.nullable(), after: rectangleSchema.nullable() }))
    .describe('the first elements, in pixels of the before image and of the after image'),
  regions: z.array(z.int().min(0)).describe('indexes of the regions that the cause explains'),
  pixels: z.int().min(0).describe('differing pixels of these regions'),
});

/** See {@link causeSchema}. */
export type Cause = Readonly<z.infer<typeof causeSchema>>;
