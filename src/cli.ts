#!/usr/bin/env node
import { main } from './faces/cli/main.js';
import { main as comment } from './faces/github/main.js';
import type { SpeakMcp } from './model/mcp-settings.js';
import type { Serve } from './model/serve-settings.js';

/** Loaded only where it is asked for. */
const serve: Serve = async (settings) => {
  const [http, mcp] = await Promise.all([import('./faces/http/serve.js'), import('./faces/mcp/http.js')]);
  return http.serve(settings, mcp.createMcpHandler);
};
const speakMcp: SpeakMcp = async (settings) => (await import('./faces/mcp/stdio.js')).speakMcp(settings);

const [command, ...rest] = process.argv.slice(2);
void (command === 'github-comment' ? comment(rest) : main(process.argv.slice(2), { serve, speakMcp }));
