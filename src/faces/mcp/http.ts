import type { Service } from '../../core/service/service.js';
import type { AnswerMcp } from '../../model/serve-settings.js';
import type { Tell } from './answer.js';
import { createMcpServer, load } from './server.js';

/**
 * Offers the tools of a service over streamable HTTP. Each request is a conversation of its own: any instance can answer it,
 * and nothing is kept between two.
 */
export function createMcpHandler(service: Service, tell: Tell): AnswerMcp {
  return async (request, body, base) => {
    const { WebStandardStreamableHTTPServerTransport } = await load(
      () => import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    );
    const server = await createMcpServer({ service, base, audience: { tell, isOperator: false } });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      return await Promise.race([transport.handleRequest(request, { parsedBody: body }), gone(request.signal)]);
    } finally {
      // What is still under way for one who has gone ends with it.
      await server.close();
    }
  };
}

/** Nobody reads the answer to one who has gone. */
function gone(signal: AbortSignal): Promise<Response> {
  return new Promise((resolve) => {
    const leave = () => resolve(new Response(null, { status: 499 }));
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
  });
}
