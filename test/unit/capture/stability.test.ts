import { expect, test } from 'vitest';
import { begin, type Effect, next, type StabilityEvent, type Step } from '../../../src/capture/stabilize/stability.js';

/**
 * A time, the event that happens then, and the effect that follows it. A row leaves out the wait for responses before a redraw, and
 * the last check for them before the end, if no response is pending.
 */
type Row = readonly [at: number, event: StabilityEvent, effect: Effect];

const bytesOf = (image: string) => Buffer.from(image);

// Events.
const respondedAfter = (waitedMs: number): StabilityEvent => ({ kind: 'responses', waitedMs });
const responded = respondedAfter(0);
const redrawn: StabilityEvent = { kind: 'redraw' };
const shot = (image: string, startedAt = 0, isExpected = false): StabilityEvent => ({
  ...{ kind: 'shot', bytes: bytesOf(image), isExpected, startedAt },
});
const baseline = (startedAt: number) => shot('baseline', startedAt, true);
const nothingPending: StabilityEvent = { kind: 'pending', isPending: false };
const stillPending: StabilityEvent = { kind: 'pending', isPending: true };
const required = (matches: number): StabilityEvent => ({ kind: 'required', matches });
const due = (aheadMs: number): StabilityEvent => ({ kind: 'timers', aheadMs });
const noneDue = due(0);
const skipped = (ms: number): StabilityEvent => ({ kind: 'skip', passedMs: ms, skippedMs: ms, isDrawn: true });

// Effects.
const SHOOT: Effect = { kind: 'shot' };
const RESPONSES: Effect = { kind: 'responses', patience: 'short' };
const ALL_RESPONSES: Effect = { kind: 'responses', patience: 'long' };
const REQUIRED: Effect = { kind: 'required' };
const pendingSince = (since: number): Effect => ({ kind: 'pending', since, patience: 'short' });
const anyPendingSince = (since: number): Effect => ({ kind: 'pending', since, patience: 'long' });
const redrawUntil = (until: number): Effect => ({ kind: 'redraw', until, skips: false });
/** A redraw while timers are due. */
const redrawBefore = (until: number): Effect => ({ kind: 'redraw', until, skips: true });
const skipOf = (ms: number): Effect => ({ kind: 'skip', ms });
const timersWithin = (repeatingMs: number, singleMs = repeatingMs): Effect => ({
  ...{ kind: 'timers', within: { singleMs, repeatingMs } },
});
const settled = (image: string, shots: number): Effect => ({
  ...{ kind: 'end', result: { kind: 'settled', bytes: bytesOf(image), shots } },
});
const unstable = (image: string, previous: string, shots: number): Effect => ({
  ...{ kind: 'end', result: { kind: 'unstable', bytes: bytesOf(image), previous: bytesOf(previous), shots } },
});

/** The start of a page without timers. */
const start = (repeatingMs = 2_500, singleMs = 5_000): readonly Row[] => [
  [0, responded, timersWithin(repeatingMs, singleMs)],
  [0, noneDue, SHOOT],
];

/** The first screenshot of a page that differs from its baseline. */
const firstShot = (image: string, matches = 2): readonly Row[] => [
  ...start(),
  [0, shot(image), REQUIRED],
  [0, required(matches), redrawUntil(100)],
];

/** A further screenshot at a time, and what follows it. */
const again = (at: number, image: string, effect: Effect): readonly Row[] => [
  [at, redrawn, timersWithin(2_500 - at)],
  [at, noneDue, SHOOT],
  [at, shot(image, at), effect],
];

const LIMITS = { startedAt: 0, remainingMs: 30_000, lateMs: 0, patience: 'short', hasRunTimers: false } as const;

interface Case {
  readonly what: string;
  readonly remainingMs?: number;
  readonly lateMs?: number;
  readonly rows: readonly Row[];
}

