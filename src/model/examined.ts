/** What was found out about one thing that a run needs. */
export interface Examined {
  readonly name: string;
  /** `warning`: it works, but not as it could; `problem`: a run cannot be right. */
  readonly state: 'ok' | 'warning' | 'problem';
  readonly found: string;
  /** What mends it; null: nothing has to be done. */
  readonly advice: string | null;
}
