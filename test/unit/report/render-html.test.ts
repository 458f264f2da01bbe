import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readViewer, renderHtml } from '../../../src/report/render-html.js';
import { changedOf, runOf } from './specimens.js';

const { script, style } = readViewer();

function blockOf(page: string, id: string): unknown {
  const [, json] = new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, 's').exec(page) ?? [];
  return json === undefined ? undefined : JSON.parse(json);
}

function policyOf(page: string): string {
  return /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'") ?? '';
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the policy of the page', () => {
  test('allows only the viewer and images', () => {
    const policy = policyOf(renderHtml(runOf([changedOf()])));
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "img-src 'self' file: data:",
      `style-src ${hashOf(style)}`,
      `script-src ${hashOf(script)}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  test('allows a served page to connect to its own server only', () => {
    const page = renderHtml(runOf([changedOf()]), { session: { token: 'abc', undo: null } });
    expect(policyOf(page)).toContain("; connect-src 'self';");
    expect(blockOf(page, 'proofsheet-session')).toEqual({ token: 'abc', undo: null });
    expect(blockOf(renderHtml(runOf([changedOf()])), 'proofsheet-session')).toBeUndefined();
  });
});

test('a single-file page embeds each image once, and says how many are not embedded', () => {
  const shot = changedOf();
  const [one, other] = [shot.before?.link ?? '', shot.after?.link ?? ''];
  const page = renderHtml(runOf([shot]), { images: new Map([[one, Buffer.from('before')]]) });
  expect(page).toContain(`<script type="image/png" id="${one}">${Buffer.from('before').toString('base64')}</script>`);
  expect(page).not.toContain(`id="${other}"`);
  expect(blockOf(page, 'proofsheet-view')).toMatchObject({
    omittedImages: expect.stringMatching(/^2 of 3 images are not embedded: the limit is 30 MB, and the worst/),
    shots: [{ images: { before: { href: one }, after: { caption: 'not embedded in this file' } } }],
  });
});
