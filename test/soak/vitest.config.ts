import { defineConfig } from 'vitest/config';

/** Fuzzing and repetitions that need no Playwright runner: `npm run test:soak`. */
export default defineConfig({
  test: {
    globalSetup: 'test/own-temp-folder.ts',
    include: ['test/soak/**/*.soak.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
