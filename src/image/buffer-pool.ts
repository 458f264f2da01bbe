/**
 * Returns a buffer for pixels from the pool. Its content is undefined. Return it with {@link returnBytes}: faulting in fresh
 * memory pages takes several times as long as writing to them.
 */
export function borrowBytes(length: number): Uint8Array<ArrayBuffer> {
  return borrow(length, freeBuffers, (capacity) => new ArrayBuffer(capacity));
}

/**
 * Returns a pooled buffer that another thread can also write to. Transferring a buffer back and forth instead would trigger a
 * V8 garbage collection each time.
 */
export function borrowSharedBytes(length: number): Uint8Array<SharedArrayBuffer> {
  return borrow(length, freeSharedBuffers, (capacity) => new SharedArrayBuffer(capacity));
}

function borrow<T extends ArrayBufferLike>(
  length: number,
  free: T[],
  allocate: (capacity: number) => T,
): Uint8Array<T> {
  const index = free.findIndex(({ byteLength }) => byteLength >= length && byteLength <= MAX_SIZE_FACTOR * length);
  const [buffer] = index < 0 ? [] : free.splice(index, 1);
  if (buffer) return new Uint8Array(buffer, 0, length);
  // Frees the largest buffer of the pool, which did not fit. It would only occupy memory.
  free.pop();
  return new Uint8Array(allocate(capacityFor(length)), 0, length);
}

/** Adds up to an eighth, so that a slightly taller next image fits. Pages that are not written to take no memory. */
function capacityFor(length: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, length))) - 3);
  return Math.ceil(length / step) * step;
}

/** Returns a pooled buffer that is filled with zeros. */
export function borrowZeros(length: number): Uint8Array<ArrayBuffer> {
  return borrowBytes(length).fill(0);
}

/** Returns a buffer to the pool. The caller must not use it again. The pool has a maximum size and is cleared after a while. */
export function returnBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) pool(buffer, freeBuffers);
  else pool(buffer, freeSharedBuffers);
}

function pool<T extends ArrayBufferLike>(buffer: T, free: T[]): void {
  if (buffer.byteLength < MIN_POOLED_BUFFER || free.includes(buffer)) return;
  const pooledBytes = [...freeBuffers, ...freeSharedBuffers].reduce(
    (sum, { byteLength }) => sum + byteLength,
    buffer.byteLength,
  );
  if (pooledBytes > MAX_POOLED_BYTES) return;
  free.push(buffer);
  free.sort((a, b) => a.byteLength - b.byteLength);
  timer ??= setTimeout(clearPool, POOLED_MS).unref();
  timer.refresh();
}

function clearPool(): void {
  freeBuffers.length = 0;
  freeSharedBuffers.length = 0;
}

/** Free buffers, in ascending order of size. */
const freeBuffers: ArrayBuffer[] = [];
const freeSharedBuffers: SharedArrayBuffer[] = [];
let timer: NodeJS.Timeout | null = null;

/** A pooled buffer may be this many times as large as requested. */
const MAX_SIZE_FACTOR = 4;

/** In bytes. Smaller allocations are reused by Node itself. */
const MIN_POOLED_BUFFER = 1 << 20;

/** In bytes: two images of 1280x40000, and their diff image. */
const MAX_POOLED_BYTES = 720 << 20;

/** Covers the time between two comparisons of a run. */
const POOLED_MS = 5000;
