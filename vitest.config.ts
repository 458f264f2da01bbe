import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Files that each need a process of their own. They measure the memory, the threads or the child processes of their process, set
 * its environment, or choose a browser before Playwright loads. All others share two processes, which takes half of the time.
 */
const ALONE = 'test/unit/**/*.process.test.ts';

// What takes longer hangs; on a busy machine, a thousand files take more than the seconds that are usual.
const MOST_MS = { testTimeout: 60_000, hookTimeout: 60_000 };

/** What a test may have as a tag. `soak`: only `npm run test:soak` runs it. `slow`: `npm run test:quick` does not. */
export const TAGS = [{ name: 'soak' }, { name: 'slow' }];

const tags = TAGS.map((tag) => (tag.name === 'soak' ? { ...tag, skip: true } : tag));

export default defineConfig({
  test: {
    // Beside the projects: once for all of them.
    globalSetup: 'test/own-temp-folder.ts',
    tags,
    projects: [
      {
        // Without warnings about the source maps of the package below.
        logLevel: 'error',
        test: {
          name: 'sharing',
          include: ['test/{unit,house}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ALONE],
          isolate: false,
          tags,
          // It imports JSON without a type, which Node refuses.
          server: { deps: { inline: ['@actions/workflow-parser'] } },
          ...MOST_MS,
        },
      },
      { test: { name: 'alone', include: [ALONE], tags, ...MOST_MS } },
    ],
  },
});
