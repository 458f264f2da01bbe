import { expect, type Page } from '@playwright/test';
import { text } from '../unit/compare/paint-page.js';
import { everything, pageOf, TOKEN, test } from './report-page.js';

const cardOf = (page: Page, name: string) => page.locator('.shot-card', { hasText: name });

test('a click approves a shot, and the page shows the written baseline', async ({ page, report, serveReport }) => {
  const { url, sent } = await serveReport(await report(everything()));
  await page.goto(url);
  await cardOf(page, 'team').getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByRole('status').getByText('written: shots/team.png')).toBeVisible();
  await expect(cardOf(page, 'team').locator('.badge.approved')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^1 of \d+ shots approved, \d+ left to review$/);
  await expect(cardOf(page, 'long').locator('.badge.approved')).toHaveCount(0);
  expect(sent).toEqual([{ token: TOKEN, decision: 'approved', shots: [{ project: 'chromium', id: 'team' }] }]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('written: shots/team.png')).toHaveCount(0);
  await page.reload();
  await expect(cardOf(page, 'team').locator('.badge.approved')).toBeVisible();
});

test('one decision applies to all shots of a group, including those that the filter hides', async ({
  page,
  report,
  serveReport,
}) => {
  const { url, sent } = await serveReport(await report(everything()));
  await page.goto(url);
  await page.getByRole('searchbox').fill('docs');
  await cardOf(page, 'docs').getByRole('button', { name: 'Approve all 3' }).click();
  await expect(page.getByText('3 approved')).toBeVisible();
  expect(sent[0]?.shots.map(({ id }) => id)).toEqual(['home', 'pricing', 'docs']);
});

test('one click decides all visible shots, except those that cannot be approved', async ({
  page,
  report,
  serveReport,
}) => {
  const { url, sent } = await serveReport(await report(everything()));
  await page.goto(url);
  await page.getByRole('button', { name: 'Approve all 6 shown' }).click();
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
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 3 shots' }).click();
  await expect(page.getByText('3 approved')).toBeVisible();
  expect(sent[1]?.shots.map(({ id }) => id)).not.toContain('gone');
  await expect(page.getByRole('button', { name: /^(Approve|Reject) all \d+ shown$/ })).toHaveCount(0);
  await expect(cardOf(page, 'moving').getByRole('button')).toHaveCount(0);
});

test('refused and unchanged shots are listed with their reasons, together with the warnings', async ({
  page,
  report,
  serveReport,
}) => {
  const painted = [
    { id: 'refused-one', before: pageOf([]), after: pageOf([text(2, 2)]) },
    { id: 'kept-one', before: pageOf([]), after: pageOf([text(4, 4)]) },
    { id: 'other', before: pageOf([]), after: pageOf([text(3, 3)]) },
  ];
  const { url } = await serveReport(await report(painted));
  await page.goto(url);
  await page.getByRole('button', { name: 'Approve all 3 shown' }).click();
  await page.getByRole('button', { name: 'Approve 3 shots' }).click();
  await expect(page.getByText('1 approved, 1 refused')).toBeVisible();
  await expect(page.getByText('kept-one [chromium]: it is its baseline already')).toBeVisible();
  await expect(page.getByText('the run is of another commit')).toBeVisible();
  await expect(page.getByText('refused: refused-one [chromium]: its baseline is another now')).toBeVisible();
  await expect(cardOf(page, 'refused-one').locator('.badge.approved')).toHaveCount(0);
});

test('a click or a key undoes the last decision', async ({ page, report, serveReport }) => {
  const { url, sent } = await serveReport(await report(everything()));
  await page.goto(url);
  await cardOf(page, 'team').getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('restored: shots/team.png')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(page.locator('.badge.approved')).toHaveCount(0);
  expect(sent.map(({ undo }) => undo)).toEqual([undefined, 'the-last']);
  await page.keyboard.press('u');
  await cardOf(page, 'team').getByRole('button', { name: 'Reject', exact: true }).click();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.keyboard.press('u');
  await expect(page.getByText('Last decision undone')).toBeVisible();
  await expect(page.locator('.badge.rejected')).toHaveCount(0);
  expect(sent.length, 'there was nothing to take back a second time').toBe(4);
});

test('keys approve and reject a shot and its group', async ({ page, report, serveReport }) => {
  const { url, sent } = await serveReport(await report(everything()));
  await page.goto(url);
  // After an error and an unstable shot.
  for (let times = 0; times < 3; times++) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('home');
  await page.keyboard.press('x');
  await expect(page.locator('.heading .badge.rejected')).toBeVisible();
  await page.keyboard.press('A');
  await expect(page.getByText('3 approved')).toBeVisible();
  expect(sent.map(({ decision, shots }) => `${decision} ${shots.length}`)).toEqual(['rejected 1', 'approved 3']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await expect(cardOf(page, 'team').locator('.badge.approved')).toBeVisible();
});

test('without its server the page shows an error, and no shot as approved', async ({ page, report, serveReport }) => {
  const { url } = await serveReport(await report(everything()));
  await page.goto(url);
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

test('opened from a file, the page shows the command to run and copies it', async ({ context, page, report }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { url } = await report(everything());
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
