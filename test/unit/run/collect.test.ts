import { describe, expect, test } from 'vitest';
import { runRecordSchema } from '../../../src/model/run-record.js';
import { collectRun } from '../../../src/run/collect.js';
import { compared, declaredOf, inputOf, listed, silent, testOf } from '../review/collect-observed.js';

const collect = (...args: Parameters<typeof inputOf>) => collectRun(inputOf(...args));
const shotsOf = (...args: Parameters<typeof inputOf>) => collect(...args).run.shots;

test('a run of listed shots is complete, counted and valid', () => {
  const { run, problems, failed } = collect([listed('home'), listed('pricing', 'changed'), listed('docs')]);
  expect(runRecordSchema.parse(run)).toEqual(run);
  expect(run.summary).toMatchObject({
    expected: 3,
    captured: 3,
    compared: 3,
    passed: 2,
    changed: 1,
    error: 0,
    obsolete: null,
  });
  expect(run.run).toMatchObject({ list: 'pages.yaml', listHash: 'a'.repeat(64), complete: true, problems: [] });
  expect(problems).toEqual([]);
  expect(failed).toEqual(['pricing [chromium]']);
});

describe('with several attempts', () => {
  test('the last one counts, all are recorded, and different statuses are flaky', () => {
    const attempts = [compared([{ id: 'home', status: 'changed' }]), compared([{ id: 'home' }])];
    const [shot] = shotsOf([listed('home', 'passed', { attempts })]);
    expect(shot).toMatchObject({
      status: 'passed',
      flaky: true,
      attempts: [{ status: 'changed' }, { status: 'passed' }],
    });
  });

  test('each attempt of a flaky shot has its own result and images, except the final one', () => {
    const seen = (link: string, status: 'changed' | 'passed') => {
      const image = { link, width: 8, height: 6 };
      const told = { ...(status === 'changed' && { reason: 'it differs', diff: image }) };
      const attempt = compared([{ id: 'home', status, after: { ...image, source: 'http://localhost/' }, ...told }]);
      const messages = attempt.messages.map((message) => ({ ...message, images: [{ link, attachment: 'a.png' }] }));
      return { ...attempt, messages, attachments: new Map([['a.png', `/tmp/of-${link}`]]) };
    };
    const attempts = [seen('1', 'changed'), silent('failed', 'worker process exited'), seen('3', 'passed')];
    const { run, images } = collect([listed('home', 'passed', { attempts })]);
    const [shot] = run.shots;
    expect(runRecordSchema.parse(run)).toEqual(run);
    expect(shot?.after?.link).toBe('3');
    expect(shot?.attempts).toEqual([
      {
        status: 'changed',
        reason: 'it differs',
        before: shot?.before,
        after: { link: '1', width: 8, height: 6, source: 'http://localhost/' },
        diff: { link: '1', width: 8, height: 6 },
      },
      { status: 'error', reason: 'no result: the test failed first: worker process exited' },
      { status: 'passed' },
    ]);
    expect(images).toEqual([
      { link: '3', from: '/tmp/of-3' },
      { link: '1', from: '/tmp/of-1' },
    ]);

    const alike = collect([listed('home', 'changed', { attempts: [seen('1', 'changed'), seen('2', 'changed')] })]);
    expect(alike.run.shots[0]?.attempts).toEqual([{ status: 'changed' }, { status: 'changed' }]);
    expect(alike.images).toEqual([{ link: '2', from: '/tmp/of-2' }]);
  });

  test('equal statuses are not flaky', () => {
    const attempts = [compared([{ id: 'home', status: 'changed' }]), compared([{ id: 'home', status: 'changed' }])];
    expect(shotsOf([listed('home', 'changed', { attempts })])[0]).toMatchObject({ flaky: false, attempts: [{}, {}] });
  });

  test('an attempt whose worker crashed is an error', () => {
    const attempts = [silent('failed', 'worker process exited'), compared([{ id: 'home' }])];
    const [shot] = shotsOf([listed('home', 'passed', { attempts })]);
    expect(shot).toMatchObject({
      status: 'passed',
      flaky: true,
      attempts: [{ status: 'error' }, { status: 'passed' }],
    });
  });

  test('the last one counts even without a result', () => {
    const attempts = [compared([{ id: 'home', status: 'changed' }]), silent('failed', 'worker process exited')];
    const { run, failed } = collect([listed('home', 'changed', { attempts })]);
    expect(run.shots[0]).toMatchObject({ status: 'error', reason: expect.stringContaining('worker process exited') });
    expect(run.run.complete).toBe(false);
    expect(failed).toHaveLength(1);
  });
});

