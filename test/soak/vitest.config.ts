import { defineConfig } from 'vitest/config';
import { TAGS } from '../../vitest.config.js';

const MOST_MS = { testTimeout: 600_000, hookTimeout: 600_000 };

/** Fuzzing and repetitions that need no Playwright runner; with `--tagsFilter=soak`, as `npm run test:soak` has it. */
export default defineConfig({
  test: {
    globalSetup: 'test/own-temp-folder.ts',
    tags: TAGS,
    include: ['test/soak/**/*.soak.test.ts', 'test/unit/**/*.test.ts'],
    ...MOST_MS,
  },
});
