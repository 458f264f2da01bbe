import type { Rectangle } from '../../model/image.js';
import type { ShotFieldsInput } from '../../model/list/page-list.js';
import type { CompareSettings } from '../../model/shot.js';
import { resolveSettings } from '../../page-list/resolve/resolve-shot.js';
import { readFields, readOptions } from '../../page-list/validate/check-options.js';

/**
 * Reads the fields of a page that is not in a list, by the rules for lists.
 *
 * @param where - the caller, for the message
 * @throws ProofsheetError `options-invalid` with the first problem
 */
export function readCaptureOptions(fields: object, where: string): ShotFieldsInput {
  return readFields(fields, where);
}

/** The limits of a comparison. */
export interface CompareOptions {
  readonly settings: CompareSettings;
  /** Areas that are not compared, in image pixels. */
  readonly ignore: readonly Rectangle[];
}

/**
 * Reads the options of a comparison by the rules for lists, and fills in the defaults.
 *
 * @param where - the caller, for the message
 * @throws ProofsheetError `options-invalid` with the first problem
 */
export function readCompareOptions(options: object, where: string): CompareOptions {
  const { compare, capture } = resolveSettings(readOptions(options, where));
  return { settings: compare, ignore: capture.ignore.areas };
}
