import { parseUrl } from '../../model/url.js';
/** Trusted markup, created by the `html` template. */
export interface Html {
  readonly html: string;
}

/** Values in a template. Text and numbers are escaped; null renders nothing. */
export type Content = string | number | null | Html | readonly Html[];

/** Renders a template. Escapes all values except markup that this function created. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { html: strings.map((string, index) => string + render(contents[index] ?? null)).join('') };
}

function render(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'string' || typeof content === 'number') return escapeHtml(String(content));
  return 'html' in content ? content.html : content.map((part) => part.html).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes for text and quoted attributes. Replaces control and bidirectional characters by U+FFFD. */
function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/**
 * Returns the relative URL of a report image; null for all other links, because the links of a report are untrusted.
 */
export function imageHref(link: string | null): string | null {
  if (link === null || !link.startsWith('screenshots/')) return null;
  const segments = link.split('/');
  // A lone surrogate cannot be encoded.
  if (/\p{Cs}/u.test(link) || segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return null;
  return segments.map(encodeURIComponent).join('/');
}

/** Returns the URL of a page; null if it is not http or https, because a `javascript:` URL would run in the report. */
export function pageHref(url: string): string | null {
  if (parseUrl(url) === null) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
