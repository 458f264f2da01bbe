import type { EnvironmentRule } from './environment.js';
import type { Position } from './errors.js';
import type { Rectangle, ShotFormat, Size } from './image.js';
import type { Antialiasing, AntialiasingRule, CredentialsInput } from './list/fields.js';
import type { ShotFieldsInput, ViewportInput } from './list/page-list.js';
import type { SettleSwitches } from './settle.js';

/** A page list that was read and found whole: every shot it names, resolved as far as the list alone allows. */
export interface Plan {
  /** Absolute path of the YAML file. */
  readonly file: string;
  /** sha256 of the file's text, hexadecimal. */
  readonly hash: string;
  /** Playwright may print lines of the file: it holds no literal secret. */
  readonly isCodeFrameSafe: boolean;
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
  /** What the list gives the page that is before; null: the same as the other side, where both have one origin. */
  readonly beforeCredentials: CredentialsInput | null;
  readonly baseURL: string | null;
  readonly beforeBaseURL: string | null;
  /** Tags as Playwright wants them, with their `@`. */
  readonly tags: readonly string[];
  /** Why it is skipped, or null. */
  readonly skip: string | null;
  /** The named viewport, or null: then the page's own width and height, else the project's. */
  readonly size: ViewportInput | null;
  /** The fields of the state over the page's own, over the list's defaults. */
  readonly fields: ShotFieldsInput;
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
  readonly emulation: Emulation;
  readonly capture: CaptureSettings;
  readonly compare: CompareSettings;
  readonly timeoutMs: number;
  /** Warnings become errors. */
  readonly strict: boolean;
  /** The least share of pixels that is neither masked nor ignored, 0..1. */
  readonly minCompared: number;
  /** What becomes of it where its baseline was made in another environment. */
  readonly environment: EnvironmentRule;
}

/** On what a page is seen, and by whom; null means: as the Playwright project says. */
export interface Emulation {
  /** A Playwright device name. */
  readonly device: string | null;
  /** The viewport; null: the device's own. */
  readonly size: Size | null;
  readonly language: string | null;
  readonly colorScheme: 'light' | 'dark' | 'no-preference' | null;
  readonly timezone: string | null;
  readonly userAgent: string | null;
}

/** What a page is given so that it lets us in. Each goes to the origin of the page's URL and nowhere else. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  /** Absolute path of what Playwright's `storageState({ path })` wrote, or null. It is read when the shot runs. */
  readonly storageState: string | null;
  readonly httpCredentials: { readonly username: string; readonly password: string } | null;
}

/** A cookie of the page's own host. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
}

/** A page to open, and what it may answer. */
export interface Target {
  readonly url: string;
  /** The one status expected; null: any of 200..299. */
  readonly httpStatus: number | null;
  /** Where a redirect must end; null: where it was asked. */
  readonly finalUrl: string | null;
  readonly credentials: Credentials;
  /** What is taken as it comes, whatever the above says; a list takes nothing so. */
  readonly takes?: { readonly anyStatus: boolean; readonly anyAddress: boolean; readonly plain?: boolean };
}

/** How a page becomes an image. */
export interface CaptureSettings {
  readonly format: ShotFormat;
  /** 0..100; of no meaning for png and pdf. */
  readonly quality: number;
  readonly fullSize: boolean;
  /** The viewport takes the height of the content (`height: null` in the list). */
  readonly contentHeight: boolean;
  readonly scale: 'css' | 'device';
  /** Capture this element alone, or null. */
  readonly element: string | null;
  readonly waitFor: readonly Wait[];
  readonly actions: readonly Action[];
  readonly javascriptCode: string | null;
  readonly delayMs: number;
  readonly hide: readonly string[];
  readonly remove: readonly string[];
  readonly mask: readonly string[];
  readonly ignore: Ignore;
  /** What of `mask` or `ignore` matches nothing is an error. */
  readonly strictMasks: boolean;
  readonly hideCookie: boolean;
  /** The time that the page is told, milliseconds since 1970, standing still; null: the real one. */
  readonly clock: number | null;
  readonly settle: SettleSwitches;
  /** How long timers and sockets of the page are waited for; 0: not at all. */
  readonly lateMs: number;
  /** A title or heading that names an error is a warning. */
  readonly warnsOfErrorText: boolean;
}

/** What is left out of the comparison, before and after, though it is in the image. */
export interface Ignore {
  readonly selectors: readonly string[];
  /** In CSS pixels, from the image's top left corner. */
  readonly areas: readonly Rectangle[];
}

/** Where the line between passed and changed runs. */
export interface CompareSettings {
  /** 0..1: how far one pixel's color may move, in the YIQ measure of pixelmatch and odiff. */
  readonly threshold: number;
  /** How many pixels may differ; null: not limited by count. */
  readonly maxDiffPixels: number | null;
  /** Which share of the image may differ, 0..1; null: not limited by share. */
  readonly maxDiffPixelRatio: number | null;
  /** By how many pixels width and height may differ where the content aligns. */
  readonly maxSizeDiff: number;
  /** By how many pixels content may move up or down. */
  readonly allowShift: number;
  readonly antialiasing: AntialiasingRule;
  readonly engine: EngineName;
}

/** Compare settings of two images of which it is known whether they come from one environment. */
export interface ResolvedCompareSettings extends CompareSettings {
  readonly antialiasing: Antialiasing;
}

/** The programs that can compare pixels. */
export type EngineName = 'odiff' | 'pixelmatch';

/** Something that has to be so before a page is captured. */
export type Wait =
  /** An element that is visible. */
  | { readonly kind: 'selector'; readonly selector: string }
  /** A text that is visible, any part of it, whatever its case. */
  | { readonly kind: 'text'; readonly text: string }
  /** A response whose URL fits this pattern, in Playwright's words: `**\/api/items*`. */
  | { readonly kind: 'response'; readonly pattern: string };

/** Something that is done to a page before it is captured, as a visitor would do it. */
export type Action =
  | { readonly kind: 'click'; readonly selector: string }
  | { readonly kind: 'hover'; readonly selector: string }
  | { readonly kind: 'fill'; readonly selector: string; readonly value: string }
  /** A key as Playwright names it (`Enter`, `Control+A`), in an element or where the focus is. */
  | { readonly kind: 'press'; readonly key: string; readonly selector: string | null }
  /** To an element, or to a distance from the top of the page in CSS pixels. */
  | { readonly kind: 'scrollTo'; readonly to: string | number }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'wait'; readonly until: Wait };
