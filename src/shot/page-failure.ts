import { type EncodedImage, ProofsheetError } from '../model/index.js';

/** The error of a page that could not be captured, and what the page shows instead. */
export class PageFailure extends ProofsheetError {
  constructor(
    problem: ProofsheetError['problem'],
    readonly image: EncodedImage,
  ) {
    super(problem);
  }
}
