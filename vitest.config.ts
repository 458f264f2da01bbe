import { configDefaults, defineConfig } from 'vitest/config';

// Rooms that only reckon leave nothing behind in their process: one process may test many of their files, which saves half of
// the time that goes into starting one for each.
const RECKONING = ['test/unit/{model,plan,report}/**/*.test.ts'];

// A test that takes longer hangs; on a busy machine, a thousand files take more than the five seconds that are usual.
const MOST_MS = 30_000;

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'reckoning', include: RECKONING, isolate: false, testTimeout: MOST_MS } },
      {
        test: {
          name: 'others',
          include: ['test/unit/**/*.test.ts', 'test/house/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...RECKONING],
          testTimeout: MOST_MS,
        },
      },
    ],
  },
});
