import type { CDPSession, Frame, Page } from '@playwright/test';
import type { ControlledPage } from './page-control.js';

/** State of an open page that the code which opened it shares with its capture. */
export interface PageState {
  /**
   * Returns the CDP session of the page, or of a frame with a process of its own. It is opened on first use and closes
   * with the page. In Chromium only.
   *
   * @throws Error if the frame shares the process of its page.
   */
  session(frame?: Frame): Promise<CDPSession>;
  /** The page as far as it is controlled; null if nothing of it is. */
  readonly controlled: ControlledPage | null;
}

/** Checks whether a page has CDP sessions. */
export function isChromium(page: Page): boolean {
  return page.context().browser()?.browserType().name() === 'chromium';
}

/** Creates the state of a page that was just opened. */
export function createPageState(page: Page, controlled: ControlledPage | null = null): PageState {
  const sessions = new Map<Page | Frame, Promise<CDPSession>>();
  if (controlled) sessions.set(page, Promise.resolve(controlled.session));
  const open = (target: Page | Frame) => {
    const session = page.context().newCDPSession(target);
    sessions.set(target, session);
    // A frame may move to a process of its own later.
    session.catch(() => sessions.delete(target));
    return session;
  };
  return {
    controlled,
    session(frame = page.mainFrame()) {
      const target = frame === page.mainFrame() ? page : frame;
      return sessions.get(target) ?? open(target);
    },
  };
}