describe('a selected shot without a result', () => {
  test.each([
    [
      silent('failed', 'worker process exited unexpectedly'),
      'no result: the test failed first: worker process exited unexpectedly',
    ],
    [
      silent('timedOut', 'Test timeout of 30000ms exceeded.'),
      'no result: the test timed out: Test timeout of 30000ms exceeded.',
    ],
    [
      silent('failed', 'ProofsheetError: /a: the URL is a path, but baseURL is not set. Set it.'),
      '/a: the URL is a path, but baseURL is not set. Set it.',
    ],
  ])(
    'because its test failed is an error with the reason, and no problem: the run is red already',
    (attempt, reason) => {
      const { run, problems } = collect([listed('home', 'error', { attempts: [attempt] }), listed('docs')]);
      expect(run.shots[0]).toMatchObject({
        id: 'home',
        status: 'error',
        reason,
        url: 'http://127.0.0.1:4173/home',
        durationMs: 30_000,
      });
      expect(run.run.complete).toBe(false);
      expect(problems).toEqual([]);
    },
  );

  test.each([
    [
      'stopped',
      'Testing stopped early after 1 maximum allowed failures.',
      'the run stopped before the test (Testing stopped early',
    ],
    ['timed-out', null, 'the run reached the global timeout'],
    ['interrupted', null, 'the run was interrupted'],
    ['finished', null, 'the test did not run'],
  ] as const)('whose test did not run in a run that %s is a problem that names it', (kind, error, words) => {
    const { run, problems } = collect([listed('home', 'error', { attempts: [] }), listed('docs')], {
      ending: { kind, error },
    });
    expect(run.shots[0]).toMatchObject({
      status: 'error',
      reason: expect.stringContaining(`no result: ${words}`),
      attempts: [],
    });
    expect(problems).toEqual([expect.objectContaining({ code: 'run-incomplete', where: 'home [chromium]' })]);
    expect(run.run).toMatchObject({ complete: false, problems });
  });

  test.each([silent('skipped', null), silent('interrupted', null), silent('passed', null)])(
    'though its test did not fail is a problem: $outcome',
    (attempt) => {
      const { problems, run } = collect([listed('home', 'error', { attempts: [attempt] })]);
      expect(problems).toMatchObject([
        { code: 'run-incomplete', found: expect.stringContaining('1 selected shot has no result') },
      ]);
      expect(run.summary).toMatchObject({ expected: 1, error: 1, captured: 0, compared: 0 });
    },
  );

  test('is reported together with others', () => {
    const tests = Array.from({ length: 40 }, (_, index) => listed(`p${index}`, 'error', { attempts: [] }));
    const { problems } = collect(tests);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      where: expect.stringContaining('and 35 more'),
      found: expect.stringContaining('40 selected shots have no result'),
    });
  });
});

test('a skipped shot is counted with its reason and is not missing', () => {
  const { run, problems } = collect([
    listed('home', 'skipped', { skipped: { reason: 'not built yet' }, attempts: [silent('skipped', null)] }),
  ]);
  expect(run.shots[0]).toMatchObject({ status: 'skipped', reason: 'not built yet', attempts: [{ status: 'skipped' }] });
  expect(run.summary).toMatchObject({ expected: 1, skipped: 1, captured: 0 });
  expect(run.run.complete).toBe(true);
  expect(problems).toEqual([]);
});

test('a shot within its limit is an error if its test failed', () => {
  const attempt = { ...compared([{ id: 'home' }]), outcome: 'failed' as const, error: 'page.close: crashed' };
  const [shot] = shotsOf([listed('home', 'passed', { attempts: [attempt] })]);
  expect(shot).toMatchObject({
    status: 'error',
    reason: expect.stringContaining('page.close: crashed'),
    attempts: [{ status: 'error' }],
  });
});

test('the reason of a written baseline is removed if its test passed, and kept if it failed', () => {
  const written = { id: 'home', status: 'new', written: true, reason: 'it had no baseline' } as const;
  const passed = listed('home', 'new', { attempts: [compared([written])] });
  const failed = listed('home', 'new', { attempts: [{ ...compared([written]), outcome: 'failed' }] });
  expect(shotsOf([passed])[0]?.reason).toBe(null);
  expect(shotsOf([failed])[0]?.reason).toBe('it had no baseline');
});

describe("a user's own test", () => {
  test('has one shot for each comparison, the last of each name', () => {
    const attempt = compared([{ id: 'cart', status: 'changed' }, { id: 'cart' }, { id: 'menu' }]);
    const { run, problems } = collect([testOf({ attempts: [attempt] })]);
    expect(run.shots.map(({ id, status }) => [id, status])).toEqual([
      ['cart', 'passed'],
      ['menu', 'passed'],
    ]);
    expect(problems).toEqual([]);
    expect(run.run).toMatchObject({ list: null, complete: true });
  });

  test('keeps a comparison that a later attempt does not reach', () => {
    const attempts = [compared([{ id: 'cart', status: 'changed' }]), silent('failed', 'boom')];
    expect(shotsOf([testOf({ attempts })])[0]).toMatchObject({
      status: 'changed',
      attempts: [{ status: 'changed' }],
      flaky: false,
    });
  });
});

test('images come from the final attempt, and a missing image is recorded', () => {
  const { images } = collect([listed('home')]);
  expect(images.map(({ from }) => from)).toEqual(['/tmp/after.png', null]);
});

