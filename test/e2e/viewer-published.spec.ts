import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { serve } from '../../fixtures/serve.mjs';
import { startS3 } from '../unit/baselines/s3-server.js';
import { runCommand } from '../unit/commands/run-command.js';
import { type Report, test } from './report-page.js';

const NO_CI = { GITHUB_REF: '', GITHUB_SHA: '', GITHUB_REPOSITORY: '', CI_MERGE_REQUEST_IID: '', CI_COMMIT_SHA: '' };

/** Publishes a report. @returns what the command prints with `--json` */
async function publish({ places: { root } }: Report, to: string, env: Readonly<Record<string, string>> = {}) {
  const ended = await runCommand(root, ['publish', '--json', '--to', to, '--name', 'pr-12'], { ...NO_CI, ...env });
  expect(ended.code, ended.output).toBe(0);
  return JSON.parse(ended.stdout);
}

const cardOf = (page: Page, name: string) => page.locator('.shot-card', { hasText: name });

/** Looks at a published report, and decides on it, as a reviewer does who has only its address. */
async function review(page: Page, address: string): Promise<void> {
  const loaded: string[] = [];
  page.on('request', (request) => request.resourceType() === 'image' && loaded.push(request.url()));
  await page.goto(address);
  const image = cardOf(page, 'team').locator('img');
  await expect(image).toHaveJSProperty('complete', true);
  expect(await image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(480);
  expect(
    loaded.filter((url) => !url.endsWith('.webp') && !url.startsWith('data:')),
    'originals',
  ).toEqual([]);

  await cardOf(page, 'docs').getByRole('button', { name: 'Approve all 3' }).click();
  await expect(page.getByRole('heading', { level: 1 }), 'nothing is decided yet').toHaveText(/changes on/);
  await cardOf(page, 'team').locator('a').click();
  for (const side of ['before', 'after']) {
    const original = page.getByAltText(`${side} image of team`);
    await expect(original).toHaveJSProperty('naturalWidth', 800);
  }
  await page.keyboard.press('x');
  await page.getByLabel('Reason of the rejection').fill('the mark must go');
  await page.keyboard.press('Enter');
  await page.reload();
  const draft = page.getByRole('region', { name: 'Comment for the pull request' });
  await expect(draft).toContainText(/^3 of \d+ shots approved, 1 rejected, \d+ left to review\. Post this comment/);
  await draft.getByRole('button', { name: 'Copy the comment' }).click();
  await expect(draft.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    '/proofsheet approve 1\n/proofsheet reject team "the mark must go"',
  );
  page.removeAllListeners('request');
}

// What is written there, and to a branch: test/unit/commands/publish.test.ts.
test('a published report shows its images and copies a comment that decides: from a folder and a bucket', async ({
  page,
  context,
  own,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { root } = own.places;

  const troubles: string[] = [];
  page.on('console', (message) => troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));

  const { address: path } = await publish(own, 'public');
  await page.goto(pathToFileURL(path).href);
  await expect(cardOf(page, 'team').locator('img'), 'opened as a file').toHaveJSProperty('naturalWidth', 480);
  const folder = await serve([join(root, 'public')]);
  await review(page, `${folder.url}/pr-12/index.html`);
  await folder.close();

  const s3 = await startS3();
  const { address } = await publish(own, `s3://${s3.bucket}/visual`, s3.env);
  await review(page, address);
  await s3.close();
  expect(troubles).toEqual([]);
});
