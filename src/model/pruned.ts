/** What became of baselines that no shot claims. Paths are relative to the config's folder. */
export interface Pruned {
  /** Those that are still there, and could be deleted. */
  readonly obsolete: readonly string[];
  readonly deleted: readonly string[];
  readonly kept: readonly { readonly path: string; readonly reason: string }[];
}
