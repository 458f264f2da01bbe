import { z } from 'zod';
import type { Environment, Exclusion, HiddenElement, RenderedHashes, ShownTexts } from './environment.js';
import { messageOf } from './errors.js';
import type { EncodedImage, Size } from './image.js';
import type { warningSchema } from './problem-schemas.js';

/** A problem of a capture that is not an error. */
export type Warning = Readonly<z.infer<typeof warningSchema>>;

/** Codes of warnings about an image that becomes a baseline, and about a baseline. */
export const BASELINE_WARNINGS = {
  data: 'baseline-data',
  address: 'baseline-address',
  signIn: 'baseline-sign-in',
  record: 'baseline-record',
  hidden: 'baseline-hidden',
  texts: 'baseline-texts',
} as const;

export interface Capture {
  readonly image: EncodedImage;
  readonly masks: readonly Exclusion[];
  /** The rectangles of each `ignore` entry. They are visible in the image but not compared. */
  readonly ignored: readonly Exclusion[];
  readonly viewport: Size;
  /** When the image was taken, milliseconds since 1970. */
  readonly takenAt: number;
  readonly url: string;
  readonly attempts: number;
  /** The clock and the frames of the page were controlled, and no part of it had a clock of its own: another load gives the same image. @default false */
  readonly isExact?: boolean;
  /** The requests that failed or stayed open: origin and path of each, without the query. Those that the page aborted do not count. */
  readonly missingResponses: readonly string[];
  /** Those of {@link missingResponses} whose connection broke: the next load may receive them. */
  readonly lostResponses: readonly string[];
  /** What `hideCookie` removed. @default it is off */
  readonly hidden?: readonly HiddenElement[];
  /** What the image shows of `texts`. @default the list has none */
  readonly texts?: readonly ShownTexts[];
  /** The texts that a pattern of `texts` does not allow. @default none */
  readonly wrongTexts?: readonly WrongText[];
  /** The texts of the page, in its image or not. @default not known */
  readonly rendered?: RenderedTexts;
  readonly warnings: readonly Warning[];
  /** Warnings that count only if the image becomes a baseline. @default none */
  readonly baselineWarnings?: readonly Warning[];
  /** The environment of the browser. The comparison adds `engine`. */
  readonly environment: Omit<Environment, 'engine'>;
  /** The structure of the page; null if it was not asked for, or could not be read. */
  readonly structure: CapturedStructure | null;
}

/** The texts that a page renders. */
export interface RenderedTexts {
  readonly hashes: RenderedHashes;
  /** The texts, in any order; empty if their hashes are the expected ones. */
  readonly texts: readonly {
    /** 24 bits. */
    readonly hash: number;
    /** Its first characters. */
    readonly text: string;
    /** The name of the element around it. */
    readonly element: string;
    /** A visitor can scroll to it, in an area or a frame that the image does not show whole. */
    readonly isBeyond: boolean;
  }[];
}

export interface WrongText {
  readonly selector: string;
  readonly pattern: string;
  readonly text: string;
}

/** The result of capturing a page. A page that cannot be captured throws a ProofsheetError instead. */
export type CaptureResult =
  | { readonly kind: 'settled'; readonly capture: Capture }
  /** No two consecutive screenshots matched within the time budget. `previous` and `capture` are the last two. */
  | { readonly kind: 'unstable'; readonly capture: Capture; readonly previous: EncodedImage };

export const MEDIA_COMMAND = 'emulation.setMediaFeaturesOverride';

/** Checks for the error of a browser without media emulation. Firefox 153 has none over WebDriver BiDi. */
export function isMediaRefusal(cause: unknown): boolean {
  const message = messageOf(cause);
  return message.includes(MEDIA_COMMAND) && message.includes('unknown command');
}

/** The requests of one load of a page, from its navigation to its last screenshot. */
export interface SeenLoad {
  readonly requests: readonly { readonly method: string; readonly url: string }[];
  /** Other ways in which data can reach the page, such as `a WebSocket`. */
  readonly channels: readonly string[];
}

const index = z.int().min(0);

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
    .enum(['canvas', 'video', 'frame', 'other-site', 'input'])
    .exactOptional()
    .describe('draws what is not listed here; other-site: a frame of another site; frame: any other one, and a plugin'),
});

export const RESOURCE_KINDS = ['image', 'font', 'stylesheet', 'script', 'frame', 'media', 'drawing'] as const;

const brokenResourceSchema = z.strictObject({
  kind: z.enum(RESOURCE_KINDS).describe('media: a video or a sound; drawing: an SVG file that another uses'),
  url: z.string(),
  reason: z.string().describe('the HTTP status, or the error of the network'),
});

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
  broken: z.array(brokenResourceSchema).exactOptional().describe('what did not load; absent: nothing'),
});

export type Structure = Readonly<z.infer<typeof structureSchema>>;
export type StructureElement = Readonly<z.infer<typeof structureElementSchema>>;

/**
 * Parts of an id or a class that libraries generate: UUIDs, times and random numbers, ids of React's `useId`, and random letters and
 * digits. They are other ones in each load, or as soon as another component is on the page.
 */
const GENERATED_NAME =
  /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d{9,}|[:«]r[\da-v]+[:»]|_r_[\da-v]+_|(?<![a-z\d])(?=[a-z\d]{8})(?:[a-z]*\d+[a-z]+){3,}\d*/gi;

/** Replaces the generated parts of a name by an ellipsis. */
export function withoutGenerated(name: string): string {
  return name.replace(GENERATED_NAME, '…');
}

export interface StyleQuestion {
  readonly element: number;
  readonly property: string;
}

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

export type RuleSource = Readonly<z.infer<typeof ruleSourceSchema>>;

/** The declaration of a style that wins. Both are null if no rule of the page declares it. The size of a frame by its content has no source. */
export interface StyleAnswer extends StyleQuestion {
  readonly source: RuleSource | null;
  readonly value: string | null;
}

export interface CapturedStructure {
  readonly structure: Structure;
  readonly answers: readonly StyleAnswer[];
}

/** Asks for the structure of a page, which is read after its image. */
export interface StructureRequest {
  /** Checks whether the structure of a page with this image is needed. `isStable`: the page did not keep changing. */
  isNeeded(image: Buffer, isStable: boolean): boolean;
  redact(text: string): string;
  /** Returns the styles whose declarations are looked up while the page is open. */
  ask(structure: Structure): Promise<readonly StyleQuestion[]>;
}

export function withWarnings(capture: Capture, more: readonly Warning[]): Capture {
  return { ...capture, warnings: [...capture.warnings, ...more] };
}
