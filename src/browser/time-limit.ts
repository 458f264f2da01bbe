/**
 * Waits for `work` for at most `ms` milliseconds, then ends as `onTimeout` does: with its value or its error. The work
 * itself is not canceled, and its later error is ignored.
 */
export async function withTimeLimit<T, U>(ms: number, work: Promise<T>, onTimeout: () => U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, expiry.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a number of milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
