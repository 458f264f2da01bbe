import type { Position } from './errors.js';
import type { Rectangle, Size } from './image.js';
import {
  type BrowserFields,
  browserFields,
  type CompareFields,
  type CookieFields,
  type CookieInput,
  type CredentialsInput,
  fill,
  type ImageFields,
  type RuleFields,
  type SettleSwitches,
  type ShotFieldsInput,
  type VerdictFields,
} from './page-fields.js';
import type { ReuseSettings, ServedFolder, ViewportInput } from './page-list.js';

/** A valid page list with all its shots, resolved as far as possible without the Playwright project. */
export interface Plan {
  /** Absolute path of the YAML file. */
  readonly file: string;
  /** sha256 of the file's text, hexadecimal. */
  readonly hash: string;
  /** True when the file contains no literal secret, so that Playwright may print a code frame of it. */
  readonly isCodeFrameSafe: boolean;
  /** How runs reuse earlier captures; null if they do not. */
  readonly reuse: ReuseSettings | null;
  readonly shots: readonly PlannedShot[];
}

/** The parts of a shot's name. `viewport`, `mode` and `state` are null when the list names none. */
export interface ShotName {
  /** `page[/viewport][/mode][/state]`: the title of its test. */
  readonly id: string;
  readonly page: string;
  readonly viewport: string | null;
  readonly mode: string | null;
  readonly state: string | null;
}

export interface PlannedPage {
  readonly url: string;
  /** The base URL that the list sets, and its position; null: that of the project. */
  readonly base: { readonly url: string; readonly position: Position } | null;
}

/** One page x viewport x mode x state of a list. `resolveShot` fills in missing values from the project's `use`. */
export interface PlannedShot extends ShotName, PlannedPage {
  readonly position: Position;
  readonly story: ListedStory | null;
  /** The folder of the page, which the run serves; null: the page has a server. */
  readonly served: ServedFolder | null;
  /** The page before the change, for a two-state shot; otherwise null. Its credentials are null for those of the page, on the same origin. */
  readonly before: (PlannedPage & { readonly credentials: CredentialsInput | null }) | null;
  /** Playwright tags, with their `@`. */
  readonly tags: readonly string[];
  readonly skip: string | null;
  /** The named viewport; null: the width and height of the page, otherwise those of the project. */
  readonly size: ViewportInput | null;
  /** The merged fields: the mode is added to those of the state, which override the page, which overrides the defaults of the list. */
  readonly fields: ShotFieldsInput;
}

export interface ListedStory {
  readonly id: string;
  /** All names of the list, of which the story may choose. */
  readonly viewports: readonly string[];
  readonly modes: readonly string[];
}

export interface ProjectUse {
  readonly baseURL: string | null;
  readonly viewport: Size | null;
}

export interface Shot extends ShotName {
  readonly after: Target;
  /** The before page of a two-state run; null: the baseline on disk. */
  readonly before: Target | null;
  readonly baseline: BaselineName;
  /** The name of its images as attachments, without role and extension. It is safe as a file name. */
  readonly imageName: string;
  readonly emulation: Emulation;
  readonly capture: CaptureSettings;
  readonly compare: CompareSettings;
  readonly verdict: VerdictSettings;
  readonly timeoutMs: number;
}

/** What a list or a call says of the path of a baseline. Playwright's config says the rest. */
export interface BaselineName {
  /** The folders, and the file with its extension. */
  readonly parts: readonly string[];
  /** Each environment has a folder of its own above these. */
  readonly perEnvironment: boolean;
}

/** The fields of a page that decide whether its result is an error. */
export type VerdictSettings = Omit<VerdictFields, 'timeout'>;

/** Device, viewport and locale that are emulated; null: the value of the Playwright project. */
export interface Emulation extends BrowserFields {
  readonly device: string | null;
  /** The viewport; null: the device's own. */
  readonly size: Size | null;
}

export const NO_EMULATION: Emulation = { device: null, size: null, ...fill(browserFields, {}) };

/** The credentials for a page. They are sent only to the origin of the page's URL. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  /** Absolute path of a file written by Playwright's `storageState({ path })`, or null. It is read when the shot runs. */
  readonly storageState: string | null;
  readonly httpCredentials: Readonly<NonNullable<CredentialsInput['httpCredentials']>> | null;
}

export interface Cookie extends CookieFields, Pick<CookieInput, 'name' | 'value'> {}

