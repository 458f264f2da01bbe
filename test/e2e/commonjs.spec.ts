import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installFolder } from '../../scripts/install-package.mjs';
import { config, expect, html, root, SPEC, test } from './project.js';

const USE = `import { definePages, expect, test, type MatchBaselineOptions } from 'proofsheet';
import Reporter, { type ReporterOptions } from 'proofsheet/reporter';
import { createClient, ServiceClientError, type ServiceClient } from 'proofsheet/client';
definePages('pages.yaml');
const options: MatchBaselineOptions = { maxDiffPixels: 3 };
test('cart', async ({ page }) => expect(page).toMatchBaseline('cart', options));
export const client: ServiceClient = createClient({ baseUrl: 'http://127.0.0.1' });
export const made = [ServiceClientError, Reporter, {} satisfies ReporterOptions];
// @ts-expect-error the types are not any
export const wrong: number = definePages(1);
// @ts-expect-error nor are the types that come from schemas
export const text: MatchBaselineOptions = { maxDiffPixels: '3' };
// @ts-expect-error a key that is not known
export const unknown: MatchBaselineOptions = { maxDifPixels: 3 };
// @ts-expect-error a field of a request
export const page = client.analyze({ url: 1 });
export const score: Promise<number | undefined> = client
  .analyze({ url: 'http://127.0.0.1/', hide: ['.ad'] })
  .then(({ quality }) => quality?.readabilityScore);
`;

/** Playwright's own types need those of Node. */
const TYPES = join(root, 'node_modules', '@types');

// That each module system finds the types: attw, in `npm run check`.
test('TypeScript 5.6 reads the types of all entry points, without zod, and they are not any', async ({ project }) => {
  expect(existsSync(join(installFolder('current'), 'node_modules', 'zod'))).toBe(false);
  // The check of the package's types brings it along.
  const attw = createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json');
  const core = createRequire(attw).resolve('@arethetypeswrong/core');
  const compiler = createRequire(core).resolve('typescript/package.json');
  const { version }: { version: string } = createRequire(core)('typescript/package.json');
  expect(version).toMatch(/^5\.6\./);
  const tsc = createRequire(compiler).resolve('typescript/bin/tsc');

  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2023', 'dom'], module: 'nodenext', types: ['node'], typeRoots: [TYPES] },
    ...{ strict: true, noEmit: true, skipLibCheck: false },
  };
  project.write({
    ...{ 'use.mts': USE, 'use.cts': USE, 'package.json': '{ "private": true }' },
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['use.cts', 'use.mts'] }),
  });
  const run = promisify(execFile)(process.execPath, [tsc, '-p', project.folder]);
  expect((await run.catch((error) => error)).stdout).toBe('');
});

test('a CommonJS project runs a page list, and specs in TypeScript and JavaScript can require the package', async ({
  project,
  site,
}) => {
  site.write({ 'index.html': html('<h1>Welcome</h1>') });
  project.write({
    // Without "type", it is CommonJS.
    'package.json': '{ "private": true }',
    'playwright.config.ts': config(),
    'visual.spec.ts': SPEC,
    'pages.yaml': `baseURL: ${site.url}\npages: [/]\n`,
    'plain.spec.ts': `const { test, expect } = require('proofsheet');
test('an ES module is loaded by require', async ({ page }) => {
  await page.setContent('<h1>Cart</h1>');
  await expect(page).toMatchBaseline('cart');
});
`,
    'script.spec.js': "const { definePages } = require('proofsheet');\ndefinePages('script.yaml');\n",
    'script.yaml': `baseURL: ${site.url}\npages: [{ name: script, url: / }]\n`,
  });
  expect(await project.test(['--update-snapshots'])).toExit(0);
  expect(project.statuses()).toEqual(['index: new', 'plain/cart: new', 'script: new']);
});
