/**
 * Gives a link to an image of the report, or null for anything else: a link out of a foreign report is text from outside.
 */
export function imageHref(link: string | null): string | null {
  if (link === null || !link.startsWith('screenshots/')) return null;
  const segments = link.split('/');
  // Half a surrogate pair cannot be encoded.
  if (/\p{Cs}/u.test(link) || segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return null;
  return segments.map(encodeURIComponent).join('/');
}

/** Gives a link to a page, or null for what is not http: a `javascript:` URL would run in the report. */
export function pageHref(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
