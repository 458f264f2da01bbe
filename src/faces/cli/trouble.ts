import { messageOf, type Problem, ProofsheetError, renderProblem } from '../../model/errors.js';

/** What keeps a command from being done: in three parts, or, where nobody foresaw it, in one. */
export type Trouble = Problem | { readonly code: 'unforeseen'; readonly message: string };

/** Gives what an error tells of: several things at once, where it has gathered them. */
export function troubleIn(error: unknown): Trouble[] {
  if (error instanceof AggregateError) return error.errors.flatMap(troubleIn);
  return [error instanceof ProofsheetError ? error.problem : { code: 'unforeseen', message: messageOf(error) }];
}

/** Renders it in one line: `where: found. advice`. */
export function renderTrouble(trouble: Trouble): string {
  return 'message' in trouble ? trouble.message : renderProblem(trouble);
}
