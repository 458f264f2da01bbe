import type { Page } from '@playwright/test';

/**
 * Sends headers with every request to one origin, and with no other.
 *
 * Chromium is asked by its own protocol: headers that Playwright's routes add go along with a redirect to another host.
 */
export async function sendHeaders(
  page: Page,
  origin: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (Object.keys(headers).length === 0) return;
  if (page.context().browser()?.browserType().name() === 'chromium') await sendByProtocol(page, origin, headers);
  else await sendByRoute(page, origin, headers);
}

async function sendByProtocol(page: Page, origin: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    // The pattern is a text with jokers, the origin is not: it is looked at again.
    const own = originOf(request.url) === origin;
    const all = own ? { headers: toEntries({ ...request.headers, ...headers }) } : {};
    // A page that is closed meanwhile needs no answer.
    session.send('Fetch.continueRequest', { requestId, ...all }).catch(() => {});
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*`, requestStage: 'Request' }] });
}

/** What a redirect leads to is asked for by the page again, so that it goes through here again. */
async function sendByRoute(page: Page, origin: string, headers: Readonly<Record<string, string>>): Promise<void> {
  await page.route(
    (url) => url.origin === origin,
    async (route) => {
      const request = route.request();
      const response = await route.fetch({ headers: { ...request.headers(), ...headers }, maxRedirects: 0 });
      await route.fulfill({ response });
    },
  );
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

function toEntries(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
