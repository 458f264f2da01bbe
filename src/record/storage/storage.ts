/** What was put into a storage. */
export interface Stored {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Where the service keeps what it has captured, until its time is over. */
export interface Storage {
  /**
   * Keeps a file.
   *
   * @param link a link of `record/paths`: `screenshots/<host>/<uuid>/<epoch_millis>.<extension>`.
   * @throws ProofsheetError `storage-failed`
   */
  put(link: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Gives the file at a link; null: there is none, no more, or the link is none that was made here. */
  get(link: string): Promise<Stored | null>;
  /** Removes what was put in before a moment, milliseconds since 1970. */
  prune(before: number): Promise<void>;
}
