import type { Command } from 'commander';
import { ProofsheetError } from '../../model/errors.js';
import type { LanguageModel } from '../../model/language-model.js';
import { readBetween } from './serving.js';

/** The flags of a command that analyses pages, as they were typed. */
export interface LanguageModelFlags {
  readonly aiUrl?: string;
  readonly aiModel?: string;
  readonly aiTimeout: number;
  readonly cache: number;
}

/** Adds the flags that say what writes summaries. The key is never one: flags can be read by whoever lists processes. */
export function addLanguageModel(command: Command): Command {
  return command
    .option(
      '--ai-url <url>',
      "an OpenAI-compatible server's address, or PROOFSHEET_AI_URL: summaries are written by it",
    )
    .option('--ai-model <name>', 'its model, or PROOFSHEET_AI_MODEL; its key, if it wants one, in PROOFSHEET_AI_KEY')
    .option('--ai-timeout <seconds>', 'how long a summary may take', readBetween(1, 600), 30)
    .option(
      '--cache <seconds>',
      'how long an analysis is given again to who asks for the same',
      readBetween(0, 86_400),
      600,
    );
}

/**
 * Reads what writes summaries; null: nothing is set.
 *
 * @throws ProofsheetError `command-invalid` where only half of it is.
 */
export function readLanguageModel({ aiUrl, aiModel, aiTimeout }: LanguageModelFlags): LanguageModel | null {
  const { PROOFSHEET_AI_URL: url = '', PROOFSHEET_AI_MODEL: model = '', PROOFSHEET_AI_KEY: key = '' } = process.env;
  // It is not for what is launched from here.
  delete process.env.PROOFSHEET_AI_KEY;
  const [from, name] = [(aiUrl ?? url).trim().replace(/\/+$/, ''), (aiModel ?? model).trim()];
  if (from === '' && name === '') return null;
  if (!URL.canParse(from) || !/^https?:$/.test(new URL(from).protocol)) {
    throw invalid('PROOFSHEET_AI_URL', 'it is not a URL', 'Write it as https://api.openai.com/v1.');
  }
  if (name === '') throw invalid('PROOFSHEET_AI_MODEL', 'no model is named', 'Name one that the server has.');
  return { url: from, model: name, key: key.trim() || null, timeoutMs: aiTimeout * 1000 };
}

function invalid(where: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError({ code: 'command-invalid', where, found, advice });
}
