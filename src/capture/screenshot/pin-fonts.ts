import type { Frame, Page } from '@playwright/test';
import { readMachine } from '../environment.js';

/**
 * Keeps the generic font families of a page (`monospace`, `serif` and the like) as they are while images of it are taken.
 *
 * Playwright gives a headless page the families of Chrome by `Page.setFontFamilies`, which reaches the renderer only. The
 * browser process of `chromium-headless-shell` holds others: on Linux `fixed` is "Courier New" there, not "Monospace". For
 * an image beyond the window (`captureBeyondViewport`) Chromium changes the preference `record_whole_document`, and with it
 * sends all its preferences to the renderer: the text changes its font and the page its height, within the image and after
 * it. The preferences name families for the script "common" only, and a family that is set for one script goes before it.
 * So the families are set once more for each script; Chromium repeats that after every navigation.
 *
 * Text in a language for which Chromium knows no script (`lang="no"`, `lang="eo"`) has the families of "common": there an
 * image beyond the window still has the browser's own.
 *
 * To be called before the first image, in Chromium only. To call it again costs nothing.
 */
export async function pinFonts(page: Page): Promise<void> {
  const { os } = await readMachine(page);
  const forScripts = scriptFamilies(os);
  // A frame of another site is drawn by a process of its own; any other frame has no session, and the families of its page.
  await Promise.all(page.frames().map((frame) => pin(page, frame, forScripts).catch(() => {})));
}

// The session stays open for as long as the page lives: what it has set ends with it.
const pinned = new WeakSet<Frame>();

async function pin(page: Page, frame: Frame, forScripts: ScriptFamilies[]): Promise<void> {
  if (pinned.has(frame)) return;
  const session = await page.context().newCDPSession(frame === page.mainFrame() ? page : frame);
  await session.send('Page.setFontFamilies', { fontFamilies: {}, forScripts });
  pinned.add(frame);
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
 * Returns Chrome's default families for each script for which Playwright sets none of its own.
 *
 * In lower case: a family that is equal to that of "common", letter by letter, is not stored. Font names have no case.
 */
function scriptFamilies(os: string): ScriptFamilies[] {
  const { own, ...families } = PLATFORMS[os] ?? LINUX;
  return SCRIPTS.filter((script) => !own.includes(script)).map((script) => ({ script, fontFamilies: families }));
}

type Platform = Families & {
  /** Scripts that have families of their own there. */
  readonly own: readonly string[];
};

/** https://chromium.googlesource.com/chromium/src/+/main/chrome/app/resources/locale_settings_linux.grd */
const LINUX: Platform = {
  standard: 'times new roman',
  fixed: 'monospace',
  serif: 'times new roman',
  sansSerif: 'arial',
  cursive: 'comic sans ms',
  fantasy: 'impact',
  own: [],
};

const EAST_ASIAN = ['hrkt', 'jpan', 'hira', 'kana', 'hang', 'kore', 'hans', 'hant'];

/** `locale_settings_mac.grd` and `locale_settings_win.grd`, beside that of Linux. */
const PLATFORMS: Readonly<Record<string, Platform>> = {
  darwin: {
    standard: 'times',
    fixed: 'courier',
    serif: 'times',
    sansSerif: 'helvetica',
    cursive: 'apple chancery',
    fantasy: 'papyrus',
    own: EAST_ASIAN,
  },
  win32: { ...LINUX, fixed: 'consolas', own: [...EAST_ASIAN, 'cyrl', 'arab', 'grek'] },
};

/** Scripts that Chromium derives from a language (`LocaleToScriptCodeForFontSelection`), by ISO 15924. */
const SCRIPTS = [
  ...['latn', 'cyrl', 'grek', 'arab', 'hebr', 'armn', 'geor', 'ethi', 'syrc', 'thaa', 'mong'],
  ...['deva', 'beng', 'guru', 'gujr', 'orya', 'taml', 'telu', 'knda', 'mlym', 'sinh'],
  ...['thai', 'laoo', 'khmr', 'mymr', 'tibt', 'cans', 'cher', 'vaii', 'yiii', 'nkoo'],
  ...EAST_ASIAN,
];
