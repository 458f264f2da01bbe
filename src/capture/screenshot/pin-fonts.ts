import type { Frame, Page } from '@playwright/test';
import type { PageState } from '../../browser/page-state.js';
import { readMachine } from '../environment.js';

/**
 * Prevents a screenshot beyond the viewport from changing the generic font families of a page, such as `monospace`.
 *
 * Playwright sets the families of Chrome in headless mode with `Page.setFontFamilies`, which only affects the renderer.
 * The browser process of `chromium-headless-shell` has other values: on Linux `fixed` is "Courier New", not
 * "Monospace".
 *
 * For `captureBeyondViewport`, Chromium changes the preference `record_whole_document` and sends all preferences to the
 * renderer. The text then changes its font and the page its height, during and after the screenshot.
 *
 * These preferences only set families for the script "common". Families of a specific script take precedence. This
 * function therefore sets the families for each script; Chromium applies them again after every navigation.
 *
 * Limitation: Chromium maps some languages (`lang="no"`, `lang="eo"`) to no script and uses "common" for them. Their
 * text still changes in a screenshot beyond the viewport.
 *
 * Call it before the first screenshot, in Chromium only. Repeated calls do nothing.
 */
export async function pinFonts(page: Page, state: PageState): Promise<void> {
  const { os } = await readMachine(page);
  const forScripts = scriptFamilies(os);
  // Only cross-site frames have their own process and CDP session. Other frames use the families of their page.
  await Promise.all(page.frames().map((frame) => pin(frame, state, forScripts).catch(() => {})));
}

/** The settings end with the CDP session, which stays open until the page closes. */
async function pin(frame: Frame, state: PageState, forScripts: ScriptFamilies[]): Promise<void> {
  if (state.pinnedFrames.has(frame)) return;
  const session = await state.session(frame);
  await session.send('Page.setFontFamilies', { fontFamilies: {}, forScripts });
  state.pinnedFrames.add(frame);
}

interface Families {
  readonly standard: string;
  readonly fixed: string;
  readonly serif: string;
  readonly sansSerif: string;
  readonly cursive: string;
  readonly fantasy: string;
}

interface ScriptFamilies {
  script: string;
  fontFamilies: Families;
}

/**
 * Returns Chrome's default families for each script without families from Playwright.
 *
 * The names are lowercase because Chromium does not store a family that equals the one of "common". Font names are not
 * case-sensitive.
 */
function scriptFamilies(os: string): ScriptFamilies[] {
  const { customScripts, ...families } = PLATFORMS[os] ?? LINUX;
  return SCRIPTS.filter((script) => !customScripts.includes(script)).map((script) => ({
    script,
    fontFamilies: families,
  }));
}

type Platform = Families & {
  /** Scripts with their own families on this platform. */
  readonly customScripts: readonly string[];
};

/** https://chromium.googlesource.com/chromium/src/+/main/chrome/app/resources/locale_settings_linux.grd */
const LINUX: Platform = {
  standard: 'times new roman',
  fixed: 'monospace',
  serif: 'times new roman',
  sansSerif: 'arial',
  cursive: 'comic sans ms',
  fantasy: 'impact',
  customScripts: [],
};

const EAST_ASIAN = ['hrkt', 'jpan', 'hira', 'kana', 'hang', 'kore', 'hans', 'hant'];

/** Values from `locale_settings_mac.grd` and `locale_settings_win.grd`, in the same folder as the file for Linux. */
const PLATFORMS: Readonly<Record<string, Platform>> = {
  darwin: {
    standard: 'times',
    fixed: 'courier',
    serif: 'times',
    sansSerif: 'helvetica',
    cursive: 'apple chancery',
    fantasy: 'papyrus',
    customScripts: EAST_ASIAN,
  },
  win32: { ...LINUX, fixed: 'consolas', customScripts: [...EAST_ASIAN, 'cyrl', 'arab', 'grek'] },
};

/** ISO 15924 codes of the scripts that Chromium derives from a language (`LocaleToScriptCodeForFontSelection`). */
const SCRIPTS = [
  ...['latn', 'cyrl', 'grek', 'arab', 'hebr', 'armn', 'geor', 'ethi', 'syrc', 'thaa', 'mong'],
  ...['deva', 'beng', 'guru', 'gujr', 'orya', 'taml', 'telu', 'knda', 'mlym', 'sinh'],
  ...['thai', 'laoo', 'khmr', 'mymr', 'tibt', 'cans', 'cher', 'vaii', 'yiii', 'nkoo'],
  ...EAST_ASIAN,
];
