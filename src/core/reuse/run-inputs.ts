import type { RunNotes } from '../../baselines/run-notes.js';
import type { Fetched, InputRequest, PageInput } from '../../model/reuse.js';
import { comparable, fromServer, type InputFetcher, type KnownResponse } from './fetch-input.js';
import { hashOf, identityOf } from './key.js';
import type { SeenInput } from './page-inputs.js';

/** The inputs of pages in one run. Each request is sent once per run, by the first worker that needs it. */
export interface RunInputs {
  /** Returns the current digests of known inputs, in their order; null where a response is not known. */
  readDigests(inputs: readonly PageInput[]): Promise<(string | null)[]>;
  /** Fetches what a captured page has loaded, and checks that the browser received the same. */
  describe(seen: readonly SeenInput[]): Promise<DescribedInputs>;
}

/** The inputs of a captured page with their digests, or why the page cannot be reused. */
export type DescribedInputs =
  | { readonly kind: 'known'; readonly inputs: readonly PageInput[]; readonly uses: readonly string[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The digest of a request without a connection. */
const NO_CONNECTION = 'no connection';

/** Creates the inputs of a run. @param notes - what its workers share */
export function createRunInputs(fetcher: InputFetcher, notes: RunNotes<Fetched>): RunInputs {
  const sent = new Map<string, Promise<Fetched>>();
  const fetchOnce = (name: string, request: InputRequest, known: KnownResponse | null) => {
    const key = `${name} ${identityOf(request)}`;
    const earlier = sent.get(key) ?? fetchShared(notes, hashOf(key), () => fetcher.fetch(request, known));
    sent.set(key, earlier);
    return earlier;
  };
  const describeOne = async ({ request, received }: SeenInput): Promise<DescribedInput | string> => {
    const fetched = await fetchOnce('input', request, null);
    const { url } = request;
    if (fetched.kind === 'unknown') return `${url} cannot be fetched without a browser (${fetched.why})`;
    if (fetched.kind === 'failed' || received === null) {
      const isSame = fetched.kind === 'failed' && received === null;
      return isSame
        ? { input: { ...request, digest: NO_CONNECTION, etag: null }, uses: [] }
        : `${url} can be reached ${received === null ? 'only without' : 'only by'} the browser`;
    }
    if (fetched.obstacle !== null) return `the response of ${url} ${fetched.obstacle}`;
    const difference = differenceOf(received, fetched);
    if (difference !== null) return `the browser received another response of ${url} (${difference})`;
    if (!fetched.isIdentified) {
      const again = await fetchOnce('again', request, null);
      if (again.kind !== 'response' || again.digest !== fetched.digest) return `two responses of ${url} differ`;
    }
    return { input: { ...request, digest: fetched.digest, etag: fetched.etag }, uses: fetched.uses };
  };
  return {
    readDigests: (inputs) =>
      Promise.all(
        inputs.map(async (input) => {
          const { url, headers } = input;
          return digestOf(await fetchOnce('input', { url, headers }, knownOf(input)));
        }),
      ),
    async describe(seen) {
      const described = await Promise.all(seen.map(describeOne));
      const reason = described.find((one) => typeof one === 'string');
      if (reason !== undefined) return { kind: 'unknown', reason };
      const known = described.filter((one) => typeof one !== 'string');
      const uses = [...new Set(known.flatMap((one) => one.uses))].sort();
      return { kind: 'known', inputs: known.map(({ input }) => input), uses };
    },
  };
}

interface DescribedInput {
  readonly input: PageInput;
  readonly uses: readonly string[];
}

/** A document is always fetched as a whole: its headers can change while its content does not. */
function knownOf({ headers, etag, digest }: PageInput): KnownResponse | null {
  return etag === null || headers.accept?.startsWith('text/html') ? null : { etag, digest };
}

function digestOf(fetched: Fetched): string | null {
  switch (fetched.kind) {
    case 'response':
      return fetched.obstacle === null ? fetched.digest : null;
    case 'failed':
      return NO_CONNECTION;
    case 'unknown':
      return null;
    default:
      return fetched satisfies never;
  }
}

/** Returns the response that another worker of the run has fetched, or fetches it. */
async function fetchShared(notes: RunNotes<Fetched>, key: string, fetch: () => Promise<Fetched>): Promise<Fetched> {
  const noted = notes.read(key);
  if (noted) return noted;
  const fetched = await fetch();
  notes.write(key, fetched);
  return fetched;
}

/** Returns in what the response of the browser differs from that of Node; null if in nothing that counts. */
function differenceOf(
  received: NonNullable<SeenInput['received']>,
  fetched: Extract<Fetched, { kind: 'response' }>,
): string | null {
  const seen = fromServer(received);
  const sent = fromServer({ status: fetched.status, headers: fetched.headers ?? {} });
  if (seen.status !== sent.status) return `status ${received.status}, not ${fetched.status}`;
  const { 'content-encoding': seenEncoding = '', 'content-length': seenLength, ...seenRest } = comparable(seen.headers);
  if (fetched.headers === null) return seenRest.etag === fetched.etag ? null : 'etag';
  const { 'content-encoding': encoding = '', 'content-length': length, ...rest } = sent.headers;
  if (encoding === seenEncoding && length !== undefined && seenLength !== undefined && length !== seenLength)
    return 'content-length';
  const names = [...new Set([...Object.keys(rest), ...Object.keys(seenRest)])];
  return names.find((name) => weaken(rest[name]) !== weaken(seenRest[name])) ?? null;
}

/** A server may weaken an ETag when it compresses. */
function weaken(value: string | undefined): string | undefined {
  return value?.replace(/^W\//, '');
}
