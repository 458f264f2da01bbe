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
