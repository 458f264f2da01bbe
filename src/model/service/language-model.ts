import { z } from 'zod';

/** An OpenAI-compatible server, and how to call it. */
export interface LanguageModel {
  /** Base URL of `/chat/completions`: https://api.openai.com/v1 */
  readonly url: string;
  readonly model: string;
  /** API key; null: the server needs none. */
  readonly key: string | null;
  readonly timeoutMs: number;
}

/** The data of a page that is sent to a language model. */
export interface PageToSummarize {
  readonly url: string;
  readonly text: string;
  /** Null: there is no image that a model can read. */
  readonly image: { readonly bytes: Buffer; readonly type: 'image/png' | 'image/jpeg' | 'image/webp' } | null;
}

/** The result of a summary request. */
export type Summary =
  | { readonly kind: 'written'; readonly text: string; readonly saw: 'text and screenshot' | 'text' }
  | { readonly kind: 'failed'; readonly why: string };

/** Schema of the used part of a response. OpenAI-compatible servers differ in the other parts. */
export const completionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
});
