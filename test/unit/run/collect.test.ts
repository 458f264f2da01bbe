import { describe, expect, test } from 'vitest';
import { runRecordSchema } from '../../../src/model/run-record.js';
import { collect, compared, declaredOf, listed, silent, testOf } from './observed-tests.js';

const shotsOf = (...args: Parameters<typeof collect>) => collect(...args).run.shots;

test('a run of listed shots is complete, counted and valid', () => {
  const { run, problems, failed, images } = collect([listed('home'), listed('pricing', 'changed'), listed('docs')]);
  expect(runRecordSchema.parse(run)).toEqual(run);
  const counts = { expected: 3, captured: 3, compared: 3, passed: 2, changed: 1, error: 0, obsolete: null };
  expect(run.summary).toMatchObject(counts);
  expect(run.run).toMatchObject({ list: 'pages.yaml', listHash: 'a'.repeat(64), complete: true, problems: [] });
  expect(problems).toEqual([]);
  expect(failed).toEqual(['pricing [chromium]']);
  expect(
    images.slice(0, 2).map(({ from }) => from),
    'a missing image is recorded',
  ).toEqual(['/tmp/after.png', null]);
});

describe('with several attempts', () => {
  const crash = silent('failed', 'worker process exited');
  const changed = compared([{ id: 'home', status: 'changed' }]);
  const passed = compared([{ id: 'home' }]);

  test.each([
    ['different statuses are flaky', [changed, passed], { status: 'passed', flaky: true }, ['changed', 'passed']],
    ['equal statuses are not flaky', [changed, changed], { status: 'changed', flaky: false }, ['changed', 'changed']],
    ['a crash is an error', [crash, passed], { status: 'passed', flaky: true }, ['error', 'passed']],
    ['the last one counts, even a crash', [changed, crash], { status: 'error', flaky: true }, ['changed', 'error']],
  ])('%s', (_, attempts, shot, statuses) => {
    const { run, failed } = collect([listed('home', 'passed', { attempts })]);
    expect(run.shots).toMatchObject([shot]);
    expect(run.shots[0]?.attempts.map(({ status }) => status)).toEqual(statuses);
    expect(run.run.complete).toBe(shot.status !== 'error');
    expect(failed).toHaveLength(attempts.includes(passed) ? 0 : 1);
  });

  test('each attempt of a flaky shot has its own result and images, except the final one', () => {
    const seen = (link: string, status: 'changed' | 'passed') => {
      const image = { link, width: 8, height: 6 };
      const told = { ...(status === 'changed' && { reason: 'it differs', diff: image }) };
      const attempt = compared([{ id: 'home', status, after: { ...image, source: '' }, ...told }]);
      const messages = attempt.messages.map((message) => ({ ...message, images: [{ link, attachment: 'a.png' }] }));
      return { ...attempt, messages, attachments: new Map([['a.png', `/tmp/of-${link}`]]) };
    };
    const { run, images } = collect([
      listed('home', 'passed', { attempts: [seen('1', 'changed'), crash, seen('3', 'passed')] }),
    ]);
    const [shot] = run.shots;
    expect(runRecordSchema.parse(run)).toEqual(run);
    expect(shot?.after?.link).toBe('3');
    const diff = { link: '1', width: 8, height: 6 };
    expect(shot?.attempts).toEqual([
      { status: 'changed', reason: 'it differs', before: shot?.before, after: { ...diff, source: '' }, diff },
      { status: 'error', reason: 'no result: the test failed first: worker process exited' },
      { status: 'passed' },
    ]);
    expect(images.map(({ link, from }) => `${link} ${from}`)).toEqual(['3 /tmp/of-3', '1 /tmp/of-1']);

    const alike = collect([listed('home', 'changed', { attempts: [seen('1', 'changed'), seen('2', 'changed')] })]);
    expect(alike.run.shots[0]?.attempts).toEqual([{ status: 'changed' }, { status: 'changed' }]);
    expect(alike.images).toEqual([{ link: '2', from: '/tmp/of-2' }]);
  });
});

