import type { CDPSession, Frame, Page } from '@playwright/test';
import type { FramePage } from './frame-control.js';

/** State of an open page that its captures share. The code that opens the page keeps it until the page closes. */
export interface PageState {
  /**
   * Returns the CDP session of the page, or of a frame with a process of its own. It is opened on first use and closes
   * with the page. In Chromium only.
   *
   * @throws Error if the frame shares the process of its page.
   */
  session(frame?: Frame): Promise<CDPSession>;
  /** The init script of the last capture, which stays installed; null before the first. */
  initScript: string | null;
  /** Device pixels per CSS pixel; null until it is read. It belongs to the browser context. */
  deviceScale: number | null;
  /** The viewport and visible area that were set last; 'fixed' if the context does not allow it; null before the first. */
  raster: string | null;
  /** The page was opened with control of its clock and frames; null for any other page. */
  readonly frames: FramePage | null;
  /** Frames whose font families are pinned. */
  readonly pinnedFrames: Set<Frame>;
}

/** Checks whether a page has CDP sessions. */
export function isChromium(page: Page): boolean {
  return page.context().browser()?.browserType().name() === 'chromium';
}

/** Creates the state of a page that was just opened. */
export function createPageState(page: Page, frames: FramePage | null = null): PageState {
  const sessions = new Map<Page | Frame, Promise<CDPSession>>();
  const open = (target: Page | Frame) => {
    const session = page.context().newCDPSession(target);
    sessions.set(target, session);
    // A frame may move to a process of its own later.
    session.catch(() => sessions.delete(target));
    return session;
  };
  return {
    session(frame = page.mainFrame()) {
      const target = frame === page.mainFrame() ? page : frame;
      return sessions.get(target) ?? open(target);
    },
    initScript: null,
    frames,
    deviceScale: null,
    raster: null,
    pinnedFrames: new Set(),
  };
}