const CASES: readonly Case[] = [
  {
    what: 'one screenshot that equals the baseline is enough, and only the timers are read before it',
    rows: [...start(), [40, baseline(10), pendingSince(10)], [40, nothingPending, settled('baseline', 1)]],
  },
  {
    what: 'a baseline match with a pending response waits for it, without a redraw',
    rows: [
      ...start(),
      [40, baseline(10), pendingSince(10)],
      [40, stillPending, REQUIRED],
      [40, required(2), RESPONSES],
      [300, responded, timersWithin(2_200)],
      [300, noneDue, SHOOT],
      [340, baseline(300), pendingSince(300)],
      [340, nothingPending, settled('baseline', 2)],
    ],
  },
  {
    what: 'two baseline matches with a pending response are not stable, though they match',
    rows: [
      ...start(),
      [10, baseline(0), pendingSince(0)],
      [10, stillPending, REQUIRED],
      [10, required(2), RESPONSES],
      [20, responded, timersWithin(2_480)],
      [20, noneDue, SHOOT],
      [30, baseline(20), pendingSince(20)],
      [30, stillPending, RESPONSES],
    ],
  },
  {
    what: 'a match does not count while a response is pending, and the wait for it counts against no limit',
    rows: [
      ...firstShot('a'),
      ...again(100, 'a', anyPendingSince(100)),
      [110, stillPending, ALL_RESPONSES],
      [5_110, respondedAfter(5_000), redrawUntil(5_360)],
      [5_360, redrawn, timersWithin(2_140)],
      [5_360, noneDue, SHOOT],
      [5_370, shot('b', 5_360), ALL_RESPONSES],
      [5_370, responded, redrawUntil(5_870)],
      [5_870, redrawn, timersWithin(1_630)],
      [5_870, noneDue, SHOOT],
      [5_880, shot('b', 5_870), anyPendingSince(5_870)],
      [5_880, nothingPending, settled('b', 4)],
    ],
  },
  {
    what: 'two consecutive screenshots that match are stable',
    rows: [...firstShot('a'), ...again(100, 'a', settled('a', 2))],
  },
  {
    what: 'the pauses grow, then repeat',
    rows: [
      ...firstShot('a'),
      ...again(100, 'b', redrawUntil(350)),
      ...again(350, 'c', redrawUntil(850)),
      ...again(850, 'd', redrawUntil(1_180)),
      ...again(1_180, 'e', redrawUntil(1_350)),
      ...again(1_350, 'f', redrawUntil(1_740)),
      ...again(1_740, 'g', redrawUntil(2_030)),
      ...again(2_030, 'h', redrawUntil(2_530)),
    ],
  },
  {
    what: 'the same image with another one between is no match',
    rows: [
      ...firstShot('a'),
      ...again(100, 'b', redrawUntil(350)),
      ...again(350, 'a', redrawUntil(850)),
      ...again(850, 'a', settled('a', 4)),
    ],
  },
  {
    what: 'a page that may match by chance needs more matches, and has short pauses as long as all match',
    rows: [
      ...firstShot('a', 4),
      ...again(100, 'a', redrawUntil(200)),
      ...again(200, 'a', redrawUntil(300)),
      ...again(300, 'b', redrawUntil(630)),
      ...again(630, 'b', redrawUntil(800)),
      ...again(800, 'b', redrawUntil(1_190)),
      ...again(1_190, 'b', settled('b', 7)),
    ],
  },
  {
    what: 'a timer that is due delays a match, and shortens the pause',
    rows: [
      ...firstShot('a'),
      [100, redrawn, timersWithin(2_400)],
      [100, due(60), SHOOT],
      [100, shot('a', 100), redrawBefore(160)],
      [160, redrawn, timersWithin(2_340)],
      [160, noneDue, SHOOT],
      [160, shot('a', 160), settled('a', 3)],
    ],
  },
  {
    what: 'the timers that are due are skipped before the first screenshot, and the limits start after that',
    rows: [
      [0, responded, timersWithin(2_500, 5_000)],
      [0, due(4_020), skipOf(4_020)],
      [4_020, skipped(4_020), timersWithin(2_500)],
      [4_020, noneDue, SHOOT],
      [4_020, shot('a', 4_020), REQUIRED],
      [4_020, required(2), redrawUntil(4_120)],
      [4_120, redrawn, timersWithin(2_400)],
      [4_120, noneDue, SHOOT],
      [4_120, shot('a', 4_120), settled('a', 2)],
    ],
  },
  {
    what: 'if the time of the page cannot be skipped, its timers are awaited between the screenshots',
    rows: [
      [0, responded, timersWithin(2_500, 5_000)],
      [0, due(60), skipOf(60)],
      [0, skipped(0), SHOOT],
      [0, shot('a'), REQUIRED],
      [0, required(2), redrawBefore(60)],
      [60, redrawn, timersWithin(2_440)],
      [60, noneDue, SHOOT],
      [60, shot('a', 60), settled('a', 2)],
    ],
  },
  {
    what: 'timers are skipped at one stretch only once, and between screenshots after that',
    rows: [
      [0, responded, timersWithin(2_500, 5_000)],
      [0, due(2_500), skipOf(2_500)],
      [2_500, skipped(2_500), timersWithin(2_500)],
      [2_500, due(2_500), SHOOT],
      [2_500, shot('b', 2_500), REQUIRED],
      [2_500, required(2), redrawBefore(2_600)],
      [2_600, redrawn, timersWithin(2_400)],
      [2_600, due(2_400), SHOOT],
    ],
  },
  {
    what: 'timers are not skipped after a screenshot that equals the baseline',
    rows: [
      ...start(),
      [40, baseline(10), pendingSince(10)],
      [40, stillPending, REQUIRED],
      [40, required(2), RESPONSES],
      [300, responded, timersWithin(2_200)],
      [300, due(500), SHOOT],
    ],
  },
  {
    what: 'a page that had timers and changed needs six matches, and two seconds without a change',
    rows: [
      ...firstShot('a'),
      [100, redrawn, timersWithin(2_400)],
      [100, due(60), SHOOT],
      [100, shot('b', 100), redrawBefore(160)],
      ...again(160, 'b', redrawUntil(660)),
      ...again(660, 'b', redrawUntil(990)),
      ...again(990, 'b', redrawUntil(1_160)),
      ...again(1_160, 'b', redrawUntil(1_550)),
      ...again(1_550, 'b', redrawUntil(1_840)),
      ...again(1_840, 'b', redrawUntil(2_340)),
      ...again(2_340, 'b', settled('b', 9)),
    ],
  },
  {
    what: 'after the horizon, overdue timers are still awaited for 600 ms, and then none',
    rows: [
      ...firstShot('a'),
      [2_600, redrawn, timersWithin(0)],
      [2_600, due(20), SHOOT],
      [2_600, shot('a', 2_600), redrawBefore(2_620)],
      [3_100, redrawn, SHOOT],
      [3_100, shot('a', 3_100), settled('a', 3)],
    ],
  },
  {
    what: 'the horizon ends at half of the time until the deadline',
    remainingMs: 1_000,
    rows: [
      ...start(500, 500),
      [0, shot('a'), REQUIRED],
      [0, required(2), redrawUntil(100)],
      [100, redrawn, timersWithin(400)],
    ],
  },
  {
    what: '`late` replaces the horizon and extends the budget',
    lateMs: 4_000,
    rows: [
      ...start(4_000),
      [0, shot('a'), REQUIRED],
      [0, required(2), redrawUntil(100)],
      [100, redrawn, timersWithin(3_900)],
      [100, noneDue, SHOOT],
      [6_400, shot('b', 100), redrawUntil(6_650)],
      [6_450, redrawn, SHOOT],
      [6_451, shot('a', 6_450), redrawUntil(6_951)],
      [6_951, redrawn, SHOOT],
      [6_951, shot('b', 6_951), unstable('b', 'a', 4)],
    ],
  },
  {
    what: 'a longer `late` also replaces the time for which single timers are awaited',
    lateMs: 7_000,
    rows: start(7_000, 7_000),
  },
  {
    what: 'a page that repeats until the budget is spent is unstable, with the last two images',
    rows: [
      ...firstShot('a'),
      ...again(100, 'b', redrawUntil(350)),
      ...again(350, 'a', redrawUntil(850)),
      [5_001, redrawn, SHOOT],
      [5_001, shot('b', 5_001), unstable('b', 'a', 4)],
    ],
  },
  {
    what: 'a page whose images are all new is still making progress, until half of the time until the deadline',
    rows: [
      ...firstShot('a'),
      ...again(100, 'b', redrawUntil(350)),
      [5_001, redrawn, SHOOT],
      [5_001, shot('c', 5_001), redrawUntil(5_501)],
      [14_990, redrawn, SHOOT],
      [14_990, shot('d', 14_990), redrawUntil(15_320)],
      [15_320, redrawn, SHOOT],
      [15_320, shot('e', 15_320), unstable('e', 'd', 5)],
    ],
  },
  {
    what: 'a page that stops making progress is stable after two equal images, if it has no timers',
    rows: [
      ...firstShot('a'),
      ...again(100, 'b', redrawUntil(350)),
      [5_001, redrawn, SHOOT],
      [5_001, shot('c', 5_001), redrawUntil(5_501)],
      [5_501, redrawn, SHOOT],
      [5_501, shot('c', 5_501), settled('c', 4)],
    ],
  },
  {
    what: 'the budget is half of the time until the deadline',
    remainingMs: 1_200,
    rows: [
      ...start(600, 600),
      [0, shot('a'), REQUIRED],
      [0, required(2), redrawUntil(100)],
      [100, redrawn, timersWithin(500)],
      [100, noneDue, SHOOT],
      [600, shot('b', 100), redrawUntil(850)],
      [850, redrawn, timersWithin(0)],
      [850, noneDue, SHOOT],
      [850, shot('c', 850), unstable('c', 'b', 3)],
    ],
  },
  {
    what: 'a match with timers still due is stable when the budget is spent',
    rows: [
      ...firstShot('a'),
      [100, redrawn, timersWithin(2_400)],
      [100, due(2_400), SHOOT],
      [5_001, shot('a', 100), settled('a', 2)],
    ],
  },
  {
    what: 'a page with timers that changed is unstable with too few matches when its time is spent',
    remainingMs: 10_000,
    rows: [
      ...firstShot('a'),
      [100, redrawn, timersWithin(2_400)],
      [100, due(200), SHOOT],
      [100, shot('b', 100), redrawBefore(300)],
      [4_900, redrawn, SHOOT],
      [4_900, shot('b', 4_900), redrawUntil(5_400)],
      [5_400, redrawn, SHOOT],
      [5_400, shot('b', 5_400), unstable('b', 'a', 4)],
    ],
  },
  {
    what: 'a page that went back to an earlier state is unstable when the budget is spent, though the last images match',
    rows: [
      ...firstShot('a'),
      [100, redrawn, timersWithin(2_400)],
      [100, due(300), SHOOT],
      [100, shot('b', 100), redrawBefore(350)],
      [350, redrawn, timersWithin(2_150)],
      [350, due(300), SHOOT],
      [350, shot('a', 350), redrawBefore(650)],
      [5_400, redrawn, SHOOT],
      [5_400, shot('a', 5_400), unstable('a', 'b', 4)],
    ],
  },
];

