import type { Size } from './image.js';

/** Formats an integer with thousands separators, independent of the locale: `10,240`. */
export function renderCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a count with a singular or plural noun: `1 shot`, `2 shots`. */
export function renderCountOf(count: number, noun: string): string {
  return `${renderCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Ends a text with exactly one full stop, unless it ends with `!` or `?`. */
export function endSentence(text: string): string {
  return /[!?]$/.test(text) ? text : `${text.replace(/[.\s]+$/, '')}.`;
}

/**
 * Formats a percentage with two decimals, or more if needed to show that it is not zero. Never rounds up to `100 %`.
 *
 * @param percentage 0..100
 */
export function renderPercentage(percentage: number): string {
  if (percentage === 0 || percentage === 100) return `${percentage} %`;
  if (percentage < 0.01) return `${percentage.toFixed(1 - Math.floor(Math.log10(percentage)))} %`;
  return `${Math.min(percentage, 99.99).toFixed(2)} %`;
}

/** Formats a number of pixels: `10,240 px`. */
export function renderPixels(count: number): string {
  return `${renderCount(count)} px`;
}

/** Formats a size: `1280x8000`. */
export function renderSize({ width, height }: Size): string {
  return `${width}x${height}`;
}

/** Formats a duration in ms below a second, in s below a minute, otherwise in min and s. */
export function renderDuration(durationMs: number): string {
  const rounded = Math.round(durationMs);
  if (rounded < 1000) return durationMs > 0 && rounded === 0 ? '1 ms' : `${rounded} ms`;
  const tenths = Math.round(durationMs / 100) / 10;
  if (tenths < 60) return `${tenths.toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${renderCount(Math.floor(seconds / 60))} min ${seconds % 60} s`;
}

/** Formats the first `max` names of a list: `a, b and 7 more`. */
export function listSome(names: readonly string[], max: number): string {
  const shown = names.slice(0, max).join(', ');
  return names.length > max ? `${shown} and ${renderCount(names.length - max)} more` : shown;
}

/** Hides user names and passwords in all URLs of a text, because texts of a page appear in reports and logs. */
export function withoutCredentials(text: string): string {
  return text.replace(/([a-z][a-z\d+.-]{0,30}:\/\/)[^\s/?#]+@/gi, '$1***@');
}

/** Checks whether a host is a loopback name or address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
