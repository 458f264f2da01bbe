import { z } from 'zod';

/** A server that answers as OpenAI's does, and what it is asked by. */
export interface LanguageModel {
  /** The address that `/chat/completions` is below: https://api.openai.com/v1 */
  readonly url: string;
  readonly model: string;
  /** Null: the server asks for none. */
  readonly key: string | null;
  readonly timeoutMs: number;
}

/** What is given of a page to a language model. */
export interface PageToSummarize {
  readonly url: string;
  readonly text: string;
  /** Null: there is none that a model can be shown. */
  readonly image: { readonly bytes: Buffer; readonly type: 'image/png' | 'image/jpeg' | 'image/webp' } | null;
}

/** What came of a summary. */
export type Summary =
  | { readonly kind: 'written'; readonly text: string; readonly saw: 'text and screenshot' | 'text' }
  | { readonly kind: 'failed'; readonly why: string };

/** Checks an answer, as far as it is read: servers that are like OpenAI's differ in the rest. */
export const completionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
});
