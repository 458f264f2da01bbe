import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/**
 * Bugs of other tools in runs, retries, exit codes, baselines and CI: what happened to them, and the tests by which it does not
 * happen to us. A test is named by its title, or by the text of its row where a table gives the title.
 */
const CASES: readonly { number: number; bug: string; tests: readonly (readonly [file: string, title: string])[] }[] = [
  {
    number: 33,
    bug: 'a retry writes the missing baseline, or matches it',
    tests: [
      ['e2e/update-modes.spec.ts', 'on a build server nothing is written by default'],
      ['e2e/update-modes.spec.ts', 'is not healed by a second run in CI'],
      ['e2e/attacks.spec.ts', 'a retry does not heal what is new, though the worker died after it had written'],
    ],
  },
  {
    number: 34,
    bug: 'a retry compares with another file, or not at all',
    tests: [
      [
        'e2e/selection.spec.ts',
        '34: a page that changed is compared with the same baseline on every attempt, and is one entry',
      ],
      ['e2e/selection.spec.ts', 'a page that differs only at first is flaky, with both attempts, and passes'],
    ],
  },
  {
    number: 35,
    bug: 'a missing baseline is tried again and again',
    tests: [
      ['e2e/update-modes.spec.ts', 'on a build server nothing is written by default'],
      ['e2e/update-modes.spec.ts', 'none writes nothing and fails'],
    ],
  },
  {
    number: 36,
    bug: 'the process that compares is killed, and nothing is said',
    tests: [
      [
        'e2e/breakdowns.spec.ts',
        '36: a comparison whose program is killed is an error that names it, and the report is written',
      ],
    ],
  },
  {
    number: 37,
    bug: 'the report of 1,000 pages does not open',
    tests: [
      ['e2e/viewer-limits.spec.ts', '1,000 shots are all there, found by name, and load only the images that are seen'],
      ['unit/core/thousand-pages.test.ts', 'all of which changed prints and sums up all of them, the counts whole'],
    ],
  },
  {
    number: 38,
    bug: 'there is no browser, and all is green (a token is needed for nothing here)',
    tests: [
      ['e2e/breakdowns.spec.ts', 'a browser that cannot be started is named, and nothing passes'],
      ['e2e/browser.spec.ts', 'where there is no browser at all, one error says what to run'],
    ],
  },
  {
    number: 39,
    bug: 'a shard that crashed is not missed; folders, images and exit code of a merge',
    tests: [
      ['e2e/merge.spec.ts', 'a missing one fails the merge, and is named with its pages'],
      ['e2e/merge.spec.ts', 'merged in a fourth give the results of the whole run'],
      [
        'e2e/merge.spec.ts',
        'a failed shot fails the merge, with its images; a job of GitHub is told once, by the merge',
      ],
    ],
  },
  {
    number: 40,
    bug: 'of several failures in one test the first one is shown',
    tests: [
      [
        'e2e/matcher.spec.ts',
        '40: of several comparisons in one test all are judged, shown and told, not the first one alone',
      ],
    ],
  },
  {
    number: 41,
    bug: 'an update rewrites what passed, or what another failure has nothing to do with',
    tests: [
      [
        'e2e/update-modes.spec.ts',
        '41: a page within its limit is rewritten under all, but not under changed, whatever else fails',
      ],
      ['e2e/update-modes.spec.ts', 'is written and green under changed'],
      [
        'unit/core/decide-shots.test.ts',
        '41, 42: all takes what changed and is new, names what is error or unstable, and touches nothing else',
      ],
    ],
  },
  {
    number: 42,
    bug: 'the last frame of what never stood still becomes the baseline',
    tests: [
      [
        'integration/shot/stability.spec.ts',
        'a page that never stands still is unstable, with both frames, and never a baseline',
      ],
      [
        'unit/core/decide-shots.test.ts',
        '41, 42: all takes what changed and is new, names what is error or unstable, and touches nothing else',
      ],
    ],
  },
  {
    number: 43,
    bug: 'a stray folder among the results is approved',
    tests: [
      ['unit/core/decide-shots.test.ts', '43: a stray folder beside the images changes nothing of what is approved'],
    ],
  },
  {
    number: 44,
    bug: 'stale baselines stay where there is nothing to approve; the new name of a page is deleted',
    tests: [
      [
        'e2e/prune.spec.ts',
        '44: the baseline of a page that was removed is listed, and deleted when told to; the others stay',
      ],
      [
        'unit/core/prune.test.ts',
        'the baseline of a page that is gone; not what is claimed, and not the new one of a page that was renamed',
      ],
    ],
  },
  {
    number: 45,
    bug: 'two names make one file; a query makes a name that nobody can read',
    tests: [
      ['unit/page-list/names.test.ts', '%j and %j are an error that names both places'],
      ['unit/page-list/names.test.ts', 'are told apart where a file system can: by letters, folders and what was cut'],
      ['unit/page-list/names.test.ts', 'search-a=b-c=d'],
    ],
  },
  {
    number: 46,
    bug: 'a browser elsewhere is recorded as the machine that asked',
    tests: [
      ['e2e/regressions.spec.ts', '46: what is drawn on another machine says which one, not where it was asked from'],
    ],
  },
  {
    number: 47,
    bug: 'a Git LFS pointer is a page that differs',
    tests: [
      ['e2e/update-modes.spec.ts', 'a Git LFS pointer'],
      ['unit/baselines/baseline.test.ts', 'that is a Git LFS pointer says how to get the image'],
      ['unit/core/decide-shots.test.ts', '47: is refused when it is a Git LFS pointer'],
    ],
  },
  {
    number: 48,
    bug: 'a shallow clone or a short hash names the wrong commit',
    tests: [
      ['unit/core/decide-shots.test.ts', '48: the commit of a shallow clone is told whole'],
      [
        'unit/core/decide-shots.test.ts',
        '48: a run of another commit is a warning with both, and no more; of the same commit there is none',
      ],
    ],
  },
  {
    number: 49,
    bug: 'a comment that GitHub refuses a fork makes the check red',
    tests: [
      [
        'e2e/github.spec.ts',
        'github-comment makes one comment of the run and updates it; a 403 is one line and exit code 0',
      ],
      ['unit/github/github-comment.test.ts', 'a %i, to looking and to writing'],
      ['house/workflows.test.ts', 'are given no permission to write but by the job that needs it'],
    ],
  },
  {
    number: 50,
    bug: 'a comment about hundreds of pages is longer than GitHub takes',
    tests: [
      [
        'unit/github/github-comment.test.ts',
        'of 500 changed pages with long names stays below 60,000 characters and counts the rest',
      ],
    ],
  },
  {
    number: 51,
    bug: 'a commit by a bot starts no checks, and those that are required are waited for without end',
    tests: [
      ['house/workflows.test.ts', 'commit without a word that keeps required checks from running'],
      ['house/update-baselines.test.ts', 'the checks of the new commit are started, each of them'],
    ],
  },
];

test('the bugs of other tools from 33 to 51 are all here, each with a test', () => {
  expect(CASES.map(({ number }) => number)).toEqual(Array.from({ length: 19 }, (_, index) => 33 + index));
  expect(CASES.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

test.each(CASES)('$number, $bug: its tests are there', ({ tests }) => {
  expect(tests.filter(([file, title]) => !holds(file, title))).toEqual([]);
});

/** Is a title in a file, quoted as a whole? */
function holds(file: string, title: string): boolean {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return ["'", '"', '`'].some((quote) => text.includes(quote + title + quote));
}
