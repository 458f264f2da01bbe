import type { Stored } from '../../record/storage/storage.js';

/** Sent with everything: what is answered is what it says it is, and tells nobody where it was found. */
const ALWAYS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** Makes an answer for programs. */
export function answerJson(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return new Response(JSON.stringify(value), {
    status,
    headers: { ...ALWAYS, 'cache-control': 'no-store', ...type, ...headers },
  });
}

/** Makes an answer that is plain text. */
export function answerText(status: number, text: string, type = 'text/plain; charset=utf-8'): Response {
  return new Response(text, { status, headers: { ...ALWAYS, 'cache-control': 'no-store', 'content-type': type } });
}

/** Makes an answer that is a page of our own: it has a style, and nothing else. */
export function answerPage(page: string): Response {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
  const headers = { ...ALWAYS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  return new Response(page, { headers });
}

/** A document that was captured is a stranger's: it shows its text and its own style, runs nothing and asks for nothing. */
const STRANGER = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** Makes an answer of a file that was kept. */
export function answerFile({ bytes, contentType }: Stored): Response {
  // A browser's own viewer of PDFs does not work in a sandbox, and runs nothing of ours outside of one.
  const policy = contentType === 'application/pdf' ? {} : { 'content-security-policy': STRANGER };
  const headers = {
    ...ALWAYS,
    ...policy,
    'content-type': contentType,
    'cache-control': 'private, max-age=3600, immutable',
  };
  return new Response(new Uint8Array(bytes), { headers });
}
