import type { ServiceError } from '../../model/service-response.js';
import { ServiceClientError } from './client-error.js';

/** What came back. */
export interface Sent {
  readonly status: number;
  readonly ok: boolean;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Reads an answer. @throws ServiceClientError where the service did not do what it was asked to */
export function readAnswer<Answer extends object>({ status, ok, text }: Sent): Answer {
  if (ok) return parse<Answer>(text) ?? refuse(status);
  const { message, code, details } = parse<Partial<ServiceError>>(text) ?? {};
  if (typeof message !== 'string' || typeof code !== 'string') return refuse(status);
  throw new ServiceClientError(message, { status, code, details: Array.isArray(details) ? details : [] });
}

/** Something that stands before the service may answer in its place. */
function refuse(status: number): never {
  const message = `the answer (HTTP ${status}) is none of the capture service's`;
  throw new ServiceClientError(message, { status, code: 'unreadable' });
}

function parse<T extends object>(text: string): T | null {
  try {
    const value: T = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
