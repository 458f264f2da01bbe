/**
 * Does something with a page, a context or a browser without telling reporters each single call of it: to tell one (a stack
 * trace, a step, two messages to the main process) costs more than most calls.
 *
 * It is Playwright's own way for what its test runner does by itself, and not among what it documents: where it is not
 * there, the calls are told.
 */
export async function callQuietly<T>(owner: object, work: () => Promise<T>): Promise<T> {
  const wrap: unknown = Reflect.get(owner, '_wrapApiCall');
  if (typeof wrap !== 'function') return work();
  // An error that went through it would get that function's name in front of its message.
  const ends: PromiseSettledResult<T>[] = [];
  const settle = async () => void ends.push(...(await Promise.allSettled([work()])));
  await Reflect.apply(wrap, owner, [settle, { internal: true }]);
  const [end] = ends;
  if (!end) throw new Error('Playwright did not do what it was asked to');
  if (end.status === 'rejected') throw end.reason;
  return end.value;
}
