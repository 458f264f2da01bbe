import { configDefaults, defineConfig } from 'vitest/config';

// Rooms that only reckon leave nothing behind in their process: one process may test many of their files, which saves half of
// the time that goes into starting one for each.
const RECKONING = ['test/unit/{model,page-list,report}/**/*.test.ts'];

// What takes longer hangs; on a busy machine, a thousand files take more than the seconds that are usual.
const MOST_MS = { testTimeout: 60_000, hookTimeout: 60_000 };

/** `soak`: only `npm run test:soak` runs the test. `slow`: `npm run test:quick` does not. `pain-N`: the test of a bug of another tool (test/house/regressions.test.ts). */
export const TAGS = ['soak', 'slow', ...Array.from({ length: 51 }, (_, index) => `pain-${index + 1}`)].map((name) => ({
  name,
}));

/** Vitest takes the option of its command line from a config too, but its types do not say so. */
export function withTags(expression: string): object {
  return { tagsFilter: [expression] };
}

export default defineConfig({
  test: {
    // Beside the projects: once for all of them.
    globalSetup: 'test/own-temp-folder.ts',
    tags: TAGS,
    ...withTags('!soak'),
    projects: [
      { test: { name: 'reckoning', include: RECKONING, isolate: false, tags: TAGS, ...MOST_MS } },
      {
        test: {
          name: 'others',
          include: ['test/unit/**/*.test.ts', 'test/house/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...RECKONING],
          tags: TAGS,
          ...MOST_MS,
        },
      },
    ],
  },
});
