import { configDefaults, defineConfig } from 'vitest/config';

// Files that leave nothing behind in their process may share one: it takes half of the time to start one for each. Not those of
// `browser`, which set where Playwright looks for its browsers before they load it.
const SHARING = [
  'test/unit/{baselines,capture,cli,core,github,model,page-list,playwright,report}/**/*.test.ts',
  'test/house/**/*.test.ts',
];

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
      { test: { name: 'sharing', include: SHARING, isolate: false, tags: TAGS, ...MOST_MS } },
      {
        test: {
          name: 'alone',
          include: ['test/unit/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARING],
          tags: TAGS,
          ...MOST_MS,
        },
      },
    ],
  },
});
