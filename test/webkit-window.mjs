import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** What Debian has of WebKit, and of a screen for it. */
const PACKAGES = ['webkit2gtk-driver', 'xvfb', 'xdotool', 'gcc', 'libc6-dev'];

const SCREEN = '1600x1400x24';

/** How long a window may take to appear and to have its size, in milliseconds. */
const MAX_START_MS = 60_000;

/**
 * A library with which each message of the inspector leaves at once. The processes of WebKit send two messages for each command, and the system
 * keeps the second one until the first one is confirmed: 40 ms for each command.
 */
const NO_DELAY = `#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
int socket(int domain, int type, int protocol) {
  int fd = syscall(SYS_socket, domain, type, protocol), on = 1;
  if (fd >= 0 && domain != AF_UNIX) setsockopt(fd, 6, TCP_NODELAY, &on, sizeof on);
  return fd;
}
`;
const LIBRARY = join(tmpdir(), `proofsheet-webkit-${process.arch}.so`);

/** Installs WebKitGTK of Debian, unless it is installed. */
export function installWebKit() {
  if (!findMiniBrowser())
    execFileSync('apt-get', ['install', '-y', ...PACKAGES], { stdio: 'ignore', timeout: 300_000 });
  if (existsSync(LIBRARY)) return;
  const own = `${LIBRARY}.${process.pid}`;
  execFileSync('gcc', ['-shared', '-fPIC', '-x', 'c', '-o', own, '-'], { input: NO_DELAY });
  renameSync(own, LIBRARY);
}

/** The first lines of a Playwright config whose projects have WebKitGTK as `webkit`. Their lists need `scale: device`. */
export const WEBKIT_CONFIG = `import { webkit } from '@playwright/test';
import { launchWebKit } from ${JSON.stringify(import.meta.url)};
webkit.launch = () => launchWebKit(webkit);
`;

/** Returns the options of `use` for such a project: proofsheet asks for an executable, which Playwright's own WebKit would have. */
export function webKitOptions() {
  installWebKit();
  return { browserName: 'webkit', launchOptions: { executablePath: findMiniBrowser() } };
}

function findMiniBrowser() {
  const lib = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
  const [folder] = readdirSync(lib).filter((name) => /^webkit2?gtk-[\d.]+$/.test(name));
  const found = folder && readdirSync(join(lib, folder)).includes('MiniBrowser');
  return found ? join(lib, folder, 'MiniBrowser') : null;
}

/**
 * Starts a screen without a monitor, and returns what looks like a browser of Playwright on it: each context is a window with one page. Of
 * the options of a context, only `viewport` and those about media have an effect.
 *
 * @param webkit - that of the copy of Playwright that uses it
 */
export async function launchWebKit(webkit) {
  const { display, close } = await openScreen();
  const windows = new Set();
  let opening = Promise.resolve();
  return {
    browserType: () => webkit,
    version: () => 'WebKitGTK',
    isConnected: () => true,
    contexts: () => [...windows].map(({ page }) => page.context()),
    async newContext({ viewport, colorScheme, reducedMotion, contrast } = {}) {
      // Two windows that start at the same time take longer than one after the other.
      const opened = opening.then(() => openWindow(webkit, display, viewport ?? { width: 1280, height: 720 }));
      opening = opened.catch(() => {});
      const window = await opened;
      windows.add(window);
      await window.page.emulateMedia({ colorScheme, reducedMotion, contrast });
      const end = async () => {
        if (windows.delete(window)) await window.close();
      };
      const newPage = async () => Object.assign(window.page, { close: end });
      return Object.assign(window.page.context(), { newPage, close: end });
    },
    async close() {
      for (const window of windows) await window.close();
      await close();
    },
  };
}

async function openScreen() {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(screen.stdio[3], 'data');
  return { display: `:${String(number).trim()}`, close: () => end(screen) };
}

/**
 * Opens a window of WebKitGTK with one page, which Playwright controls through its public `webkit.connectOverCDP`. Playwright asks for the list of
 * pages as JSON. The inspector server of WebKit has it as HTML, so a server between both translates it.
 *
 * There is no `setViewportSize` and no `scale: 'css'`. The window has the size of the page, which is at least 500 x 200.
 */
async function openWindow(webkit, display, { width, height }) {
  const home = mkdtempSync(join(tmpdir(), 'proofsheet-webkit-'));
  const inspector = `127.0.0.1:${await freePort()}`;
  const browser = spawn(findMiniBrowser(), ['--private', 'about:blank'], {
    env: {
      ...process.env,
      ...{ DISPLAY: display, HOME: home, XDG_RUNTIME_DIR: home, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' },
      LD_PRELOAD: LIBRARY,
      // Without a GPU, on each machine in the same way.
      ...{ LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_DMABUF_RENDERER: '1', WEBKIT_INSPECTOR_HTTP_SERVER: inspector },
    },
    stdio: 'ignore',
  });
  const list = async () => {
    const html = await (await fetch(`http://${inspector}/`)).text();
    return [...html.matchAll(/socket\/\d+\/\d+\/WebPage/g)].map(([path]) => ({
      webSocketDebuggerUrl: `ws://${inspector}/${path}`,
    }));
  };
  const translator = createServer(async (_, response) => response.end(JSON.stringify(await list())));
  const close = async () => {
    translator.close();
    await end(browser);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await until(async () => (await list().catch(() => [])).length > 0);
    await new Promise((resolve) => translator.listen(0, '127.0.0.1', resolve));
    const connected = await webkit.connectOverCDP({ endpointURL: `http://127.0.0.1:${translator.address().port}` });
    const [page] = connected.contexts()[0]?.pages() ?? [];
    await resize(display, browser.pid, page, { width, height });
    return { page, close: () => connected.close().then(close) };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** Gives the page its size: the window also has a toolbar. */
async function resize(display, pid, page, size) {
  const xdotool = (...args) =>
    execFileSync('xdotool', args, { env: { ...process.env, DISPLAY: display } })
      .toString()
      .trim();
  const measure = () => page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
  // Windows of other pages that close meanwhile make the search fail.
  const search = () => {
    try {
      return xdotool('search', '--onlyvisible', '--pid', `${pid}`).split('\n').at(-1);
    } catch {
      return undefined;
    }
  };
  let window;
  await until(async () => {
    window = search();
    return window !== undefined;
  });
  const [, width, height] = /Geometry: (\d+)x(\d+)/.exec(xdotool('getwindowgeometry', window));
  const inner = await measure();
  const outer = [Number(width) + size.width - inner.width, Number(height) + size.height - inner.height];
  xdotool('windowsize', window, ...outer.map(String));
  await until(async () => {
    const { width, height } = await measure();
    return width === size.width && height === size.height;
  });
}

async function until(isDone) {
  for (const start = Date.now(); !(await isDone()); await pause(50))
    if (Date.now() - start > MAX_START_MS) throw new Error('WebKitGTK shows no window of the size that was asked for');
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function end(child) {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