describe('two shots with one baseline', () => {
  const shared = (id: string, project: string) =>
    listed(id, 'passed', {
      project,
      attempts: [compared([{ id, project, baseline: { path: 'shots/home.png', sha256: null, environment: null } }])],
    });

  test('are a problem that names both shots and the fix', () => {
    const { problems } = collect([shared('home', 'chromium'), shared('home', 'phone')]);
    expect(problems).toMatchObject([
      {
        code: 'baseline-shared',
        where: 'shots/home.png',
        found: expect.stringContaining('home [chromium], home [phone]'),
        advice: expect.stringContaining('{projectName}'),
      },
    ]);
  });

  test('are a problem if they differ only in case: some file systems have one file for them', () => {
    const at = (id: string, path: string) =>
      listed(id, 'passed', { attempts: [compared([{ id, baseline: { path, sha256: null, environment: null } }])] });
    expect(collect([at('a', 'shots/home.png'), at('b', 'shots/Home.png')]).problems).toMatchObject([
      { code: 'baseline-shared', found: expect.stringMatching(/^a .*, b .* have the same baseline path/) },
    ]);
  });

  test('are no problem if neither has a baseline, as in a two-state run', () => {
    const live = (project: string) =>
      listed('home', 'passed', { project, attempts: [compared([{ id: 'home', project, baseline: null }])] });
    expect(collect([live('a'), live('b')]).problems).toEqual([]);
  });
});

describe('one shot in two tests', () => {
  test('is a problem with both locations, and the worse result counts', () => {
    const tests = [
      listed('home', 'passed', { location: 'a.spec.ts:3' }),
      listed('home', 'changed', { location: 'b.spec.ts:5' }),
    ];
    const { problems, run } = collect(tests);
    expect(problems).toMatchObject([
      {
        code: 'shot-duplicate',
        where: 'a.spec.ts:3 and b.spec.ts:5',
        found: expect.stringContaining('home [chromium]'),
      },
    ]);
    expect(run.shots.map(({ status }) => status)).toEqual(['changed']);
  });

  test('is no problem in two projects', () => {
    expect(collect([listed('home'), listed('home', 'passed', { project: 'phone' })]).problems).toEqual([]);
  });

  test('is no problem with --repeat-each: the worst repeat counts, and different statuses are flaky', () => {
    const tests = [0, 1, 2].map((repeat) => listed('home', repeat === 1 ? 'changed' : 'passed', { repeat }));
    const { problems, run, failed } = collect(tests);
    expect(problems).toEqual([]);
    expect(run.shots).toMatchObject([{ status: 'changed', flaky: true, attempts: [{}, {}, {}] }]);
    expect(run.shots[0]?.attempts.map(({ after }) => after !== undefined)).toEqual([true, false, true]);
    expect(run.summary.expected).toBe(1);
    expect(failed).toEqual(['home [chromium]']);
  });

  test('failed if one of its repeats failed', () => {
    const repeat = (index: number, failed: boolean) =>
      testOf({ repeat: index, failed, attempts: [compared([{ id: 'cart' }])] });
    expect(collect([repeat(0, false), repeat(1, true)]).failed).toEqual(['cart [chromium]']);
  });
});

test('shots are sorted by status, changed pixels and code points', () => {
  const pixels = (id: string, mismatchPixels: number) => {
    const base = compared([{ id, status: 'changed' }]).messages[0]?.shot.summary;
    return listed(id, 'changed', {
      attempts: [compared([{ id, status: 'changed', summary: base ? { ...base, mismatchPixels } : null }])],
    });
  };
  const tests = [
    listed('a'),
    listed('b', 'skipped'),
    pixels('few', 3),
    pixels('many', 4000),
    listed('c', 'error'),
    listed('\u{1f600}'),
    listed('\uffff'),
    listed('Z'),
    listed('ä'),
  ];
  expect(shotsOf(tests).map(({ id }) => id)).toEqual(['c', 'many', 'few', 'Z', 'a', 'ä', '\uffff', '\u{1f600}', 'b']);
  expect(shotsOf(tests.toReversed())).toEqual(shotsOf(tests));
});

test('several lists are joined in order', () => {
  const other = listed('x', 'passed', { declared: declaredOf('x', { list: 'b.yaml', listHash: 'b'.repeat(64) }) });
  expect(collect([other, listed('home')]).run.run).toMatchObject({
    list: 'b.yaml,pages.yaml',
    listHash: `${'b'.repeat(64)},${'a'.repeat(64)}`,
  });
});

test('unreadable data is a problem, and the run is incomplete', () => {
  const problem = { code: 'record-invalid', where: 'attachment of a shot', found: 'no', advice: '' } as const;
  expect(collect([listed('home')], { problems: [problem] }).run.run).toMatchObject({
    complete: false,
    problems: [problem],
  });
});

test('the record names the output folders of the run, but not those of a merged run', () => {
  const outputDirs = ['out/e2e'];
  expect(collect([listed('home')], { outputDirs }).run.run.outputDirs).toEqual(outputDirs);
  expect(collect([listed('home')]).run.run).not.toHaveProperty('outputDirs');
  expect(collect([listed('home')], { outputDirs, merge: { shards: [] } }).run.run).not.toHaveProperty('outputDirs');
});
