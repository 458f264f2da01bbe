import { messageOf, ProofsheetError } from '../../model/index.js';
import type { Measured, PageContent } from '../protocol/analyze.js';

/** Fetches a link under the same address policy as the page. */
export type FetchPage = (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;

/** Limits: number of links, parallel requests, milliseconds per link and for all links. */
const LIMITS: LinkLimits = { links: 50, atOnce: 6, eachMs: 8_000, allMs: 15_000 };

interface LinkLimits {
  readonly links: number;
  readonly atOnce: number;
  readonly eachMs: number;
  readonly allMs: number;
}

/** Statuses of working links that need a login, another method, or fewer requests. */
const RESTRICTED: readonly number[] = [401, 403, 405, 407, 429, 451, 999];

/**
 * Requests the first links of a page and returns the broken ones. Does not follow redirects: they count as working. Links that the
 * address policy refuses, and links that time out, count as unchecked.
 */
export async function checkLinks(
  { total, first }: PageContent['links'],
  fetchPage: FetchPage,
  signal: AbortSignal,
  limits: LinkLimits = LIMITS,
): Promise<NonNullable<Measured['links']>> {
  const waiting = first.slice(0, limits.links);
  // Keep a reference to the timeout signal: Node collects one that only AbortSignal.any() references
  // (https://github.com/nodejs/node/issues/57736).
  const timeout = AbortSignal.timeout(limits.allMs);
  const isOver = () => signal.aborted || timeout.aborted;
  const found: { url: string; why: string | null }[] = [];
  const checkNext = async () => {
    for (let url = waiting.shift(); url !== undefined && !isOver(); url = waiting.shift()) {
      const checked = await checkLink(url, fetchPage, [signal, timeout, AbortSignal.timeout(limits.eachMs)]);
      if (checked !== 'unchecked') found.push({ url, why: checked.why });
    }
  };
  await Promise.all(Array.from({ length: limits.atOnce }, checkNext));
  const broken = found.flatMap(({ url, why }) => (why === null ? [] : [{ url, why }]));
  // Sort by the order in the page.
  broken.sort((a, b) => first.indexOf(a.url) - first.indexOf(b.url));
  return { found: total, checked: found.length, broken };
}

async function checkLink(
  url: string,
  fetchPage: FetchPage,
  signals: readonly AbortSignal[],
): Promise<{ readonly why: string | null } | 'unchecked'> {
  try {
    const { status, body } = await fetchPage(url, { signal: AbortSignal.any([...signals]) });
    await body?.cancel().catch(messageOf);
    return { why: status < 400 || RESTRICTED.includes(status) ? null : String(status) };
  } catch (error) {
    const reason = reasonOf(error);
    return signals.some(({ aborted }) => aborted) || reason === null ? 'unchecked' : { why: reason };
  }
}

/** Returns the network error of a link; null for other errors, such as a refused address, which do not mean a broken link. */
function reasonOf(error: unknown): string | null {
  if (error instanceof ProofsheetError) return error.code === 'page-unreachable' ? error.problem.found : null;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return BROKEN[code] ?? null;
}

const BROKEN: Readonly<Record<string, string>> = {
  ENOTFOUND: 'host not found',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  CERT_HAS_EXPIRED: 'certificate expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
};
