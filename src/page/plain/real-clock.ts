import { pause } from '../browser/timing.js';
import type { Network } from '../network.js';
import type { PageClock } from '../page-clock.js';

/** Maximum time that passes at once, in milliseconds: what a visitor would wait for. */
const MAX_REAL_MS = 2_000;

/** Creates the clock of a page that lives by real time, because a test opened it. */
export function createRealClock(network: Network): PageClock {
  return {
    isControlled: false,
    drawsFrames: false,
    prepare: async () => {},
    async pass(ms) {
      await pause(Math.min(ms, MAX_REAL_MS));
      await network.awaitAnswers();
    },
    during: (work) => work,
    standing: (work) => work(),
    awaiting: (work) => work,
    until: async (event) => void (await event),
    align: async () => {},
    shoot() {
      throw new Error('a real clock draws no frames');
    },
    abandon() {},
  };
}
