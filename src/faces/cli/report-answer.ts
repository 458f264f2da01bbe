/** What is answered to a request. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

/** Makes an answer for the page's script. */
export function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** Makes an answer for a person. */
export function text(status: number, body: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body };
}
