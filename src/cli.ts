#!/usr/bin/env node
import { main } from './commands/index.js';

void main(process.argv.slice(2));
