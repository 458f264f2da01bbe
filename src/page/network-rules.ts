import { access, constants } from 'node:fs/promises';
import type { Page, Route } from '@playwright/test';
import { firstLineOf, type NetworkRules, ProofsheetError } from '../model/index.js';
import type { Network } from './network.js';

/**
 * Blocks requests of a page, and answers others, as the list says. If several rules match a request, `block` comes before `mock`, and `mock`
 * before `har`.
 *
 * @throws ProofsheetError `network-file` if a file of a rule cannot be read
 */
export async function applyNetworkRules(
  page: Page,
  network: Network,
  { block, mocks, har }: NetworkRules,
): Promise<void> {
  // Playwright asks the route first that was added last.
  if (har !== null) await page.routeFromHAR(har, { notFound: 'fallback' }).catch(refuse('har', har));
  for (const { pattern, status, headers, body, file } of mocks) {
    if (file !== null) await access(file, constants.R_OK).catch(refuse('mock', file));
    // Playwright takes the content type from the extension of a file.
    const content = file === null ? { body: body ?? '' } : { path: file };
    const answer = { status, headers: { ...OPEN_TO_ALL, ...headers }, ...content };
    await page.route(pattern, (route) => handle(route, network, () => route.fulfill(answer)));
  }
  for (const pattern of block)
    await page.route(pattern, (route) => handle(route, network, () => route.abort('blockedbyclient')));
}

/** A page may ask another origin for its data. */
const OPEN_TO_ALL = { 'access-control-allow-origin': '*' };

/** The page may be closed. */
async function handle(route: Route, network: Network, answer: () => Promise<void>): Promise<void> {
  network.exclude(route.request());
  await answer().catch(() => {});
}

function refuse(field: string, file: string): (cause: unknown) => never {
  return (cause) => {
    throw new ProofsheetError({
      code: 'network-file',
      where: file,
      found: `the file of \`${field}\` cannot be read (${firstLineOf(cause)})`,
      advice: 'Check the path, which is relative to the page list, and the content of the file.',
    });
  };
}
