import { readFileSync } from 'node:fs';
import { messageOf, ProofsheetError } from '../model/errors.js';
import { renderFile } from './finding.js';

/** The text of a file, or why there is none. */
export type TextResult =
  | { readonly text: string; readonly error: null }
  | { readonly text: null; readonly error: ProofsheetError };

/** Reads a file as UTF-8, without its byte order mark. Throws nothing: what is in the way is an error `list-unreadable`. */
export function readText(file: string): TextResult {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)), error: null };
  } catch (cause) {
    return { text: null, error: unreadable(file, cause) };
  }
}

/** Makes the error for a page list in which nothing is written. */
export function emptyList(file: string): ProofsheetError {
  return refusal(file, 'the page list is empty', 'Write at least "pages:" and under it "- /".');
}

function unreadable(file: string, cause: unknown): ProofsheetError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ENOENT':
      return refusal(
        file,
        'there is no such page list',
        'Its path is relative to the spec that names it; correct it, or write the file.',
      );
    case 'EISDIR':
      return refusal(file, 'this is a folder, not a page list', 'Name the YAML file in it.');
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return refusal(file, 'this is not text in UTF-8', 'Is it a page list? Save it as UTF-8.');
    default:
      return refusal(
        file,
        `the page list cannot be read (${messageOf(cause)})`,
        'Look at the rights and the place of the file.',
      );
  }
}

function refusal(file: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError(
    { code: 'list-unreadable', where: renderFile(file), found, advice },
    { file, line: 1, column: 1 },
  );
}
