/** Hides user names and passwords in all URLs of a text: what is told of a page ends in reports and logs. */
export function withoutCredentials(text: string): string {
  return text.replace(/([a-z][a-z\d+.-]{0,30}:\/\/)[^\s/?#]+@/gi, '$1***@');
}
