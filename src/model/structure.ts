import { z } from 'zod';

const index = z.int().min(0);

/** Schema of one rendered element, or of one run of text in it. */
const structureElementSchema = z.strictObject({
  parent: z.int().min(-1).describe('index of the parent, which comes before its children; -1: the root'),
  tag: z.string().describe('tag name in lower case; `::before` and the like for a pseudo-element; `#text` for text'),
  box: z.tuple([z.int(), z.int(), z.int(), z.int()]).describe('left, top, width and height in pixels of the image'),
  style: index.exactOptional().describe('index into `styles`; absent: text'),
  id: z.string().exactOptional(),
  classes: z.array(z.string()).exactOptional(),
  role: z.string().exactOptional().describe('the attribute `role`'),
  name: z.string().exactOptional().describe('the accessible name that an attribute gives: aria-label, alt, title'),
  text: z.string().exactOptional().describe('the first characters of the text'),
  hash: z.string().exactOptional().describe('hash of what is drawn: the whole text, the image, the shape of a drawing'),
  image: z.string().exactOptional().describe('URL of the image, without the origin of the page and without a query'),
  opaque: z
    .enum(['canvas', 'video', 'frame', 'input'])
    .exactOptional()
    .describe('the element draws content that is not in the structure; frame: of another origin, or a plugin'),
});

/** The kinds of resources that are reported if they do not load. */
export const RESOURCE_KINDS = ['image', 'font', 'stylesheet', 'script', 'frame', 'media', 'drawing'] as const;

/** Schema of a resource of a page that did not load. */
const brokenResourceSchema = z.strictObject({
  kind: z
    .enum(RESOURCE_KINDS)
    .describe('media: a video or a sound; drawing: an SVG file that a drawing or a filter uses'),
  url: z.string(),
  reason: z.string().describe('the HTTP status, or the error of the network'),
});

/** See {@link brokenResourceSchema}. */
export type BrokenResource = Readonly<z.infer<typeof brokenResourceSchema>>;

/**
 * Schema of the structure of a page: one entry per rendered element and per run of text, in document order. It has no values of
 * inputs, and nothing of masked, ignored and hidden areas.
 */
export const structureSchema = z.strictObject({
  schemaVersion: z.literal(1),
  properties: z.array(z.string()).describe('names of the computed styles'),
  styles: z.array(z.array(z.string())).describe('distinct computed styles: the values, in the order of `properties`'),
  elements: z.array(structureElementSchema),
  broken: z
    .array(brokenResourceSchema)
    .exactOptional()
    .describe('what did not load, with URLs as in `image`; absent: everything loaded'),
});

/** See {@link structureSchema}. */
export type Structure = Readonly<z.infer<typeof structureSchema>>;
/** See {@link structureSchema}. */
export type StructureElement = Readonly<z.infer<typeof structureElementSchema>>;

/**
 * Parts of an id or a class that libraries generate: UUIDs, times and random numbers, ids of React's `useId`, and random letters and
 * digits. They are other ones in each load, or as soon as another component is on the page.
 */
const GENERATED =
  /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d{9,}|[:«]r[\da-v]+[:»]|_r_[\da-v]+_|(?<![a-z\d])(?=[a-z\d]{8})(?:[a-z]*\d+[a-z]+){3,}\d*/gi;

/** Replaces the generated parts of a name by an ellipsis. */
export function withoutGenerated(name: string): string {
  return name.replace(GENERATED, '…');
}

/** A computed style whose declaration is looked up. */
export interface StyleQuestion {
  /** Index of the element in the structure. */
  readonly element: number;
  readonly property: string;
}

/** Schema of the declaration that sets a style. */
export const ruleSourceSchema = z.strictObject({
  selector: z.string().describe('selector of the rule; `style` for the attribute of the element'),
  file: z
    .string()
    .nullable()
    .describe('path of the source, style sheet or document on the site; null: a script made it'),
  line: z.int().min(1).nullable().describe('line of the declaration, from 1'),
});

/** Values of a size that the layout computes, so that the size is no cause of anything. */
export const LAYOUT_SIZE = /^(auto|.*%.*|.*(content|stretch|available).*)$/;

/** See {@link ruleSourceSchema}. */
export type RuleSource = Readonly<z.infer<typeof ruleSourceSchema>>;

/** The declaration of a style that wins. Both are null if no rule of the page declares it. */
export interface StyleAnswer extends StyleQuestion {
  readonly source: RuleSource | null;
  /** The value as written. */
  readonly value: string | null;
}

/** The structure of a captured page, and the declarations that were asked for. */
export interface CapturedStructure {
  readonly structure: Structure;
  readonly answers: readonly StyleAnswer[];
}

/** Asks for the structure of a page, which is read after its image. */
export interface StructureRequest {
  /** Checks whether the structure of a page with this image is needed. `isStable`: the page did not keep changing. */
  isNeeded(image: Buffer, isStable: boolean): boolean;
  /** Removes secrets from a text. */
  redact(text: string): string;
  /** Returns the styles whose declarations are looked up while the page is open. */
  ask(structure: Structure): Promise<readonly StyleQuestion[]>;
}
