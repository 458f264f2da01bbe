import { ProofsheetError } from './errors.js';

/**
 * Parses a URL; returns null if it is not valid. Use it instead of `URL.canParse`, which Node 20 answers wrongly for Latin-1
 * characters such as "ü" once it has optimized the call.
 */
export function parseUrl(url: string, base?: string): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}

/** Returns a normalized URL. @throws ProofsheetError `command-invalid` if it is not an HTTP URL */
export function checkUrl(url: string): string {
  if (parseUrl(url) !== null && /^https?:$/.test(new URL(url).protocol)) return new URL(url).href;
  throw new ProofsheetError({
    code: 'command-invalid',
    where: url,
    found: 'this is not an http:// or https:// URL',
    advice: 'Use a URL such as https://www.example.com/page.',
  });
}
