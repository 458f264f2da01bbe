#!/usr/bin/env node
import { main } from './faces/cli/main.js';

void main(process.argv.slice(2));
