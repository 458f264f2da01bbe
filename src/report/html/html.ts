/** Markup that was made here, as against text from outside. */
export interface Html {
  readonly html: string;
}

/** What may stand in markup: text and numbers are escaped, null is nothing. */
export type Content = string | number | null | Html | readonly Html[];

/** Makes markup: everything that is put into the template is escaped, but for what a template made. */
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

/** Escapes for text and for quoted attributes; every attribute here is quoted. Control characters are not for HTML. */
function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/**
 * Returns a link to an image of the report, or null for anything else: a link out of a foreign report is text from outside.
 */
export function imageHref(link: string | null): string | null {
  if (link === null || !link.startsWith('screenshots/')) return null;
  const segments = link.split('/');
  // Half a surrogate pair cannot be encoded.
  if (/\p{Cs}/u.test(link) || segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return null;
  return segments.map(encodeURIComponent).join('/');
}

/** Returns a link to a page, or null for what is not http: a `javascript:` URL would run in the report. */
export function pageHref(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
