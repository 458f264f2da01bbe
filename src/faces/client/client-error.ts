import type { ServiceError } from '../../model/service-response.js';

/** A request that the capture service did not do. */
export class ServiceClientError extends Error {
  override readonly name = 'ServiceClientError';
  /** The HTTP status; null: there was no answer. */
  readonly status: number | null;
  /** What went wrong, for programs: a code of the service, `unreachable`, `timeout` or `unreadable`. */
  readonly code: string;
  /** One for each thing that is wrong; `where` names the field of a request. */
  readonly details: ServiceError['details'];

  constructor(
    message: string,
    {
      status,
      code,
      details = [],
      cause,
    }: Partial<Pick<ServiceError, 'details'>> & {
      readonly status: number | null;
      readonly code: string;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.details = details;
  }
}
