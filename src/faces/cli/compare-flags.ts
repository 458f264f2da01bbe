import { ProofsheetError } from '../../model/errors.js';
import type { MatcherOptionsInput } from '../../model/page-list.js';
import { readOptions } from '../../plan/check-options.js';
import { numberOf, tellAsFlags } from './flags.js';

/** The flags that say where the line between alike and different runs, as they were typed. */
export interface LimitFlags {
  readonly threshold?: string;
  readonly maxDiffPixels?: string;
  readonly maxDiffPixelRatio?: string;
  readonly ignore?: readonly string[];
  readonly antialiasing?: string;
  readonly engine?: string;
}

const WHERE = 'proofsheet compare';

/** Reads them by the rules of the page list. @throws ProofsheetError `command-invalid` with the first thing that is wrong. */
export function readCompareFlags({ ignore = [], ...flags }: LimitFlags): MatcherOptionsInput {
  const values = Object.entries(flags).map(([name, value]) => [name, numberOf(value)]);
  const options = { ...Object.fromEntries(values), ignore: ignore.map(areaOf) };
  return tellAsFlags(() => readOptions(options, WHERE));
}

function areaOf(text: string) {
  const [x, y, width, height] = text.split(',').map(numberOf);
  if (/^\d+,\d+,[1-9]\d*,[1-9]\d*$/.test(text)) return { x, y, width, height };
  throw new ProofsheetError({
    code: 'command-invalid',
    where: WHERE,
    found: `--ignore must be x,y,width,height in pixels of the images, not ${JSON.stringify(text)}`,
    advice: 'Write it as --ignore 0,40,320,50, once for each rectangle.',
  });
}
