#!/usr/bin/env node
import { main } from './cli/main.js';
import type { Serve, SpeakMcp } from './model/service/settings.js';

/** Imported on demand, because other commands do not need the service. */
const serve: Serve = async (settings) => {
  const [http, mcp] = await Promise.all([import('./service/http/serve.js'), import('./service/mcp/server.js')]);
  return http.serve(settings, mcp.createMcpHandler);
};
const speakMcp: SpeakMcp = async (settings) => (await import('./service/mcp/stdio.js')).speakMcp(settings);

void main(process.argv.slice(2), { serve, speakMcp });
