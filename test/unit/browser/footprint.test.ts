import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { watchFootprint } from '../../../src/browser/footprint.js';

/** A page and its context, as far as they are watched. */
function watched() {
  const context = new EventEmitter();
  const page = new EventEmitter();
  const footprint = Reflect.apply(watchFootprint, null, [context, page]);
  page.emit('framenavigated', { url: () => 'http://127.0.0.1/a' });
  return { context, footprint };
}

const request = (url: string) => ({ url: () => url, resourceType: () => 'document' });

test('an answer that is told late is waited for', async () => {
  const { context, footprint } = watched();
  const document = request('http://127.0.0.1/a');
  context.emit('request', document);
  let isAnswered = false;
  const answered = footprint.answered().then(() => {
    isAnswered = true;
  });
  await Promise.resolve();
  expect([isAnswered, footprint.origin()]).toEqual([false, null]);
  context.emit('requestfinished', document);
  await answered;
  expect(footprint.origin()).toBe('http://127.0.0.1');
});

test('every answer has to be told, one that failed as well; where all are, nobody waits', async () => {
  const { context, footprint } = watched();
  await footprint.answered();
  const [one, other] = [request('http://127.0.0.1/1'), request('http://127.0.0.1/2')];
  context.emit('request', one);
  context.emit('request', other);
  let isAnswered = false;
  const answered = footprint.answered().then(() => {
    isAnswered = true;
  });
  context.emit('requestfailed', one);
  await Promise.resolve();
  await Promise.resolve();
  expect(isAnswered).toBe(false);
  context.emit('requestfinished', other);
  await answered;
  expect(footprint.origin()).toBe('http://127.0.0.1');
});
