import { createHash } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { type Capture, type Environment, environmentSchema } from '../model/index.js';
import { openOwnContext } from './browser/page-control.js';

type RenderEnvironment = Capture['environment'];

const machineSchema = environmentSchema.pick({ os: true, arch: true, headless: true, fonts: true, drawing: true });

export type Machine = ReturnType<typeof machineSchema.parse>;

export async function readEnvironment(
  page: Page,
  deviceScale: number,
  driver?: Environment['driver'],
): Promise<RenderEnvironment> {
  const browser = page.context().browser();
  // A persistent context (`launchPersistentContext`) has no browser that could open a second context.
  const machine = browser ? await readMachine(browser) : toMachine(await probePage(page), null);
  return { ...toEnvironment(machine, browser, deviceScale), ...(driver && { driver }) };
}

export async function readBrowserEnvironment(browser: Browser, deviceScale: number): Promise<RenderEnvironment> {
  return toEnvironment(await readMachine(browser), browser, deviceScale);
}

function toEnvironment(machine: Machine, browser: Browser | null, scale: number): RenderEnvironment {
  const [name, version] = browser ? [browser.browserType().name(), browser.version()] : ['unknown', 'unknown'];
  return { ...machine, browser: name, browserVersion: version, scale };
}

/** What the workers of a run found out about browsers that they launch in the same way. */
export interface MachineNote {
  readonly flags: readonly string[];
  /** Returns the noted {@link Machine}, if there is one. */
  read(): unknown;
  write(machine: Machine): void;
}

const notes = new WeakMap<Browser, MachineNote>();

/** Takes the machine of a browser from a note, or notes it: after each failed test, a new worker launches a new browser. */
export function shareMachine(browser: Browser, note: MachineNote): void {
  notes.set(browser, note);
}

const machines = new WeakMap<Browser, Promise<Machine>>();

function readMachine(browser: Browser): Promise<Machine> {
  const machine = machines.get(browser) ?? findMachine(browser, notes.get(browser));
  machines.set(browser, machine);
  return machine;
}

async function findMachine(browser: Browser, note?: MachineNote): Promise<Machine> {
  const noted = machineSchema.safeParse(note?.read()).data;
  if (noted) return noted;
  const probe = await probeBrowser(browser).catch(() => null);
  const machine = toMachine(probe, browser, note?.flags);
  if (probe) note?.write(machine);
  else machines.delete(browser);
  return machine;
}

/** Measures on a blank page of a new context: a screenshot beyond the viewport changes the fonts of its page. */
async function probeBrowser(browser: Browser): Promise<Probe | null> {
  const context = await openOwnContext(browser, DEFAULT_CONTEXT);
  const probe = await probePage(await context.newPage());
  await context.close();
  return probe;
}

/** Identical for every project: Playwright fills missing keys from the project's `use` options. */
const DEFAULT_CONTEXT: BrowserContextOptions = {
  ...{ locale: 'en-US', viewport: { width: 300, height: 150 } },
  ...Object.fromEntries(
    [
      ...['deviceScaleFactor', 'isMobile', 'hasTouch', 'userAgent', 'javaScriptEnabled', 'storageState'],
      ...['httpCredentials', 'extraHTTPHeaders', 'recordVideo', 'recordHar', 'colorScheme', 'reducedMotion'],
    ].map((option) => [option, undefined]),
  ),
};

type Probe = NonNullable<Awaited<ReturnType<typeof probePage>>>;

async function probePage(page: Page) {
  const fonts = await page.evaluate(measureFonts, PROBE).catch(() => null);
  return fonts && { ...fonts, headless: await readHeadless(page) };
}

/** Only Chromium reports it; other browsers have no CDP session. */
async function readHeadless(page: Page): Promise<Environment['headless']> {
  try {
    const session = await page.context().newCDPSession(page);
    const { product, userAgent } = await session.send('Browser.getVersion').finally(() => session.detach());
    if (product.startsWith('Headless')) return 'shell';
    return userAgent.includes('Headless') ? 'new' : 'headed';
  } catch {
    return 'unknown';
  }
}

