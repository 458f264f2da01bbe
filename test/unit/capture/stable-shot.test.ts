import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDeadline } from '../../../src/capture/deadline.js';
import { HORIZON_MS } from '../../../src/capture/stabilize/stability.js';
import { takeFinalShot } from '../../../src/capture/stabilize/stable-screenshot.js';

const noTimers = async () => ({ aheadMs: 0, periodMs: null });
const two = async () => 2;
const noRedraw = async () => {};
const nothingPending = { settled: async () => {}, isPendingSince: async () => false, lateMs: 0 };
const never = { ...nothingPending, isExpected: () => false, timers: noTimers, requiredMatches: two };

/** A camera that gives these frames, and the last one again and again; it counts how often it was asked. */
function cameraOf(...frames: readonly string[]) {
  const camera = {
    asked: 0,
    shoot: async () => Buffer.from(frames[Math.min(camera.asked++, frames.length - 1)] ?? ''),
    redraw: noRedraw,
  };
  return camera;
}

/** A camera whose every frame is another: `frame 1`, `frame 2`, ... */
function restlessCamera() {
  const camera = { asked: 0, shoot: async () => Buffer.from(`frame ${++camera.asked}`), redraw: noRedraw };
  return camera;
}

const isText = (text: string) => ({ ...never, isExpected: (bytes: Buffer) => bytes.equals(Buffer.from(text)) });
const deadlineOf = (timeoutMs: number) => createDeadline(timeoutMs, 'http://127.0.0.1/');

// What these tests tell of pauses is not to depend on how busy the machine is.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.setTimerTickMode('nextTimerAsync');
});
afterEach(() => {
  vi.useRealTimers();
});

test('one shot is enough when it is the expected one', async () => {
  const camera = cameraOf('expected', 'other');
  const shot = await takeFinalShot(camera, isText('expected'), deadlineOf(5000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('expected'), shots: 1 });
  expect(camera.asked).toBe(1);
});

test('the expected image does not count while a response is pending; the image after the response does', async () => {
  const camera = cameraOf('expected', 'failed');
  let answered = false;
  const judge = {
    ...isText('expected'),
    isPendingSince: async () => !answered,
    settled: async () => {
      answered = camera.asked > 0;
    },
  };
  const shot = await takeFinalShot(camera, judge, deadlineOf(5000));
  expect(shot).toMatchObject({ kind: 'settled', bytes: Buffer.from('failed') });
});

test('the expected image counts again once the response came and changed nothing', async () => {
  const camera = cameraOf('expected');
  const judge = { ...isText('expected'), isPendingSince: async () => camera.asked < 2 };
  const shot = await takeFinalShot(camera, judge, deadlineOf(5000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('expected'), shots: 2 });
});

test('two equal shots are enough, though they are not the expected one', async () => {
  const camera = cameraOf('new', 'new', 'other');
  const shot = await takeFinalShot(camera, isText('expected'), deadlineOf(5000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('new'), shots: 2 });
  expect(camera.asked).toBe(2);
});

test('shots go on until one is the expected one', async () => {
  const camera = cameraOf('half', 'most', 'expected', 'other');
  const shot = await takeFinalShot(camera, isText('expected'), deadlineOf(5000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('expected'), shots: 3 });
});

test('shots go on until two in a row are equal: the same one with another between does not count', async () => {
  const camera = cameraOf('a', 'b', 'a', 'a', 'c');
  const shot = await takeFinalShot(camera, never, deadlineOf(5000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('a'), shots: 4 });
});

test('where two images may be equal by chance, more of them in a row have to be', async () => {
  const camera = cameraOf('a', 'a', 'a', 'b', 'b', 'b', 'b', 'c');
  const shot = await takeFinalShot(camera, { ...never, requiredMatches: async () => 4 }, deadlineOf(9000));
  expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('b'), shots: 7 });
});

