/**
 * Gives how long to wait before another attempt: what the service said, in seconds or as a date, else ever longer.
 *
 * @param attempt how many there were before this one.
 */
export function retryAfterMs(header: string | null, attempt: number, now: number = Date.now()): number {
  const said = header?.trim() ?? '';
  if (/^\d+$/.test(said)) return Number(said) * 1000;
  const date = /^[a-z]{3}.* gmt$/i.test(said) ? Date.parse(said) : Number.NaN;
  return Number.isNaN(date) ? 500 * 2 ** attempt : Math.max(0, date - now);
}
