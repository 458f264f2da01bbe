#!/usr/bin/env node
import { main } from './faces/cli/main.js';
import type { PostComment } from './model/github.js';
import type { SpeakMcp } from './model/mcp-settings.js';
import type { Serve } from './model/serve-settings.js';

/** Loaded only where it is asked for. */
const serve: Serve = async (settings) => {
  const [http, mcp] = await Promise.all([import('./faces/http/serve.js'), import('./faces/mcp/http.js')]);
  return http.serve(settings, mcp.createMcpHandler);
};
const speakMcp: SpeakMcp = async (settings) => (await import('./faces/mcp/stdio.js')).speakMcp(settings);
const postComment: PostComment = async (...asked) => (await import('./faces/github/main.js')).postComment(...asked);

void main(process.argv.slice(2), { serve, speakMcp, postComment });
