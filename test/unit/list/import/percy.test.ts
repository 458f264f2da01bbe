import { describe, expect, test } from 'vitest';
import { imported, written } from './imported-file.js';

describe('Percy', () => {
  test('values of discovery may be secrets, and are not copied', async () => {
    const discovery = { cookies: { s: 'hunter2' }, authorization: { username: 'me', password: 'hunter2' } };
    const snapshots = [{ url: 'https://a.test/', widths: [400], minHeight: 500, discovery }];
    const { text } = await imported(written('discovery.json', JSON.stringify({ snapshots })));
    expect(text).toContain('# discovery: use headers, cookies, httpCredentials, userAgent, waitFor and timeout\n');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('.percy.yml');
  });

  test('an additional snapshot is a comment', async () => {
    const additionalSnapshots = [{ suffix: 'menu' }];
    const { text } = await imported(
      written('more.json', JSON.stringify([{ url: 'https://a.test/', additionalSnapshots }])),
    );
    expect(text).toContain('# additionalSnapshots: add a state for each of them\n');
  });

  test('may be a bare list of URLs', async () => {
    const { tool, plan } = await imported(written('urls.yml', '- https://a.test/x\n- https://a.test/y\n'));
    expect([tool, plan.shots.length]).toEqual(['Percy', 4]);
  });
});
