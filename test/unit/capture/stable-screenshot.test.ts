import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStopwatch } from '../../../src/browser/timing.js';
import { createDeadline } from '../../../src/capture/deadline.js';
import type { TimerRange } from '../../../src/capture/in-page/timers.js';
import { HORIZON_MS } from '../../../src/capture/stabilize/stability.js';
import { takeFinalShot as takeTimed } from '../../../src/capture/stabilize/stable-screenshot.js';

const noTimers = async () => 0;
const two = async () => 2;
const noRedraw = async () => {};
const noSkip = async () => ({ passedMs: 0, skippedMs: 0, isDrawn: false });
const nothingPending = {
  settled: async () => {},
  isPendingSince: async () => false,
  skip: noSkip,
  runsTimers: true,
  lateMs: 0,
  patience: 'short',
} as const;
const never = { ...nothingPending, isExpected: () => false, timers: noTimers, requiredMatches: two };

type Arguments = Parameters<typeof takeTimed>;
const takeFinalShot = (session: Arguments[0], check: Arguments[1], deadline: Arguments[2]) =>
  takeTimed(session, check, deadline, createStopwatch());

/** Creates a session with these screenshots. Repeats the last one, and counts the calls. */
function sessionOf(...frames: readonly string[]) {
  const session = {
    asked: 0,
    shoot: async () => Buffer.from(frames[Math.min(session.asked++, frames.length - 1)] ?? ''),
    redraw: noRedraw,
  };
  return session;
}

/** Creates a session with another screenshot each time: `frame 1`, `frame 2`, ... */
function changingSession() {
  const session = { asked: 0, shoot: async () => Buffer.from(`frame ${++session.asked}`), redraw: noRedraw };
  return session;
}

const isText = (text: string) => ({ ...never, isExpected: (bytes: Buffer) => bytes.equals(Buffer.from(text)) });
const deadlineOf = (timeoutMs: number) => createDeadline(timeoutMs, 'http://127.0.0.1/');

// The pauses must not depend on the load of the machine.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.setTimerTickMode('nextTimerAsync');
});
afterEach(() => {
  vi.useRealTimers();
});

test('one screenshot is enough if it equals the baseline', async () => {
  const session = sessionOf('expected', 'other');
  const shot = await takeFinalShot(session, isText('expected'), deadlineOf(5000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('expected'), shots: 1 });
  expect(session.asked).toBe(1);
});

test('a baseline match does not count while a response is pending; the screenshot after the response counts', async () => {
  const session = sessionOf('expected', 'failed');
  let answered = false;
  const judge = {
    ...isText('expected'),
    isPendingSince: async () => !answered,
    settled: async () => {
      answered = session.asked > 0;
    },
  };
  const shot = await takeFinalShot(session, judge, deadlineOf(5000));
  expect(shot).toMatchObject({ kind: 'settled', bytes: Buffer.from('failed') });
});

test('a baseline match counts once the response arrived and changed nothing', async () => {
  const session = sessionOf('expected');
  const judge = { ...isText('expected'), isPendingSince: async () => session.asked < 2 };
  const shot = await takeFinalShot(session, judge, deadlineOf(5000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('expected'), shots: 2 });
});

test('two equal screenshots are enough, even if they differ from the baseline', async () => {
  const session = sessionOf('new', 'new', 'other');
  const shot = await takeFinalShot(session, isText('expected'), deadlineOf(5000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('new'), shots: 2 });
  expect(session.asked).toBe(2);
});

test('screenshots are taken until one equals the baseline', async () => {
  const session = sessionOf('half', 'most', 'expected', 'other');
  const shot = await takeFinalShot(session, isText('expected'), deadlineOf(5000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('expected'), shots: 3 });
});

test('screenshots are taken until two consecutive ones are equal: equal ones with another between do not count', async () => {
  const session = sessionOf('a', 'b', 'a', 'a', 'c');
  const shot = await takeFinalShot(session, never, deadlineOf(5000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('a'), shots: 4 });
});