/** A page to open, and the responses that are expected. */
export interface Target {
  readonly url: string;
  readonly httpStatus: number | null;
  /** The expected URL after redirects; null: the requested URL. */
  readonly finalUrl: string | null;
  readonly credentials: Credentials;
  /** Where the base URL of a path is set: `pages.yaml:1`, or the Playwright config. Not set for a URL that was not a path. */
  readonly baseURLSource?: string;
  /** The folder that the run itself serves, by its last name. Records show it instead of the origin, whose port is random. */
  readonly servedFolder?: string;
  /** Checks to skip regardless of the fields above. A page list never sets it. */
  readonly accepts?: { readonly anyStatus: boolean; readonly anyAddress: boolean; readonly solidColor?: boolean };
}

/** The fields of a page that decide what its image shows. Those that have another form than in the list are {@link ConvertedFields}. */
export interface CaptureSettings
  extends Omit<ImageFields, keyof ConvertedFields | keyof RuleFields | 'delay'>,
    ConvertedFields {
  readonly rules: NetworkRules;
  /** Sets the viewport height to the content height (`height: null` in the list). */
  readonly contentHeight: boolean;
  /** Warns about a title or heading that looks like an error message. */
  readonly warnsOfErrorText: boolean;
  /** The story that Storybook must have rendered; null for a page that is not a story. */
  readonly story: ListedStory | null;
  readonly cropsStory: boolean;
}

/** What happens to requests of a page, by glob patterns of Playwright. */
export interface NetworkRules {
  readonly block: readonly string[];
  readonly mocks: readonly Mock[];
  /** Absolute path of the HAR file that answers requests; null: none. */
  readonly har: string | null;
}

export interface Mock {
  readonly pattern: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the response; null: it is empty, or in the file. */
  readonly body: string | null;
  /** Absolute path of the file with the response; null: it is `body`. */
  readonly file: string | null;
}

/** The elements whose text may change, and what it may be: see `page/texts.ts`. */
export interface TextPattern {
  readonly selector: string;
  readonly pattern: string;
}

export type PseudoState = keyof NonNullable<ImageFields['pseudo']>;

export type PseudoStates = Readonly<Partial<Record<PseudoState, readonly string[]>>>;

interface ConvertedFields {
  readonly quality: number;
  readonly delayMs: number;
  readonly hide: readonly string[];
  readonly remove: readonly string[];
  readonly mask: readonly string[];
  readonly ignore: Ignore;
  readonly settle: SettleSwitches;
  /** `late` of `settle`; 0: not set. */
  readonly lateMs: number;
  readonly expand: boolean | readonly string[];
  readonly waitFor: readonly Wait[];
  readonly pseudo: PseudoStates;
  readonly texts: readonly TextPattern[];
  readonly actions: readonly Action[];
  /** In milliseconds since 1970; null: the real time. */
  readonly clock: number | null;
}

/** Areas that are visible in the images but not compared, before and after. */
export interface Ignore {
  readonly selectors: readonly string[];
  /** In CSS pixels, from the image's top left corner. */
  readonly areas: readonly Rectangle[];
}

/** The fields of a page that decide between passed and changed. `maxDiffPixels` null: not limited by count. */
export interface CompareSettings extends Omit<CompareFields, 'maxDiffPixels'> {
  readonly maxDiffPixels: number | null;
}

export type EngineName = CompareSettings['engine'];

/** `count`: pixels that differ only by anti-aliasing count as different; `ignore`: they are counted separately; `auto`: `count` within one environment. */
export type AntialiasingRule = CompareSettings['antialiasing'];

/** Compare settings after `antialiasing: auto` is resolved for the environments of both images. */
export interface ResolvedCompareSettings extends CompareSettings {
  readonly antialiasing: Exclude<AntialiasingRule, 'auto'>;
}

export type Wait =
  | { readonly kind: 'selector'; readonly selector: string }
  /** A visible text; matches substrings and ignores case. */
  | { readonly kind: 'text'; readonly text: string }
  /** A response whose URL matches this Playwright glob pattern: `**\/api/items*`. */
  | { readonly kind: 'response'; readonly pattern: string };

export type Action =
  | { readonly kind: 'click'; readonly selector: string }
  | { readonly kind: 'hover'; readonly selector: string }
  | { readonly kind: 'fill'; readonly selector: string; readonly value: string }
  /** A Playwright key name (`Enter`, `Control+A`), pressed in an element or in the focused element. */
  | { readonly kind: 'press'; readonly key: string; readonly selector: string | null }
  /** Scrolls to an element, or to a distance in CSS pixels from the top of the page. */
  | { readonly kind: 'scrollTo'; readonly to: string | number }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'wait'; readonly until: Wait };
