import { ProofsheetError } from '../model/errors.js';

/** Gives a URL in its full form. @throws ProofsheetError `command-invalid` where it is none that a page can have */
export function checkUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).href;
  throw new ProofsheetError({
    code: 'command-invalid',
    where: url,
    found: 'it is no URL that begins with http:// or https://',
    advice: 'Write it as https://www.example.com/page.',
  });
}
