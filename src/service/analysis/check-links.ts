import { messageOf, ProofsheetError } from '../../model/errors.js';
import type { Measured, PageContent } from '../../model/service/analyze.js';

/** How links are asked for: by the same rules as the page itself. */
export type FetchPage = (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;

/** How many links are asked for, how many of them at once, and for how long each and all of them. */
const MOST: LinkLimits = { links: 50, atOnce: 6, eachMs: 8_000, allMs: 15_000 };

interface LinkLimits {
  readonly links: number;
  readonly atOnce: number;
  readonly eachMs: number;
  readonly allMs: number;
}

/** A page that asks who is there, or to be asked less, is no broken link. */
const GUARDED: readonly number[] = [401, 403, 405, 407, 429, 451, 999];

/**
 * Asks for the first links of a page, and tells which are broken. A redirect is an answer: it is not followed. What may not
 * be fetched, or does not answer in time, was not checked.
 */
export async function checkLinks(
  { total, first }: PageContent['links'],
  fetchPage: FetchPage,
  signal: AbortSignal,
  most: LinkLimits = MOST,
): Promise<NonNullable<Measured['links']>> {
  const waiting = first.slice(0, most.links);
  // Held for as long as links are asked for: Node forgets a time limit that only another signal is made of
  // (https://github.com/nodejs/node/issues/57736).
  const late = AbortSignal.timeout(most.allMs);
  const isOver = () => signal.aborted || late.aborted;
  const found: { url: string; why: string | null }[] = [];
  const work = async () => {
    for (let url = waiting.shift(); url !== undefined && !isOver(); url = waiting.shift()) {
      const checked = await checkLink(url, fetchPage, [signal, late, AbortSignal.timeout(most.eachMs)]);
      if (checked !== 'unchecked') found.push({ url, why: checked.why });
    }
  };
  await Promise.all(Array.from({ length: most.atOnce }, work));
  const broken = found.flatMap(({ url, why }) => (why === null ? [] : [{ url, why }]));
  // In the order of the page, whichever answered first.
  broken.sort((a, b) => first.indexOf(a.url) - first.indexOf(b.url));
  return { found: total, checked: found.length, broken };
}

async function checkLink(
  url: string,
  fetchPage: FetchPage,
  ends: readonly AbortSignal[],
): Promise<{ readonly why: string | null } | 'unchecked'> {
  try {
    const { status, body } = await fetchPage(url, { signal: AbortSignal.any([...ends]) });
    // Nobody reads it.
    await body?.cancel().catch(messageOf);
    return { why: status < 400 || GUARDED.includes(status) ? null : String(status) };
  } catch (error) {
    const reason = reasonOf(error);
    return ends.some(({ aborted }) => aborted) || reason === null ? 'unchecked' : { why: reason };
  }
}

/** Only what the network itself says of a server, or of its name, is said of a link; what may not be fetched is not broken. */
function reasonOf(error: unknown): string | null {
  if (error instanceof ProofsheetError) return error.code === 'page-unreachable' ? error.problem.found : null;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return BROKEN[code] ?? null;
}

const BROKEN: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  ECONNREFUSED: 'nobody answers there',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
};
