import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SERVICE_CALLS } from '../../model/service/requests.js';
import type { Call } from '../call-context.js';
import type { Service } from '../service.js';
import { type Audience, answerData, attempt } from './answer.js';

/** The service behind the tools. */
export interface ToolHost {
  readonly service: Service;
  /** URL prefix of capture links. */
  readonly base: string;
  readonly audience: Audience;
}

/** Maximum length of a document in a tool result, in characters. Longer documents fill the assistant's context. */
const MAX_HTML = 100_000;

/** Tool annotations: no side effects, but results depend on external pages. */
const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: true, destructiveHint: false };

/** Registers the calls of the capture service as tools with the same request schemas. */
export function offerServiceTools(server: McpServer, { service, base, audience }: ToolHost): void {
  const callOf = (signal: AbortSignal): Call => ({ signal, urlOf: (link) => `${base}${link}` });
  const read = async (name: string, link: string | null) => {
    const stored = link === null ? null : await service.storage.get(link.slice(base.length));
    return { name, bytes: stored?.bytes ?? null };
  };

  server.registerTool(
    'screenshot',
    {
      title: 'Capture a page',
      description:
        'Captures a web page as an image (png, jpeg, webp), a PDF or HTML, once it is stable: any size, the whole page, without cookie banners. Gives the image, and a link to it.',
      inputSchema: SERVICE_CALLS.screenshotV2.request,
      outputSchema: SERVICE_CALLS.screenshotV2.response,
      annotations: { title: 'Capture a page', ...READ_ONLY },
    },
    (request, { signal }) =>
      attempt(audience, async () => {
        const answer = await service.screenshot(request, callOf(signal));
        const isShown = request.format !== 'html' && request.format !== 'pdf';
        // The result contains the image as separate content.
        const data = { ...answer, image: null, html: cut(answer.html) };
        return answerData(data, isShown ? [await read('screenshot', answer.link)] : []);
      }),
  );

  server.registerTool(
    'compare',
    {
      title: 'Compare two pages',
      description:
        'Captures two web pages, or fetches two images, and compares them pixel by pixel: how much differs and where, whether content moved, and the images before, after and diff.',
      inputSchema: SERVICE_CALLS.compareV3.request,
      outputSchema: SERVICE_CALLS.compareV3.response,
      annotations: { title: 'Compare two pages', ...READ_ONLY },
    },
    (request, { signal }) =>
      attempt(audience, async () => {
        const answer = await service.compare(request, callOf(signal));
        const { before, after, diff } = answer;
        const images = [read('before', before.link), read('after', after.link)];
        if (diff) images.push(read('diff (what differs is marked)', diff.link));
        return answerData(answer, await Promise.all(images));
      }),
  );

  server.registerTool(
    'analyze',
    {
      title: 'Analyse a page',
      description:
        'Captures a web page and tells what is found on it: headings, metadata, topics; with enableQuality its HTTP status, captchas, readability, broken links and images, console errors, accessibility, weight and times; with enableSummary a summary by a language model.',
      inputSchema: SERVICE_CALLS.analyzeV3.request,
      outputSchema: SERVICE_CALLS.analyzeV3.response,
      annotations: { title: 'Analyse a page', ...READ_ONLY },
    },
    (request, { signal }) =>
      attempt(audience, async () => {
        const answer = await service.analyze(request, callOf(signal));
        const screenshot = { ...answer.screenshot, html: cut(answer.screenshot.html) };
        const isShown = request.format !== 'pdf';
        return answerData({ ...answer, screenshot }, isShown ? [await read('screenshot', screenshot.link)] : []);
      }),
  );
}

function cut(html: string | null): string | null {
  if (html === null || html.length <= MAX_HTML) return html;
  return `${html.slice(0, MAX_HTML)}\n<!-- cut off here: the whole document is at the link -->`;
}
