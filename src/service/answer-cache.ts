/** Caches responses by request. */
export interface AnswerCache<T> {
  /** Returns the cached answer; null if there is none or it has expired. */
  get(key: string): T | null;
  put(key: string, answer: T): void;
}

/** The limits of a cache: age in milliseconds, number of answers, total size. */
export interface CacheLimits {
  readonly ms: number;
  readonly answers: number;
  /** Total length of all answers as JSON. */
  readonly characters: number;
}

interface Entry {
  readonly text: string;
  readonly expiresAt: number;
}

/** Creates an in-memory cache that evicts the least recently used answer. */
export function createAnswerCache<T>(limits: CacheLimits, read: (value: unknown) => T, now = Date.now): AnswerCache<T> {
  const entries = new Map<string, Entry>();
  let characters = 0;
  const drop = (key: string) => {
    characters -= entries.get(key)?.text.length ?? 0;
    entries.delete(key);
  };
  const set = (key: string, entry: Entry) => {
    drop(key);
    entries.set(key, entry);
    characters += entry.text.length;
  };
  return {
    get(key) {
      const found = entries.get(key);
      if (!found) return null;
      if (found.expiresAt <= now()) {
        drop(key);
        return null;
      }
      // Move the entry to the end: the first entry of the map is the least recently used.
      set(key, found);
      return read(JSON.parse(found.text));
    },
    put(key, answer) {
      const text = JSON.stringify(answer);
      if (limits.ms <= 0 || text.length > limits.characters) return drop(key);
      set(key, { text, expiresAt: now() + limits.ms });
      for (const oldest of entries.keys()) {
        if (entries.size <= limits.answers && characters <= limits.characters) break;
        drop(oldest);
      }
    },
  };
}
