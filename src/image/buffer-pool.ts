/**
 * Lends memory for pixels. What is in it is whatever was. Whoever gives it back spares the next the pages of fresh memory,
 * which take several times as long as what is written to them.
 */
export function borrowBytes(length: number): Uint8Array<ArrayBuffer> {
  return lend(length, own, (room) => new ArrayBuffer(room));
}

/** Lends memory that another thread may write to as well: handed over and back instead, it has V8 collect garbage each time. */
export function borrowSharedBytes(length: number): Uint8Array<SharedArrayBuffer> {
  return lend(length, shared, (room) => new SharedArrayBuffer(room));
}

function lend<T extends ArrayBufferLike>(length: number, free: T[], allocate: (room: number) => T): Uint8Array<T> {
  const index = free.findIndex(({ byteLength }) => byteLength >= length && byteLength <= MOST_TOO_LARGE * length);
  const [buffer] = index < 0 ? [] : free.splice(index, 1);
  if (buffer) return new Uint8Array(buffer, 0, length);
  // What was too small for this would lie about beside it.
  free.pop();
  return new Uint8Array(allocate(roomFor(length)), 0, length);
}

/** Up to an eighth more, so that the next pair fits that is a few rows taller; what is not written to takes no memory. */
function roomFor(length: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, length))) - 3);
  return Math.ceil(length / step) * step;
}

/** Lends memory that is all zeros. */
export function borrowZeros(length: number): Uint8Array<ArrayBuffer> {
  return borrowBytes(length).fill(0);
}

/** Takes memory back at which nobody will look again; it is kept for the next, but neither much of it nor for long. */
export function returnBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) keep(buffer, own);
  else keep(buffer, shared);
}

function keep<T extends ArrayBufferLike>(buffer: T, free: T[]): void {
  if (buffer.byteLength < LEAST_KEPT || free.includes(buffer)) return;
  const kept = [...own, ...shared].reduce((sum, { byteLength }) => sum + byteLength, buffer.byteLength);
  if (kept > MOST_KEPT) return;
  free.push(buffer);
  free.sort((a, b) => a.byteLength - b.byteLength);
  timer ??= setTimeout(forget, KEPT_MS).unref();
  timer.refresh();
}

function forget(): void {
  own.length = 0;
  shared.length = 0;
}

/** What nobody has, from the smallest to the largest. */
const own: ArrayBuffer[] = [];
const shared: SharedArrayBuffer[] = [];
let timer: NodeJS.Timeout | null = null;

/** How many times as much as is wanted may be lent. */
const MOST_TOO_LARGE = 4;

/** Of less than that, Node itself uses what it has. */
const LEAST_KEPT = 1 << 20;

/** Two images of 1280x40000, and what is painted of them. */
const MOST_KEPT = 720 << 20;

/** Between two comparisons of a run. */
const KEPT_MS = 5000;