function answerForNothingPending(step: Step, at: number): Step {
  const { kind } = step.effect;
  if (kind !== 'responses' && kind !== 'pending') return step;
  expect(step.effect.patience).toBe('long');
  return next(step.state, kind === 'responses' ? responded : nothingPending, at);
}

test.each(CASES)('$what', ({ remainingMs = 30_000, lateMs = 0, rows }) => {
  let step = begin({ ...LIMITS, remainingMs, lateMs });
  expect(step.effect).toEqual(RESPONSES);
  for (const [index, [at, event, effect]] of rows.entries()) {
    step = next(step.state, event, at);
    if (effect.kind !== step.effect.kind) step = answerForNothingPending(step, at);
    expect(step.effect, `row ${index + 1}, ${event.kind} at ${at}`).toEqual(effect);
  }
});

test('a fresh load waits for responses as long for an expected image as for any other', () => {
  const first = begin({ ...LIMITS, patience: 'long' });
  expect(first.effect).toEqual(ALL_RESPONSES);
  const taken = next(next(first.state, responded, 0).state, baseline(10), 40);
  expect(taken.effect).toEqual(anyPendingSince(10));
  const pending = next(next(taken.state, stillPending, 40).state, required(2), 40);
  expect(pending.effect).toEqual(ALL_RESPONSES);
});

test('if the timers must not run before the first screenshot, they are awaited after it', () => {
  const first = begin({ ...LIMITS, hasRunTimers: true });
  const read = next(first.state, responded, 0);
  expect(read.effect).toEqual(timersWithin(2_500));
  expect(next(read.state, due(1_000), 0).effect).toEqual(SHOOT);
});

test('`next` does not modify the state', () => {
  const { state } = begin(LIMITS);
  const [a, b] = ['a', 'b'].map((image) => next(state, shot(image), 0).state);
  expect(state.shots).toBe(0);
  expect([a?.assessed, b?.assessed]).toEqual([bytesOf('a'), bytesOf('b')]);
  expect(a?.seen).not.toEqual(b?.seen);
});

test('a pending event before the first screenshot is an error', () => {
  const { state } = begin(LIMITS);
  expect(() => next(state, nothingPending, 0)).toThrow('no screenshot was taken yet');
});
