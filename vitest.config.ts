import { configDefaults, defineConfig } from 'vitest/config';

// Rooms that only reckon leave nothing behind in their process: one process may test many of their files, which saves half of
// the time that goes into starting one for each.
const RECKONING = ['test/unit/{model,page-list,report}/**/*.test.ts'];

// What takes longer hangs; on a busy machine, a thousand files take more than the seconds that are usual.
const MOST_MS = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // Beside the projects: once for all of them.
    globalSetup: 'test/own-temp-folder.ts',
    projects: [
      { test: { name: 'reckoning', include: RECKONING, isolate: false, ...MOST_MS } },
      {
        test: {
          name: 'others',
          include: ['test/unit/**/*.test.ts', 'test/house/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...RECKONING],
          ...MOST_MS,
        },
      },
    ],
  },
});