test('if two screenshots may match by chance, more consecutive ones must match', async () => {
  const session = sessionOf('a', 'a', 'a', 'b', 'b', 'b', 'b', 'c');
  const shot = await takeFinalShot(session, { ...never, requiredMatches: async () => 4 }, deadlineOf(9000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('b'), shots: 7 });
});

test('the page is rendered again before every screenshot except the first', async () => {
  const acts: string[] = [];
  const shooting = {
    shoot: async () => {
      acts.push('shoot');
      return Buffer.from('new');
    },
    redraw: async () => void acts.push('redraw'),
  };
  await takeFinalShot(shooting, never, deadlineOf(5000));
  expect(acts).toEqual(['shoot', 'redraw', 'shoot']);
});

test('screenshots differ if one byte differs, or if one has an additional byte', async () => {
  const session = sessionOf('aaaa', 'aaab', 'aaa', 'aaa');
  expect((await takeFinalShot(session, never, deadlineOf(5000))).shots).toBe(4);
});

test('the pauses between the first screenshots become longer', async () => {
  const times: number[] = [];
  const session = sessionOf('a', 'b', 'c', 'c');
  const shoot = () => {
    times.push(performance.now());
    return session.shoot();
  };
  await takeFinalShot({ shoot, redraw: noRedraw }, never, deadlineOf(5000));
  const pauses = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  expect(pauses).toEqual([100, 250, 500]);
});

describe('a page that never becomes stable', () => {
  test('is unstable, with its last two screenshots', async () => {
    const session = changingSession();
    const shot = await takeFinalShot(session, never, deadlineOf(500));
    expect(shot.kind).toBe('unstable');
    expect(shot.shots).toBe(session.asked);
    expect(shot.bytes.toString()).toBe(`frame ${session.asked}`);
    expect(shot.kind === 'unstable' && shot.previous.toString()).toBe(`frame ${session.asked - 1}`);
  });

  test('gets half of the remaining time, so that its deadline does not pass', async () => {
    const startedAt = performance.now();
    const deadline = deadlineOf(1200);
    const shot = await takeFinalShot(changingSession(), never, deadline);
    // Pauses of 100, 250 and 500 ms: over the half of 1200 with the fourth shot.
    expect(shot.kind).toBe('unstable');
    expect(shot.shots).toBe(4);
    expect(performance.now() - startedAt).toBe(850);
    expect(deadline.remainingMs()).toBe(350);
  });

  test('has two screenshots even if no time is left', async () => {
    const shot = await takeFinalShot(changingSession(), never, deadlineOf(0));
    expect(shot).toMatchObject({ kind: 'unstable', shots: 2 });
  });
});

describe('while the page has planned timers', () => {
  test('two equal screenshots that differ from the baseline are not enough', async () => {
    const session = sessionOf('early', 'early', 'early', 'expected');
    let due = 3;
    const judge = { ...isText('expected'), timers: async () => (due-- > 0 ? 20 : 0) };
    const shot = await takeFinalShot(session, judge, deadlineOf(10_000));
    expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('expected'), shots: 4 });
  });

  test('timers are read up to the horizon, and the page is accepted after it', async () => {
    const asked: number[] = [];
    const timers = async ({ repeatingMs }: TimerRange) => {
      asked.push(repeatingMs);
      return 60_000;
    };
    const startedAt = performance.now();
    const shot = await takeFinalShot(sessionOf('new'), { ...never, timers }, deadlineOf(60_000));
    expect(shot.kind).toBe('settled');
    const took = performance.now() - startedAt;
    expect(took).toBeGreaterThanOrEqual(HORIZON_MS);
    expect(took).toBeLessThan(HORIZON_MS + 1_500);
    for (const ms of asked) expect(ms).toBeLessThanOrEqual(HORIZON_MS);
  });

  test('a page without planned timers is accepted after two equal screenshots', async () => {
    const shot = await takeFinalShot(sessionOf('new', 'new', 'later'), never, deadlineOf(10_000));
    expect(shot).toMatchObject({ bytes: Buffer.from('new'), shots: 2 });
  });
});

test('the pauses and the waits for responses are measured', async () => {
  const stopwatch = createStopwatch();
  const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 30));
  await takeTimed(sessionOf('a', 'b', 'b'), { ...never, settled }, deadlineOf(5000), stopwatch);
  expect(stopwatch.read()).toMatchObject({ settle: { responses: 90, unchanged: 350 }, screenshot: 0 });
});