describe('a page with each', () => {
  const set = (attempts: Parameters<typeof compared>[0][]) =>
    listed('cards', 'passed', {
      declared: declaredOf('cards', { each: true }),
      attempts: attempts.map((shots) => compared(shots)),
    });
  const [pro, team] = [{ id: 'cards/pro' }, { id: 'cards/team' }];
  const changed = { ...pro, status: 'changed' } as const;
  const vanished = { id: 'cards', status: 'error' } as const;

  test.each([
    ['has the results of its elements only', [[pro, team]], 'cards/pro passed, cards/team passed'],
    ['is not another error if one of them changed', [[changed, team]], 'cards/pro changed, cards/team passed'],
    ['may have both', [[pro, vanished]], 'cards error, cards/pro passed'],
    ['has no error that a retry does not have', [[vanished], [pro, team]], 'cards/pro passed, cards/team passed'],
  ])('%s', (_, attempts, statuses) => {
    const { run } = collect([set(attempts)]);
    expect(run.shots.map(({ id, status }) => `${id} ${status}`).join(', ')).toBe(statuses);
    expect(run.run.complete).toBe(true);
  });

  test.each([
    ['timedOut', [changed], 'no result: the test timed out: Test timeout exceeded.'],
    ['failed', [pro], 'no result: the test failed first: Test timeout exceeded.'],
  ] as const)('whose test %s before its end is an error with the reason', (outcome, shots, reason) => {
    const attempt = silent(outcome, 'Test timeout exceeded.', compared(shots).messages);
    const declared = declaredOf('cards', { each: true });
    const { run } = collect([listed('cards', 'error', { declared, attempts: [attempt] })]);
    expect(run.shots.find(({ id }) => id === 'cards')).toMatchObject({ status: 'error', reason });
    expect(run.run.complete).toBe(false);
  });
});

describe('a selected shot without a result', () => {
  const crashed = silent('failed', 'worker process exited');
  const late = silent('timedOut', 'Test timeout exceeded.');
  const refused = silent('failed', 'ProofsheetError: /a: baseURL is not set. Set it.');

  test.each([
    [crashed, 'no result: the test failed first: worker process exited'],
    [late, 'no result: the test timed out: Test timeout exceeded.'],
    [refused, '/a: baseURL is not set. Set it.'],
  ])('is an error with the reason, and no problem if its test failed: the run is red already', (attempt, reason) => {
    const { run, problems } = collect([listed('home', 'error', { attempts: [attempt] }), listed('docs')]);
    const url = 'http://127.0.0.1:4173/home';
    expect(run.shots[0]).toMatchObject({ id: 'home', status: 'error', reason, url, durationMs: 30_000 });
    expect([run.run.complete, problems]).toEqual([false, []]);
  });

  test.each([
    [null, 'stopped', 'Testing stopped early.', 'the run stopped before the test (Testing stopped early)'],
    [null, 'timed-out', null, 'the run reached the global timeout'],
    [null, 'finished', null, 'the test did not run, for example because a setup test failed'],
    [silent('skipped', null), 'finished', null, 'the test did not run, for example because a setup test failed'],
    [silent('interrupted', null), 'finished', null, 'the test was interrupted'],
    [silent('passed', null), 'finished', null, 'the test passed without a comparison'],
  ] as const)('is a problem that names it if its test did not fail: %j, %s, %s', (attempt, kind, error, words) => {
    const tests = [listed('home', 'error', { attempts: attempt ? [attempt] : [] }), listed('docs')];
    const { run, problems } = collect(tests, { ending: { kind, error } });
    expect(run.shots[0]).toMatchObject({ status: 'error', reason: `no result: ${words}` });
    const found = `1 selected shot has no result: ${words}`;
    expect(problems).toMatchObject([{ code: 'run-incomplete', where: 'home [chromium]', found }]);
    expect(run.run).toMatchObject({ complete: false, problems });
    expect(run.summary).toMatchObject({ expected: 2, error: 1, captured: 1, compared: 1 });
  });
});