const DRAWING_FLAGS = /^--(.*font-|(en|dis)able-lcd-text|force-color-profile|.*-gpu|use-(gl|angle))/;

function toMachine(probe: Probe | null, browser: Browser | null, flags: readonly string[] = []): Machine {
  const drawingFlags = flags.filter((flag) => DRAWING_FLAGS.test(flag)).sort();
  return {
    ...platformOf(probe?.platform, browser),
    headless: probe?.headless ?? 'unknown',
    fonts: probe && fingerprint(probe.widths),
    ...(probe?.sample && { drawing: fingerprint([probe.sample, ...drawingFlags]) }),
  };
}

const PLATFORMS: Readonly<Record<string, string>> = { Win: 'win32', Mac: 'darwin', Lin: 'linux' };

/** The browser may run on a remote machine. Chromium reports its real platform, even when it emulates a device. */
function platformOf(platform = '', browser: Browser | null): Pick<Machine, 'os' | 'arch'> {
  const local = { os: process.platform, arch: process.arch };
  const os = PLATFORMS[platform.slice(0, 3)];
  if (browser?.browserType().name() !== 'chromium' || os === undefined || os === local.os) return local;
  return { os, arch: /aarch64/.test(platform) ? 'arm64' : /x86_64/.test(platform) ? 'x64' : 'unknown' };
}

function fingerprint(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 12);
}

/** The fonts to measure: generic families, scripts that need a fallback font, and the most common named families. No others are noticed. */
const PROBE = {
  text: 'Hamburgefonstiv 0123456789',
  // A web font is hinted by the browser alone, and a font of the system also by its settings.
  sample: `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60"><style>@font-face { font-family: web; src: local("DejaVu Sans"), local("Nimbus Sans"), local("Arial") }</style><rect width="300" height="60" fill="#fff"/><text x="3.3" y="15" font-size="13" font-family="sans-serif">Hamburgefonstiv</text><text x="3.7" y="33" font-size="16" font-family="serif">Hamburgefonstiv</text><text x="3.3" y="52" font-size="13" font-family="web">Hamburgefonstiv</text></svg>`,
  families: ['serif', 'sans-serif', 'monospace', 'system-ui', 'cursive', 'fantasy'],
  scripts: ['ÄßΩЖ', '文字', 'あ한', 'عربي', 'हिन्दी', '😀'],
  named: [
    ...['Arial', 'Helvetica', 'Helvetica Neue', 'Times New Roman', 'Courier New', 'Georgia', 'Verdana', 'Tahoma'],
    ...['Trebuchet MS', 'Segoe UI', 'Calibri', 'Consolas', 'Menlo', 'Roboto', 'Inter', 'Open Sans', 'Lato'],
    ...['Noto Sans', 'Ubuntu', 'Cantarell', 'DejaVu Sans', 'Liberation Sans', 'Fira Code'],
  ],
};

/** Runs in the page. Measures only widths: heights depend on the device scale factor. `sample`: a hash of a drawn text, or null. */
async function measureFonts({ text, sample: svg, families, scripts, named }: typeof PROBE) {
  const context2d = document.createElement('canvas').getContext('2d');
  if (!context2d) return null;
  // The fallback font of a script must not depend on the language of this page.
  Object.assign(context2d, { lang: 'en' });
  const measure = (family: string, sample: string) => {
    context2d.font = `97px ${family}`;
    return context2d.measureText(sample).width;
  };
  const widths = [
    ...families.map((family) => measure(family, text)),
    ...scripts.map((script) => measure('sans-serif', script)),
    ...named.map((name) => measure(`"${name}", monospace`, text)),
  ];
  return { widths, sample: await draw().catch(() => null), platform: navigator.platform };

  /** Text in a canvas is not hinted as that of a page is. That of an image is. */
  async function draw(): Promise<number | null> {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    await new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: reject }));
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
    context?.drawImage(image, 0, 0);
    let hash = 0;
    for (const byte of context?.getImageData(0, 0, image.width, image.height).data ?? [])
      hash = (Math.imul(hash, 31) + byte) | 0;
    return context && hash;
  }
}