test('the page is drawn anew before every image but the first', async () => {
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

test('one byte is a difference, and so is a byte more', async () => {
  const camera = cameraOf('aaaa', 'aaab', 'aaa', 'aaa');
  expect((await takeFinalShot(camera, never, deadlineOf(5000))).shots).toBe(4);
});

test('a pause lies between two shots, a longer one each time', async () => {
  const times: number[] = [];
  const camera = cameraOf('a', 'b', 'c', 'c');
  const shoot = () => {
    times.push(performance.now());
    return camera.shoot();
  };
  await takeFinalShot({ shoot, redraw: noRedraw }, never, deadlineOf(5000));
  const pauses = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  expect(pauses).toEqual([100, 250, 500]);
});

describe('what never stands still', () => {
  test('is unstable, with its last two shots', async () => {
    const camera = restlessCamera();
    const shot = await takeFinalShot(camera, never, deadlineOf(500));
    expect(shot.kind).toBe('unstable');
    expect(shot.shots).toBe(camera.asked);
    expect(shot.bytes.toString()).toBe(`frame ${camera.asked}`);
    expect(shot.kind === 'unstable' && shot.previous.toString()).toBe(`frame ${camera.asked - 1}`);
  });

  test('is given half of the time that is left, so that its deadline does not pass', async () => {
    const startedAt = performance.now();
    const deadline = deadlineOf(1200);
    const shot = await takeFinalShot(restlessCamera(), never, deadline);
    // Pauses of 100, 250 and 500 ms: over the half of 1200 with the fourth shot.
    expect(shot.kind).toBe('unstable');
    expect(shot.shots).toBe(4);
    expect(performance.now() - startedAt).toBe(850);
    expect(deadline.remainingMs()).toBe(350);
  });

  test('has two shots even when there is no time left', async () => {
    const shot = await takeFinalShot(restlessCamera(), never, deadlineOf(0));
    expect(shot).toMatchObject({ kind: 'unstable', shots: 2 });
  });
});

describe('while the page has something planned', () => {
  test('two equal shots that are not the expected one are not enough', async () => {
    const camera = cameraOf('early', 'early', 'early', 'expected');
    let due = 2;
    const judge = { ...isText('expected'), timers: async () => ({ aheadMs: due-- > 0 ? 20 : 0, periodMs: null }) };
    const shot = await takeFinalShot(camera, judge, deadlineOf(10_000));
    expect(shot).toEqual({ kind: 'settled', bytes: Buffer.from('expected'), shots: 4 });
  });

  test('it is asked about the time to its horizon, and believed when that is over', async () => {
    const asked: number[] = [];
    const timers = async (withinMs: number) => {
      asked.push(withinMs);
      return { aheadMs: 60_000, periodMs: null };
    };
    const startedAt = performance.now();
    const shot = await takeFinalShot(cameraOf('new'), { ...never, timers }, deadlineOf(60_000));
    expect(shot.kind).toBe('settled');
    const took = performance.now() - startedAt;
    expect(took).toBeGreaterThanOrEqual(HORIZON_MS);
    expect(took).toBeLessThan(HORIZON_MS + 1_500);
    for (const withinMs of asked) expect(withinMs).toBeLessThanOrEqual(HORIZON_MS);
  });

  test('a page that has nothing planned is believed after two equal shots', async () => {
    const shot = await takeFinalShot(cameraOf('new', 'new', 'later'), never, deadlineOf(10_000));
    expect(shot).toMatchObject({ bytes: Buffer.from('new'), shots: 2 });
  });
});

test('a camera that fails ends it, at the first shot and at a later one', async () => {
  const failing = (at: number) => {
    const camera = restlessCamera();
    const shoot = () => (camera.asked + 1 === at ? Promise.reject(new Error(`shot ${at}`)) : camera.shoot());
    return { shoot, redraw: noRedraw };
  };
  await expect(takeFinalShot(failing(1), never, deadlineOf(5000))).rejects.toThrow('shot 1');
  await expect(takeFinalShot(failing(2), never, deadlineOf(5000))).rejects.toThrow('shot 2');
});

test('what comes and goes at a known pace is seen, whatever the moment of the first image', async () => {
  const period = 300;
  const phases = [0, 60, 120, 180, 240].map(async (phase) => {
    const start = performance.now() - phase;
    const shoot = async () => Buffer.from(Math.floor((performance.now() - start) / period) % 2 === 0 ? 'on' : 'off');
    const timers = async (withinMs: number) => ({ aheadMs: withinMs, periodMs: period });
    return (await takeFinalShot({ shoot, redraw: noRedraw }, { ...never, timers }, deadlineOf(60_000))).kind;
  });
  expect(await Promise.all(phases)).toEqual(phases.map(() => 'unstable'));
});
