import { configDefaults, defineConfig } from 'vitest/config';

// Files that leave nothing behind in their process may share one: it takes half of the time to start one for each. Not those of
// `browser`, which set where Playwright looks for its browsers before they load it.
const SHARING = [
  'test/unit/{baselines,capture,cli,core,github,model,page-list,playwright,report}/**/*.test.ts',
  'test/house/**/*.test.ts',
];

// What takes longer hangs; on a busy machine, a thousand files take more than the seconds that are usual.
const MOST_MS = { testTimeout: 60_000, hookTimeout: 60_000 };

/** Bugs of other tools: test/house/regressions.test.ts. */
const PAINS = Array.from({ length: 51 }, (_, index) => ({ name: `pain-${index + 1}` }));

/** What a test may have as a tag. `soak`: only `npm run test:soak` runs it. `slow`: `npm run test:quick` does not. */
export const TAGS = [{ name: 'soak' }, { name: 'slow' }, ...PAINS];

const tags = TAGS.map((tag) => (tag.name === 'soak' ? { ...tag, skip: true } : tag));

export default defineConfig({
  test: {
    // Beside the projects: once for all of them.
    globalSetup: 'test/own-temp-folder.ts',
    tags,
    projects: [
      { test: { name: 'sharing', include: SHARING, isolate: false, tags, ...MOST_MS } },
      {
        test: {
          name: 'alone',
          include: ['test/unit/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARING],
          tags,
          ...MOST_MS,
        },
      },
    ],
  },
});
