/**
 * Quotes an argument for a POSIX shell; what needs no quotes has none, and is right in every other shell too. Null for what
 * cannot be typed: text that holds control characters, or that turns the direction of writing.
 */
export function quoteArgument(text: string): string | null {
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text)) return null;
  if (/^[\w./@=][\w./@=-]*$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
