import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findSystemBrowser, type Machine } from '../../../src/browser/find-browser.js';
import { type BrowserWish, chooseBrowser } from '../../../src/browser/launch.js';
import { ProofsheetError } from '../../../src/model/errors.js';

// Playwright reads it once, when it is loaded: nothing that is installed on this machine is seen here.
const { browsers } = await import('./own-browsers.js').catch(() => ({ browsers: '' }));
