import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { DecisionRequest, UndoRequest } from '../../src/model/run-record.js';
import { text } from '../unit/compare/paint-page.js';
import { pageOf, test as reportTest } from './report-page.js';

type Sent = Partial<DecisionRequest & UndoRequest>;

const test = reportTest.extend<{ served: { sent: Sent[] } }>({
  /** Opens a report of its own on a server, and gives what the page sends. */
  served: async ({ page, own, serve }, use) => {
    const sent: Sent[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.postDataJSON()));
    await page.goto(await serve(own));
    await use({ sent });
  },
});

const cardOf = (page: Page, name: string) => page.locator('.shot-card', { hasText: name });
const idsOf = (sent: Sent | undefined) => sent?.shots?.map(({ id }) => id);

test('a click approves a shot, and the page shows the written baseline', async ({ page, served: { sent } }) => {
  await cardOf(page, 'team').getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByRole('status').getByText('written: shots/team.png')).toBeVisible();
  await expect(cardOf(page, 'team').locator('.badge.approved')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^1 of \d+ shots approved, \d+ left to review$/);
  await expect(cardOf(page, 'long').locator('.badge.approved')).toHaveCount(0);
  expect(sent).toEqual([{ decision: 'approved', shots: [{ project: 'chromium', id: 'team' }] }]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('written: shots/team.png')).toHaveCount(0);
  await page.reload();
  await expect(cardOf(page, 'team').locator('.badge.approved')).toBeVisible();
});

test('one decision applies to all shots of a group, including those that the filter hides', async ({
  page,
  served: { sent },
}) => {
  await page.getByRole('searchbox').fill('docs');
  await cardOf(page, 'docs').getByRole('button', { name: 'Approve all 3' }).click();
  await expect(page.getByText('3 approved')).toBeVisible();
  expect(idsOf(sent[0])).toEqual(['home', 'pricing', 'docs']);
});

test('one click decides all visible shots, except those that cannot be approved', async ({
  page,
  served: { sent },
}) => {
  await page.getByRole('button', { name: 'Reject all 6 shown' }).click();
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText('Change 1, 3 shots');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(sent, 'nothing was sent before the answer').toEqual([]);
  await cardOf(page, 'docs').getByRole('button', { name: 'Reject all 3' }).click();
  await expect(page.getByText('3 rejected')).toBeVisible();
  expect(sent).toMatchObject([{ decision: 'rejected', shots: { length: 3 } }]);
  // The rejected shots stay rejected.
  await page.getByRole('combobox', { name: 'status' }).selectOption('changed');
  await expect(page.getByRole('button', { name: 'Approve all 2 shown' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Approve all 3 shown' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve 3 shots of 3 changes?' });
  await expect(dialog.getByRole('listitem')).toContainText(['team', 'long', 'fresh/phone']);
  await dialog.getByRole('button', { name: 'Approve 3 shots' }).click();
  await expect(page.getByText('3 approved')).toBeVisible();
  expect(idsOf(sent[1])).not.toContain('gone');
  await expect(page.getByRole('button', { name: /^(Approve|Reject) all \d+ shown$/ })).toHaveCount(0);
  await expect(cardOf(page, 'moving').getByRole('button')).toHaveCount(0);
});

test('refused and unchanged shots are listed with their reasons, together with the warnings', async ({
  page,
  report,
  serve,
}) => {
  const painted = ['stale', 'equal', 'other'].map((id, index) => {
    return { id, before: pageOf([]), after: pageOf([text(index, 2)]) };
  });
  const written = await report(painted, { complete: false });
  const { root, folder } = written.places;
  const after = written.record.shots.find(({ id }) => id === 'equal')?.after?.link ?? '';
  writeFileSync(join(root, 'shots/equal.png'), readFileSync(join(folder, after)));
  writeFileSync(join(root, 'shots/stale.png'), 'other');
  await page.goto(await serve(written));
  await page.getByRole('button', { name: 'Approve all 3 shown' }).click();
  await page.getByRole('button', { name: 'Approve 3 shots' }).click();
  await expect(page.getByText('2 approved, 1 refused')).toBeVisible();
  await expect(page.getByText('equal [chromium]: the baseline already equals the after image')).toBeVisible();
  await expect(page.getByText('the run has shots without a result')).toBeVisible();
  await expect(page.getByText(/^refused: stale \[chromium\]: the baseline on disk is not the one/)).toBeVisible();
  await expect(cardOf(page, 'stale').locator('.badge.approved')).toHaveCount(0);
});

test('a click or a key undoes the last decision', async ({ page, served: { sent } }) => {
  await cardOf(page, 'team').getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('restored: shots/team.png')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(page.locator('.badge.approved')).toHaveCount(0);
  expect(sent.map(({ undo }) => typeof undo)).toEqual(['undefined', 'string']);
  await page.keyboard.press('u');
  expect(sent.length, 'there was nothing to take back a second time').toBe(2);
  await cardOf(page, 'team').getByRole('button', { name: 'Reject', exact: true }).click();
  const reason = cardOf(page, 'team').getByRole('textbox', { name: 'Reason' });
  await expect(reason).toBeFocused();
  await page.keyboard.type('u and x are words');
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'team').getByRole('link')).toBeFocused();
  await expect(page.getByText('1 rejected')).toBeVisible();
  expect(sent.at(-1)).toMatchObject({ decision: 'rejected', reason: 'u and x are words' });
  await page.reload();
  await expect(reason, 'the reason stays on the card').toHaveValue('u and x are words');
  await expect(page.locator('.badge.rejected')).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo the one before' }).click();
  await expect(page.locator('.badge.rejected')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
});

test('keys approve and reject a shot and its group', async ({ page, served: { sent } }) => {
  // After an error and an unstable shot.
  for (let times = 0; times < 3; times++) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('home');
  await page.keyboard.press('x');
  await expect(page.locator('.heading .badge.rejected')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('A');
  await expect(page.getByText('3 approved')).toBeVisible();
  expect(sent.map(({ decision, shots }) => `${decision} ${shots?.length}`)).toEqual(['rejected 1', 'approved 3']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await expect(cardOf(page, 'team').locator('.badge.approved')).toBeVisible();
});

test('without its server the page shows an error, and no shot as approved', async ({ page, served: _ }) => {
  await page.route('**/api/decisions', (route) => route.abort());
  await cardOf(page, 'team').getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByText(/The report server did not respond\. Run `npx proofsheet report` again/)).toBeVisible();
  await page.unroute('**/api/decisions');
  await page.route('**/api/decisions', (route) =>
    route.fulfill({ status: 403, json: { message: 'the token is wrong' } }),
  );
  await cardOf(page, 'team').getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByText('the token is wrong')).toBeVisible();
  await expect(page.locator('.badge.approved')).toHaveCount(0);
});

test('opened from a file, the page shows the command to run and copies it', async ({
  context,
  page,
  shared: { url },
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(url);
  await expect(page.getByRole('button', { name: /Approve/ })).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'To approve all 6 shown, run' })).toHaveValue(
    'npx proofsheet approve --all',
  );
  await expect(page.getByRole('textbox', { name: 'To approve all 3, run' })).toHaveValue(
    'npx proofsheet approve --group 1',
  );
  await page.getByRole('searchbox').fill('phone');
  await page.locator('.shot-cards').getByRole('link').first().click();
  const command = 'npx proofsheet approve --project chromium fresh/phone';
  await expect(page.getByRole('textbox', { name: 'To approve, run' })).toHaveValue(command);
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command);
});
