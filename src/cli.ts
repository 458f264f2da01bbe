#!/usr/bin/env node
import { main } from './faces/cli/main.js';
import { main as comment } from './faces/github/main.js';

const [command, ...rest] = process.argv.slice(2);
void (command === 'github-comment' ? comment(rest) : main(process.argv.slice(2)));
