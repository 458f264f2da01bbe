import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, mkdirSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the workers of a run found out for each other: JSON values of one type. */
export interface RunNotes<T> {
  /** Returns the value that a worker noted under a key; undefined if there is none. */
  read(key: string): T | undefined;
  /** Notes a value for the other workers. A note that cannot be written is left out. */
  write(key: string, value: T): void;
}

/**
 * Opens the notes of a run. Each worker appends to a file of its own, and reads those of the others as they grow: a run has hundreds of
 * notes, and some file systems need much time to create that many files.
 *
 * @param folder - the folder that the workers of the run share
 */
export function openRunNotes<T>(folder: string): RunNotes<T> {
  const home = join(folder, 'notes');
  const own = join(home, `${process.pid}-${randomUUID()}`);
  let file: number | null = null;
  const notes = new Map<string, T>();
  /** Bytes that were read of each file. */
  const offsets = new Map<string, number>();
  const refresh = () => {
    for (const path of listFiles(home)) {
      if (path === own) continue;
      const { lines, end } = readLines(path, offsets.get(path) ?? 0);
      offsets.set(path, end);
      for (const { key, value } of lines.flatMap(parseNote<T>)) notes.set(key, value);
    }
  };
  return {
    read(key) {
      if (!notes.has(key)) refresh();
      return notes.get(key);
    },
    write(key, value) {
      const line = `${JSON.stringify([key, value])}\n`;
      try {
        if (file === null) mkdirSync(home, { recursive: true });
        // Open until the process ends: to open it for each note would take longer than to write.
        file ??= openSync(own, 'a');
        appendFileSync(file, line);
      } catch {
        // The other workers find it out themselves.
      }
    },
  };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Reads the complete lines of a file from an offset. Another worker may be writing the last line. */
function readLines(path: string, offset: number): { readonly lines: readonly string[]; readonly end: number } {
  try {
    const size = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) - offset;
    if (size <= 0) return { lines: [], end: offset };
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(size);
      const whole = bytes.subarray(0, readSync(file, bytes, 0, size, offset)).lastIndexOf('\n') + 1;
      return { lines: bytes.toString('utf8', 0, whole).split('\n').slice(0, -1), end: offset + whole };
    } finally {
      closeSync(file);
    }
  } catch {
    return { lines: [], end: offset };
  }
}

function parseNote<T>(line: string): { key: string; value: T }[] {
  try {
    const [key, value]: [string, T] = JSON.parse(line);
    return [{ key, value }];
  } catch {
    return [];
  }
}
