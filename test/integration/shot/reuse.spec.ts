import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { openReuseCache } from '../../../src/reuse/reuse-cache.js';
import { listsOf, MUTATIONS, type Mutation, NEVER_REUSED, REUSABLE, SITE } from '../reuse-site.js';
import { test as base, type RunOptions } from '../runs.js';

interface ServedSite {
  readonly folder: string;
  /** Writes files; null: removes one. */
  write(files: Mutation['files']): void;
  /** The options of a new run. */
  options(): RunOptions;
}

const test = base.extend<{ served: ServedSite }>({
  served: async ({ folder }, use) => {
    const write: ServedSite['write'] = (files) => {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        if (content === null) rmSync(join(folder, name));
        else writeFileSync(join(folder, name), content);
      }
    };
    const cache = openReuseCache(join(folder, 'cache'));
    const options = () => ({
      reuse: { cache, verify: 0, run: 'commit', prunes: () => false },
    });
    write(SITE);
    await use({ folder, write, options });
  },
});

test('a page is captured again exactly if one of its files changes, appears or gets another name', async ({
  runs,
  served,
}) => {
  test.slow();
  const { reusable, app } = listsOf(served.folder);
  const capturedIn = async (options: RunOptions) => {
    const tested = [await runs.run(reusable, options), await runs.run(app, options)];
    return REUSABLE.filter((id) =>
      tested.some(({ statuses, shot }) => {
        return statuses.some((status) => status.startsWith(`${id}: `)) && !shot(id).reused;
      }),
    ).sort();
  };
  expect(await capturedIn({ ...served.options(), mode: 'all' })).toEqual([...REUSABLE].sort());
  expect(await capturedIn(served.options())).toEqual([]);
  for (const [what, { files, captured }] of Object.entries(MUTATIONS)) {
    served.write(files);
    expect.soft(await capturedIn(served.options()), what).toEqual(captured);
    for (const name of Object.keys(files)) rmSync(join(served.folder, name), { force: true });
    served.write(SITE);
  }
  expect(await capturedIn(served.options())).toEqual([]);
});

// That it is captured again: test/e2e/reuse.spec.ts. What is said of each way: test/unit/reuse/shot-reuse.test.ts.
test('the record of a page that depends on more than served files says why it is not reusable', {
  tag: '@soak',
}, async ({ runs, served }) => {
  const names = Object.keys(NEVER_REUSED);
  const { shot } = await runs.run(listsOf(served.folder).never(names), { ...served.options(), mode: 'all' });
  for (const id of names) expect.soft(shot(id).notReusable, id).toMatch(NEVER_REUSED[id]?.[1] ?? '');
});
