import { describe, expect, test } from 'vitest';
import { imported, written } from './imported-file.js';

describe('Percy', () => {
  test('an additional snapshot is a comment; values of discovery may be secrets, and are not copied', async () => {
    const discovery = { cookies: { s: 'hunter2' }, authorization: { username: 'me', password: 'hunter2' } };
    const more = { discovery, additionalSnapshots: [{ suffix: 'menu' }] };
    const { text } = await imported({
      snapshots: [{ url: 'https://a.test/', widths: [400], minHeight: 500, ...more }],
    });
    expect(text).toContain('# discovery: use headers, cookies, httpCredentials, userAgent, waitFor and timeout\n');
    expect(text).toContain('# additionalSnapshots: add a state for each of them\n');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('.percy.yml');
  });

  test('may be a bare list of URLs', async () => {
    const { tool, plan } = await imported(written('urls.yml', '- https://a.test/x\n- https://a.test/y\n'));
    expect([tool, plan.shots.length]).toEqual(['Percy', 4]);
  });
});
