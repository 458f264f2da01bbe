import { describe, expect, test } from 'vitest';
import { createQueue } from '../../../src/service/service.js';

/** A work that goes on until it is ended. */
function createWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = false;
  return {
    begun: () => begun,
    end: () => end(),
    do: async () => {
      begun = true;
      await ended;
      return 'done';
    },
  };
}

const never = new AbortController().signal;

/** Lets everything happen that only waits for its turn. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function fill(places: number, length: number, count: number, signal = never) {
  const queue = createQueue(places, length);
  const works = Array.from({ length: count }, createWork);
  const ends = works.map((work) => queue.run(signal, work.do).catch((error: unknown) => error));
  return { queue, works, ends };
}

describe('a queue', () => {
  test('lets as many run as it has places, in the order in which they came', async () => {
    const { queue, works, ends } = fill(2, 2, 4);
    await settle();
    expect(works.map((work) => work.begun())).toEqual([true, true, false, false]);
    expect([queue.running(), queue.waiting()]).toEqual([2, 2]);
    works[0]?.end();
    await settle();
    expect(works.map((work) => work.begun())).toEqual([true, true, true, false]);
    for (const work of works) work.end();
    expect(await Promise.all(ends)).toEqual(['done', 'done', 'done', 'done']);
    await settle();
    expect([queue.running(), queue.waiting()]).toEqual([0, 0]);
  });

  test('refuses a request if the queue is full', async () => {
    const { works, ends } = fill(1, 1, 3);
    expect(await ends[2]).toMatchObject({ code: 'queue-full' });
    for (const work of works) work.end();
    expect(await Promise.all(ends.slice(0, 2))).toEqual(['done', 'done']);
    expect(works[2]?.begun()).toBe(false);
  });

  test('removes a waiting request whose caller goes away, and never starts its work', async () => {
    const { queue, works } = fill(1, 1, 1);
    const gone = new AbortController();
    const left = createWork();
    const leaving = queue.run(gone.signal, left.do).catch((error: unknown) => error);
    await settle();
    gone.abort(new Error('gone'));
    expect(await leaving).toMatchObject({ message: 'gone' });
    expect(queue.waiting()).toBe(0);
    works[0]?.end();
    await settle();
    expect([left.begun(), queue.running()]).toEqual([false, 0]);
  });

  test('rejects at once if the caller goes away during the work, and starts the next request when the work ends', async () => {
    const queue = createQueue(1, 1);
    const gone = new AbortController();
    const [left, next] = [createWork(), createWork()];
    const leaving = queue.run(gone.signal, left.do).catch((error: unknown) => error);
    const staying = queue.run(never, next.do);
    await settle();
    gone.abort(new Error('gone'));
    expect(await leaving).toMatchObject({ message: 'gone' });
    expect(next.begun()).toBe(false);
    left.end();
    await settle();
    expect(next.begun()).toBe(true);
    next.end();
    expect(await staying).toBe('done');
  });

  test('starts the next request after a failed one, or one whose caller has already gone away', async () => {
    const queue = createQueue(1, 1);
    const work = createWork();
    await expect(queue.run(AbortSignal.abort(new Error('gone')), work.do)).rejects.toThrow('gone');
    await expect(queue.run(never, () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
    expect(await queue.run(never, async () => 'done')).toBe('done');
    expect(work.begun()).toBe(false);
  });

  test('that is drained finishes running work, and refuses waiting and new requests', async () => {
    const { queue, works, ends } = fill(1, 1, 2);
    await settle();
    let isDrained = false;
    const draining = queue.drain().then(() => {
      isDrained = true;
    });
    expect(await ends[1]).toMatchObject({ code: 'service-ending' });
    await expect(queue.run(never, createWork().do)).rejects.toMatchObject({ code: 'service-ending' });
    expect(isDrained).toBe(false);
    works[0]?.end();
    await draining;
    expect(await ends[0]).toBe('done');
  });
});
