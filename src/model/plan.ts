import type { Position } from './errors.js';
import type { ImageFormat, Size } from './image.js';
import type { PageFieldsInput, ViewportInput } from './page-list.js';

/** A page list that was read and found whole: every shot it names, resolved as far as the list alone allows. */
export interface Plan {
  /** Absolute path of the YAML file. */
  readonly file: string;
  /** sha256 of the file's text, hexadecimal. */
  readonly hash: string;
  readonly shots: readonly PlannedShot[];
}

/** The names a shot is made of. `viewport` and `state` are null where the list names none. */
export interface ShotName {
  /** `page[/viewport][/state]`: the title of its test. */
  readonly id: string;
  readonly page: string;
  readonly viewport: string | null;
  readonly state: string | null;
}

/** One page x viewport x state of a list. What it leaves open, the project's `use` fills in: see `resolveShot`. */
export interface PlannedShot extends ShotName {
  readonly position: Position;
  readonly url: string;
  /** Where the page is before, when this is a two-state shot. */
  readonly before: string | null;
  readonly baseURL: string | null;
  readonly beforeBaseURL: string | null;
  /** Tags as Playwright wants them, with their `@`. */
  readonly tags: readonly string[];
  /** Why it is skipped, or null. */
  readonly skip: string | null;
  /** The named viewport, or null: then the page's own width and height, else the project's. */
  readonly size: ViewportInput | null;
  /** The page's own fields over the list's defaults. */
  readonly fields: PageFieldsInput;
}

/** What a shot takes from the Playwright project it runs in. */
export interface ProjectUse {
  readonly baseURL: string | null;
  readonly viewport: Size | null;
}

/** One shot with nothing left open. */
export interface Shot extends ShotName {
  readonly after: Target;
  /** The live page that is "before" in a two-state run; null means: the baseline on disk. */
  readonly before: Target | null;
  /** The viewport; null: the device's own, which its context has already. */
  readonly size: Size | null;
  readonly capture: CaptureSettings;
  readonly compare: CompareSettings;
  readonly timeoutMs: number;
  /** Warnings become errors. */
  readonly strict: boolean;
}

/** A page to open, and what it may answer. */
export interface Target {
  readonly url: string;
  /** The one status expected; null: any of 200..299. */
  readonly httpStatus: number | null;
  /** Where a redirect must end; null: where it was asked. */
  readonly finalUrl: string | null;
}

/** How a page becomes an image. */
export interface CaptureSettings {
  readonly format: ImageFormat;
  /** 0..100; of no meaning for png. */
  readonly quality: number;
  readonly fullSize: boolean;
  readonly scale: 'css' | 'device';
  readonly delayMs: number;
  readonly hide: readonly string[];
  readonly javascriptCode: string | null;
}

/** Where the line between passed and changed runs. */
export interface CompareSettings {
  /** 0..1: how far one pixel's colour may move, in the YIQ measure of pixelmatch and odiff. */
  readonly threshold: number;
  /** How many pixels may differ; null: not limited by count. */
  readonly maxDiffPixels: number | null;
  /** Which share of the image may differ, 0..1; null: not limited by share. */
  readonly maxDiffPixelRatio: number | null;
  readonly engine: EngineName;
}

/** The programs that can compare pixels. */
export type EngineName = 'odiff' | 'pixelmatch';
