import type { Extracted } from './embed-mark.js';

/**
 * Embeds a text as a comment behind the end of a PDF, and the end again behind it: readers look for that among the last
 * bytes, and a text may be long. Null when the file does not end as a PDF does.
 */
export function embedInPdf(bytes: Buffer, text: string): Buffer | null {
  const ending = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(bytes.toString('latin1', Math.max(0, bytes.length - LAST)));
  // As JSON it has no line breaks, which would end the comment.
  return (
    ending && Buffer.concat([bytes, Buffer.from(`${COMMENT}${JSON.stringify(text)}\nstartxref\n${ending[1]}\n%%EOF\n`)])
  );
}

/** Gives the text of our comment, and the file without it. */
export function extractFromPdf(bytes: Buffer): Extracted {
  const start = bytes.lastIndexOf(COMMENT);
  const ours =
    start < 0 ? null : /^\n%proofsheet ([^\n]*)\nstartxref\n\d+\n%%EOF\n$/.exec(bytes.toString('utf8', start));
  return ours ? { text: parseText(ours[1] ?? ''), bare: bytes.subarray(0, start) } : { text: null, bare: bytes };
}

const COMMENT = '\n%proofsheet ';
/** Among how many of the last bytes the end stands: PDF Reference 1.7, appendix H, note 18. */
const LAST = 1024;

function parseText(json: string): string | null {
  try {
    const text: unknown = JSON.parse(json);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}