test('a skipped shot is counted with its reason and is not missing', () => {
  const skipped = { skipped: { reason: 'not built yet' }, attempts: [silent('skipped', null)] };
  const { run, problems } = collect([listed('home', 'skipped', skipped)]);
  expect(run.shots[0]).toMatchObject({ status: 'skipped', reason: 'not built yet', attempts: [{ status: 'skipped' }] });
  expect(run.summary).toMatchObject({ expected: 1, skipped: 1, captured: 0 });
  expect([run.run.complete, problems]).toEqual([true, []]);
});

test('a shot within its limit is an error if its test failed', () => {
  const attempt = { ...compared([{ id: 'home' }]), outcome: 'failed' as const, error: 'page.close: crashed' };
  const reason = 'the shot is within its limit, but its test failed: page.close: crashed';
  const [shot] = shotsOf([listed('home', 'passed', { attempts: [attempt] })]);
  expect(shot).toMatchObject({ status: 'error', reason, attempts: [{ status: 'error' }] });
});

test('the reason of a written baseline is removed if its test passed, and kept if it failed', () => {
  const attempt = compared([{ id: 'home', status: 'new', written: true, reason: 'it had no baseline' }]);
  const reasons = (['passed', 'failed'] as const).map((outcome) => {
    return shotsOf([listed('home', 'new', { attempts: [{ ...attempt, outcome }] })])[0]?.reason;
  });
  expect(reasons).toEqual([null, 'it had no baseline']);
});

describe("a user's own test", () => {
  test('has one shot for each comparison, the last of each name', () => {
    const attempt = compared([{ id: 'cart', status: 'changed' }, { id: 'cart' }, { id: 'menu' }]);
    const { run, problems } = collect([testOf({ attempts: [attempt] })]);
    expect(run.shots.map(({ id, status }) => `${id} ${status}`)).toEqual(['cart passed', 'menu passed']);
    expect(problems).toEqual([]);
    expect(run.run).toMatchObject({ list: null, complete: true });
  });

  test('keeps a comparison that a later attempt does not reach', () => {
    const attempts = [compared([{ id: 'cart', status: 'changed' }]), silent('failed', 'boom')];
    const [shot] = shotsOf([testOf({ attempts })]);
    expect(shot).toMatchObject({ status: 'changed', attempts: [{ status: 'changed' }], flaky: false });
  });
});

describe('two shots with one baseline', () => {
  const at = (id: string, path: string | null, project = 'chromium') => {
    const baseline = path === null ? null : { path, sha256: null, environment: null };
    return listed(id, 'passed', { project, attempts: [compared([{ id, project, baseline }])] });
  };

  test('are a problem that names both shots and the fix, also if some file systems have one file for them', () => {
    const none = [at('live', null, 'a'), at('live', null, 'b')];
    const { problems } = collect([at('home', 'shots/home.png'), at('home', 'shots/Home.png', 'phone'), ...none]);
    const found = 'home [chromium], home [phone] have the same baseline path';
    const advice = expect.stringContaining('{projectName}');
    expect(problems).toMatchObject([{ code: 'baseline-shared', where: 'shots/home.png', found, advice }]);
  });
});

