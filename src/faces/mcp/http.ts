import type { Service } from '../../core/service/service.js';
import type { AnswerMcp } from '../../model/serve-settings.js';
import type { Tell } from './answer.js';
import { createMcpServer, load } from './server.js';

/**
 * Offers the tools of a service over streamable HTTP. Each request is a conversation of its own: any instance can answer it,
 * and nothing is kept between two.
 */
export function createMcpHandler(service: Service, tell: Tell): AnswerMcp {
  return async (request, base) => {
    const { WebStandardStreamableHTTPServerTransport } = await load(
      () => import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    );
    const server = await createMcpServer({ service, base, tell });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      return await Promise.race([transport.handleRequest(request), gone(request.signal)]);
    } finally {
      // What is still under way for one who has gone ends with it.
      await server.close();
    }
  };
}

function gone(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
