import { describe, expect, test } from 'vitest';
import { renderJson, renderLog, renderPlain } from '../../../src/model/text.js';
import { dangersIn, HOSTILE_TEXT, HOSTILE_TEXTS } from '../../hostile-texts.js';

describe.each(Object.entries(HOSTILE_TEXTS))('%s', (_, text) => {
  test('become one line of plain text', () => {
    expect(renderPlain(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufffe\uffff]/u);
  });

  test('are no command in a log, also after a line break of our own', () => {
    expect(dangersIn(renderLog(`found:\n  ${text}\n${text}`))).toEqual([]);
  });

  test('are safe as JSON, and read as they were', () => {
    const json = renderJson({ text, list: [text] }, 2);
    expect(dangersIn(json)).toEqual([]);
    expect(JSON.parse(json)).toEqual({ text, list: [text] });
  });
});

test('a log keeps its lines, indentation and selectors', () => {
  const text = 'proofsheet: 1 change\n  changed  home  .a::before, .b::after: color #000 -> ##fff std::vector\n\n';
  expect(renderLog(text)).toBe(text);
});

test('text without controls is unchanged', () => {
  expect(renderPlain('a\u00a0b  c: "\u4e16\u754c" \ud83d\udc69\u200d\ud83d\udcbb')).toBe(
    'a\u00a0b  c: "\u4e16\u754c" \ud83d\udc69\u200d\ud83d\udcbb',
  );
});

test('200 KB of hostile text take less than 10 seconds: their time grows with their length, not with its square', () => {
  const start = performance.now();
  for (const text of [
    ' '.repeat(2e5),
    '::a '.repeat(5e4),
    '#'.repeat(2e5),
    ':'.repeat(2e5),
    HOSTILE_TEXT.repeat(100),
  ]) {
    renderLog(renderPlain(text));
    renderJson(text);
  }
  expect(performance.now() - start).toBeLessThan(10_000);
});