test('an error of the screenshot session is passed on, from the first screenshot or a later one', async () => {
  const failing = (at: number) => {
    const session = changingSession();
    const shoot = () => (session.asked + 1 === at ? Promise.reject(new Error(`shot ${at}`)) : session.shoot());
    return { shoot, redraw: noRedraw };
  };
  await expect(takeFinalShot(failing(1), never, deadlineOf(5000))).rejects.toThrow('shot 1');
  await expect(takeFinalShot(failing(2), never, deadlineOf(5000))).rejects.toThrow('shot 2');
});

/** Creates a page whose time is skipped as far as a function allows. Its screenshots are made by another function of its time. */
function skippablePage(shootAt: (pageMs: number) => string, allowed = (ms: number) => ms) {
  const start = performance.now();
  const page = {
    skippedMs: 0,
    asked: 0,
    shoot: async () => {
      page.asked++;
      return Buffer.from(shootAt(performance.now() - start + page.skippedMs));
    },
    redraw: noRedraw,
    skip: async (ms: number) => {
      const skippedMs = allowed(ms);
      page.skippedMs += skippedMs;
      return { passedMs: skippedMs, skippedMs, isDrawn: skippedMs > 0 };
    },
  };
  return page;
}

describe('if the time of the page can be skipped', () => {
  const untilDue = (page: { skippedMs: number }, dueAt: number) => async () =>
    Math.max(0, dueAt - performance.now() - page.skippedMs);

  test('the timers that are due run before the first screenshot, and take no time', async () => {
    const startedAt = performance.now();
    const page = skippablePage((ms) => (ms < 2_000 ? 'early' : 'late'));
    const timers = untilDue(page, startedAt + 2_000);
    const shot = await takeFinalShot(page, { ...never, timers, skip: page.skip }, deadlineOf(60_000));
    expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('late'), shots: 2 });
    // The pause between the two screenshots that match.
    expect(performance.now() - startedAt).toBe(100);
    expect(page.skippedMs).toBe(2_000);
  });

  test('timers that repeat are awaited in skipped time, with as many screenshots as in real time', async () => {
    const timers = async ({ repeatingMs }: TimerRange) => repeatingMs;
    const real = sessionOf('new');
    await takeFinalShot(real, { ...never, timers }, deadlineOf(60_000));
    const startedAt = performance.now();
    const page = skippablePage(() => 'new');
    const shot = await takeFinalShot(page, { ...never, timers, skip: page.skip }, deadlineOf(60_000));
    expect(shot.kind).toBe('settled');
    expect(shot.shots).toBe(real.asked);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });

  test('what is not skipped is waited for', async () => {
    const startedAt = performance.now();
    const page = skippablePage(
      (ms) => (ms < 2_000 ? 'early' : 'late'),
      (ms) => ms / 4,
    );
    const timers = untilDue(page, startedAt + 2_000);
    const shot = await takeFinalShot(page, { ...never, timers, skip: page.skip }, deadlineOf(60_000));
    expect(shot).toMatchObject({ kind: 'settled', bytes: Buffer.from('late') });
    expect(performance.now() - startedAt + page.skippedMs).toBeGreaterThan(4_000);
  });
});

test.each([
  { page: 'whose time cannot be skipped', allowed: () => 0 },
  { page: 'whose time is skipped', allowed: (ms: number) => ms },
])('a change that repeats in a page $page is detected, whenever the first screenshot is taken', async ({ allowed }) => {
  const period = 300;
  const phases = [0, 60, 120, 180, 240].map(async (phase) => {
    const page = skippablePage((ms) => (Math.floor((ms + phase) / period) % 2 === 0 ? 'on' : 'off'), allowed);
    const timers = async ({ repeatingMs }: TimerRange) => repeatingMs;
    return (await takeFinalShot(page, { ...never, timers, skip: page.skip }, deadlineOf(60_000))).kind;
  });
  expect(await Promise.all(phases)).toEqual(phases.map(() => 'unstable'));
});
