import type { Stabilizer } from '../stabilizer.js';

/** Replaces `Math.random` by a generator with a fixed seed: mulberry32 by Tommy Ettinger, public domain. */
export const random = {
  name: 'random',
  init() {
    let state = 0x9e3779b9;
    Math.random = function random() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
  },
} satisfies Stabilizer;
