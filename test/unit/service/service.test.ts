import { expect, test } from 'vitest';
import { createQueue } from '../../../src/service/service.js';

const NEVER = new AbortController().signal;

/** Lets everything happen that only waits for its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Gives a queue works that go on until they are ended. */
function fill(slots: number, length: number, signals: readonly AbortSignal[]) {
  const queue = createQueue(slots, length);
  const works = signals.map((signal) => {
    const work = { begun: false, end: () => {}, result: Promise.resolve<unknown>(null) };
    const ended = new Promise<string>((resolve) => {
      work.end = () => resolve('done');
    });
    const run = queue.run(signal, () => {
      work.begun = true;
      return ended;
    });
    work.result = run.catch((error: unknown) => error);
    return work;
  });
  return { queue, works, begun: () => works.map((work) => work.begun) };
}

test('a queue lets as many run as it has slots, in their order, and refuses one if it is full', async () => {
  const { queue, works, begun } = fill(2, 2, [NEVER, NEVER, NEVER, NEVER, NEVER]);
  await settle();
  expect(begun()).toEqual([true, true, false, false, false]);
  expect([queue.running(), queue.waiting()]).toEqual([2, 2]);
  expect(await works[4]?.result).toMatchObject({ code: 'queue-full' });
  works[0]?.end();
  await settle();
  expect(begun()).toEqual([true, true, true, false, false]);
  for (const work of works) work.end();
  expect(await Promise.all(works.slice(0, 4).map(({ result }) => result))).toEqual(['done', 'done', 'done', 'done']);
  await settle();
  expect([queue.running(), queue.waiting(), works[4]?.begun]).toEqual([0, 0, false]);
});

test('a queue removes a waiting request whose caller goes away, and never starts its work', async () => {
  const gone = new AbortController();
  const { queue, works, begun } = fill(1, 1, [NEVER, gone.signal]);
  await settle();
  gone.abort(new Error('gone'));
  expect(await works[1]?.result).toMatchObject({ message: 'gone' });
  expect(queue.waiting()).toBe(0);
  works[0]?.end();
  await settle();
  expect([begun(), queue.running()]).toEqual([[true, false], 0]);
});

test('a queue rejects at once if the caller goes away during the work, and starts the next request when the work ends', async () => {
  const gone = new AbortController();
  const { works, begun } = fill(1, 1, [gone.signal, NEVER]);
  await settle();
  gone.abort(new Error('gone'));
  expect(await works[0]?.result).toMatchObject({ message: 'gone' });
  expect(begun()).toEqual([true, false]);
  works[0]?.end();
  await settle();
  expect(begun()).toEqual([true, true]);
});

test('a queue starts the next request after a failed one, or one whose caller has already gone away', async () => {
  const { queue, works } = fill(1, 1, [AbortSignal.abort(new Error('gone'))]);
  expect(await works[0]?.result).toMatchObject({ message: 'gone' });
  await expect(queue.run(NEVER, () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  expect(await queue.run(NEVER, async () => 'done')).toBe('done');
  expect(works[0]?.begun).toBe(false);
});

test('a queue that is drained finishes running work, and refuses waiting and new requests', async () => {
  const { queue, works } = fill(1, 1, [NEVER, NEVER]);
  await settle();
  let isDrained = false;
  const draining = queue.drain().then(() => {
    isDrained = true;
  });
  expect(await works[1]?.result).toMatchObject({ code: 'service-ending' });
  await expect(queue.run(NEVER, async () => 'done')).rejects.toMatchObject({ code: 'service-ending' });
  expect(isDrained).toBe(false);
  works[0]?.end();
  await draining;
  expect(await works[0]?.result).toBe('done');
});
