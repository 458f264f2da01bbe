import { parseUrl, type ShotRecord } from '../model/index.js';

/** Returns the distinct image links of a shot. Links of earlier attempts are last. */
export function linksOf({ attempts, ...shot }: ShotRecord): string[] {
  const images = [shot, ...attempts].flatMap(({ before, after, diff }) => [before, after, diff]);
  return [...new Set(images.flatMap((image) => image?.link ?? []))];
}

/**
 * Returns the relative URL of a report image; null for all other links, because the links of a report are untrusted. Published reports share
 * the folder of images beside them.
 */
export function imageHref(link: string | null): string | null {
  const [, shared = '', path = ''] = /^(\.\.\/)?(screenshots\/.+)$/s.exec(link ?? '') ?? [];
  const segments = path.split('/');
  // A lone surrogate cannot be encoded.
  if (segments.some((segment) => /^\.{0,2}$/.test(segment)) || /\p{Cs}/u.test(path)) return null;
  return shared + segments.map(encodeURIComponent).join('/');
}

/** Returns the URL of a page; null if it is not http or https, because a `javascript:` URL would run in the report. */
export function pageHref(url: string): string | null {
  const { protocol = '', href = '' } = parseUrl(url) ?? {};
  return /^https?:$/.test(protocol) ? href : null;
}
