/** Hides user names and passwords in all URLs of a text: what is told of a page ends in reports and logs. */
export function withoutCredentials(text: string): string {
  return text.replace(/([a-z][a-z\d+.-]{0,30}:\/\/)[^\s/?#]+@/gi, '$1***@');
}

/** Is this the name of an address that only this machine itself reaches? */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
