import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

const SECRETS = {
  header: 'planted-header-5Qx8',
  cookie: 'planted-cookie-9Kz2',
  password: 'planted-password-3Tn7',
  filled: 'planted-filled-4Rb0',
};

// More kinds of pages, and all reports: test/e2e/secrets.spec.ts.
test('the message and the record of a page that cannot be captured contain no secret', async ({ runs, serve }) => {
  const { header, cookie, password, filled } = SECRETS;
  const site = await serve(({ url }) =>
    url.pathname === '/silent'
      ? null
      : html('<form><input id="text"><input id="word" type="password"><input id="number" type="number"></form>'),
  );
  const secrets = `headers: { X-Token: ${header} }, cookies: { session: ${cookie} }, httpCredentials: { username: joe, password: ${password} }`;
  const fill = (selector: string) => `fill: { selector: "${selector}", value: ${filled} }`;
  const run = await runs.run(`baseURL: ${site.url}
defaults: { width: 400, height: 300 }
pages:
  - { name: silent, url: /silent, ${secrets}, timeout: 5 }
  - { name: no-number, url: /form, ${secrets}, timeout: 4, actions: [${fill('#number')}] }
  - { name: no-key, url: /form, ${secrets}, timeout: 4, actions: [${fill('#text')}, press: Entr] }
`);
  expect(run.statuses).toEqual(['no-key: error', 'no-number: error', 'silent: error']);
  expect(site.received.some(({ headers }) => headers['x-token'] === header)).toBe(true);
  for (const id of ['silent', 'no-number', 'no-key']) {
    const { record, verdict } = run.of(id);
    const { message, context, notice } = verdict;
    expect(message).toContain('error');
    for (const [name, secret] of Object.entries(SECRETS))
      expect(JSON.stringify({ record, message, context, notice }).includes(secret), `${name} in ${id}`).toBe(false);
  }
});
