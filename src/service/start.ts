import type { McpSession, McpSettings, RunningServer, ServeSettings } from './protocol/settings.js';

// Imported on demand: the command line starts without the service, its browser and its libraries.

/** Serves the capture service over HTTP. @throws ProofsheetError `command-invalid` if it cannot start with these settings */
export async function serve(settings: ServeSettings): Promise<RunningServer> {
  const http = await import('./http/serve.js');
  return http.serve(settings);
}

/** Starts the MCP server over standard input and output. @throws ProofsheetError `package-missing` */
export async function speakMcp(settings: McpSettings): Promise<McpSession> {
  const mcp = await import('./mcp/stdio.js');
  return mcp.speakMcp(settings);
}
