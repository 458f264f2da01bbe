/** Answers that were given before, by what was asked. */
export interface AnswerCache<T> {
  /** Returns an answer that is not too old, else null. */
  get(question: string): T | null;
  put(question: string, answer: T): void;
}

/** What is kept, and how long. */
export interface CacheLimits {
  readonly ms: number;
  readonly answers: number;
  /** Of all answers, written as JSON. */
  readonly characters: number;
}

interface Kept {
  readonly text: string;
  readonly until: number;
}

/** Creates a cache in memory. Where there is no room, the answer that was asked for longest ago goes. */
export function createAnswerCache<T>(limits: CacheLimits, read: (value: unknown) => T, now = Date.now): AnswerCache<T> {
  const kept = new Map<string, Kept>();
  let characters = 0;
  const drop = (question: string) => {
    characters -= kept.get(question)?.text.length ?? 0;
    kept.delete(question);
  };
  const keep = (question: string, one: Kept) => {
    drop(question);
    kept.set(question, one);
    characters += one.text.length;
  };
  return {
    get(question) {
      const found = kept.get(question);
      if (!found) return null;
      if (found.until <= now()) {
        drop(question);
        return null;
      }
      // It goes to the end: the map's first is the one that was asked for longest ago.
      keep(question, found);
      return read(JSON.parse(found.text));
    },
    put(question, answer) {
      const text = JSON.stringify(answer);
      if (limits.ms <= 0 || text.length > limits.characters) return drop(question);
      keep(question, { text, until: now() + limits.ms });
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.answers && characters <= limits.characters) break;
        drop(oldest);
      }
    },
  };
}
