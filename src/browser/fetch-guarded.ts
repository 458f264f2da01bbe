import { request as askHttp, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import { addressesOfUrl, type Guard, lookupOf } from './guard.js';

/**
 * Fetches from an address that a guard has looked at. A redirect is not followed, and nothing is unpacked.
 *
 * @throws ProofsheetError `target-refused`, `page-unreachable`
 */
export async function fetchGuarded(guard: Guard, url: string, signal: AbortSignal): Promise<Response> {
  const addresses = await addressesOfUrl(guard, url);
  const ask = new URL(url).protocol === 'https:' ? askHttps : askHttp;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = ask(url, {
      signal,
      agent: false,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'proofsheet' },
      lookup: lookupOf(addresses),
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.once('close', () => reject(new Error('there was no answer')));
    request.end();
  });
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) => {
    return values.map((value): [string, string] => [name, value]);
  });
  return new Response(bodyOf(answer), { status: answer.statusCode ?? 0, headers });
}

/** An answer of these kinds has no body, and a `Response` that has one none of these. */
const BARE = [204, 205, 304];

function bodyOf(answer: IncomingMessage): ReadableStream | null {
  if (BARE.includes(answer.statusCode ?? 0)) {
    answer.resume();
    return null;
  }
  const chunks = answer[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void answer.destroy(),
  });
}
