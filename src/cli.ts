#!/usr/bin/env node
import { main } from './faces/cli/main.js';
import { main as comment } from './faces/github/main.js';
import type { Serve } from './model/serve-settings.js';

/** Loaded only where it is asked for. */
const serve: Serve = async (settings) => (await import('./faces/http/serve.js')).serve(settings);

const [command, ...rest] = process.argv.slice(2);
void (command === 'github-comment' ? comment(rest) : main(process.argv.slice(2), { serve }));
