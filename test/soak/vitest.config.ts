import { defineConfig } from 'vitest/config';
import { TAGS, withTags } from '../../vitest.config.js';

const MOST_MS = { testTimeout: 600_000, hookTimeout: 600_000 };

/** Fuzzing and repetitions that need no Playwright runner, and the unit tests with the tag `soak`: `npm run test:soak`. */
export default defineConfig({
  test: {
    globalSetup: 'test/own-temp-folder.ts',
    tags: TAGS,
    include: ['test/soak/**/*.soak.test.ts', 'test/unit/**/*.test.ts'],
    ...withTags('soak'),
    ...MOST_MS,
  },
});