describe('one shot in two tests', () => {
  test('is a problem with both locations, and the worse result counts', () => {
    const { problems, run } = collect([
      listed('home', 'passed', { location: 'a.spec.ts:3' }),
      listed('home', 'changed', { location: 'b.spec.ts:5' }),
    ]);
    const found = 'more than one test captures home [chromium]';
    expect(problems).toMatchObject([{ code: 'shot-duplicate', where: 'a.spec.ts:3 and b.spec.ts:5', found }]);
    expect(run.shots.map(({ status }) => status)).toEqual(['changed']);
  });

  test('is no problem with --repeat-each: the worst repeat counts, and different statuses are flaky', () => {
    const tests = [0, 1, 2].map((repeat) => listed('home', repeat === 1 ? 'changed' : 'passed', { repeat }));
    const { problems, run, failed } = collect(tests);
    expect(problems).toEqual([]);
    expect(run.shots).toMatchObject([{ status: 'changed', flaky: true }]);
    expect(run.shots[0]?.attempts.map(({ after }) => after !== undefined)).toEqual([true, false, true]);
    expect(run.summary.expected).toBe(1);
    expect(failed, 'one of the repeats failed').toEqual(['home [chromium]']);
  });
});

describe('groups', () => {
  const groupsOf = (fingerprints: Record<string, string | null>, status: 'changed' | 'passed' = 'changed') => {
    const tests = Object.entries(fingerprints).map(([id, fingerprint]) => {
      const attempt = compared([{ id, status }]);
      const messages = attempt.messages.map((message) => ({ ...message, fingerprint }));
      return listed(id, status, { attempts: [{ ...attempt, messages }] });
    });
    return shotsOf(tests).map(({ id, group }) => `${id}: ${group}`);
  };

  test('have the shots with the same change; the largest, then that of the first shot is 1, and a single change has none', () => {
    const groups = groupsOf({ a: 'two', b: 'three', c: 'three', d: 'alone', e: 'two', f: 'three', g: null });
    expect(groups).toEqual(['a: 2', 'b: 1', 'c: 1', 'd: null', 'e: 2', 'f: 1', 'g: null']);
    expect(groupsOf({ c: 'y', a: 'x', d: 'x', b: 'y' })).toEqual(['a: 1', 'b: 2', 'c: 2', 'd: 1']);
    expect(groupsOf({ a: 'x', b: 'x' }, 'passed'), 'unchanged').toEqual(['a: null', 'b: null']);
  });
});

test('shots are sorted by status, changed pixels and code points', () => {
  const pixels = (id: string, mismatchPixels: number) => {
    const base = compared([{ id }]).messages[0]?.shot.summary;
    const summary = base ? { ...base, mismatchPixels } : null;
    return listed(id, 'changed', { attempts: [compared([{ id, status: 'changed', summary }])] });
  };
  const passed = ['a', '\u{1f600}', '\uffff', 'Z', 'ä'].map((id) => listed(id));
  const tests = [...passed, listed('b', 'skipped'), pixels('few', 3), pixels('many', 4000), listed('c', 'error')];
  expect(shotsOf(tests).map(({ id }) => id)).toEqual(['c', 'many', 'few', 'Z', 'a', 'ä', '\uffff', '\u{1f600}', 'b']);
  expect(shotsOf(tests.toReversed())).toEqual(shotsOf(tests));
});

test('several lists are joined in order', () => {
  const other = listed('x', 'passed', { declared: declaredOf('x', { list: 'b.yaml', listHash: 'b'.repeat(64) }) });
  const { list, listHash } = collect([other, listed('home')]).run.run;
  expect([list, listHash]).toEqual(['b.yaml,pages.yaml', `${'b'.repeat(64)},${'a'.repeat(64)}`]);
});

test('unreadable data is a problem, and the run is incomplete', () => {
  const problem = { code: 'record-invalid', where: 'attachment of a shot', found: 'no', advice: '' } as const;
  const { run } = collect([listed('home')], { problems: [problem] });
  expect(run.run).toMatchObject({ complete: false, problems: [problem] });
});

test('the record names the output folders of the run, but not those of a merged run', () => {
  const outputDirs = ['out/e2e'];
  expect(collect([listed('home')], { outputDirs }).run.run.outputDirs).toEqual(outputDirs);
  expect(collect([listed('home')], { outputDirs, mergedShards: [] }).run.run).not.toHaveProperty('outputDirs');
});
