/** A folder that the run serves. */
export interface ServedFolder {
  /** Absolute path. */
  readonly folder: string;
  /** Path of its files on the server, with a slash at both ends. */
  readonly base: string;
  /** The file that answers for every page without a file, relative to the folder; null: none. */
  readonly fallback: string | null;
}
