import { configDefaults, defineConfig } from 'vitest/config';

// Rooms that only reckon leave nothing behind in their process: one process may test many of their files, which saves half of
// the time that goes into starting one for each.
const RECKONING = ['test/unit/{model,plan,report}/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'reckoning', include: RECKONING, isolate: false } },
      {
        test: {
          name: 'others',
          include: ['test/unit/**/*.test.ts', 'test/house/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...RECKONING],
        },
      },
    ],
  },
});
