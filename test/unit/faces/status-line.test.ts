import { setImmediate as moment } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { openStatusLine, type StatusLine } from '../../../src/faces/playwright/status-line.js';
import { rowsOf } from './terminal.js';

/** Two streams that one terminal shows. */
let sent: string;
let [out, err]: { write: (chunk: string | Uint8Array) => boolean }[] = [];
let line: StatusLine;

beforeEach(() => {
  sent = '';
  [out, err] = [0, 1].map(() => ({
    write: (chunk: string | Uint8Array) => {
      sent += chunk.toString();
      return true;
    },
  }));
  line = openStatusLine(screen(), [screen(), other()]);
});

const screen = () => err ?? { write: () => false };
const other = () => out ?? { write: () => false };
const write = async (...chunks: (string | Uint8Array)[]) => {
  for (const chunk of chunks) expect(other().write(chunk)).toBe(true);
  await moment();
};
const show = async (text: string) => {
  line.show(text);
  await moment();
};

test('the line is at the bottom, below what others write, and only the last of it', async () => {
  await write('Running 3 tests\n');
  await show('1 of 3');
  await show('2 of 3');
  await write('a warning\n');
  screen().write('an error\n');
  await moment();
  expect(rowsOf(sent)).toEqual(['Running 3 tests', 'a warning', 'an error', '2 of 3']);
});

test('closed, nothing of it is left, and the streams are as they were', async () => {
  const { write: own } = screen();
  await write('one\n');
  await show('1 of 3');
  line.close();
  expect(rowsOf(sent)).toEqual(['one']);
  expect(screen().write).not.toBe(own);
  await write('two\n');
  expect(sent.endsWith('two\n')).toBe(true);
  await moment();
  expect(rowsOf(sent)).toEqual(['one', 'two']);
});

test('one of two that is closed before the other draws nothing more', async () => {
  const second = openStatusLine(screen(), [screen(), other()]);
  await show('first');
  line.close();
  second.show('second');
  await write('one\n');
  second.close();
  await write('two\n');
  expect(rowsOf(sent)).toEqual(['one', 'two']);
});

test('one who goes up to change a row, as the list does, finds it', async () => {
  await write('  1 home', '\n', '  2 about', '\n');
  await show('0 of 2');
  await write('\u001b[2A', '\u001b[2K\u001b[0G', '  ok 1 home', '\u001b[2E');
  expect(rowsOf(sent)).toEqual(['  ok 1 home', '  2 about', '0 of 2']);
  // What ends in the middle of a line is gone on with.
  await write('abc');
  expect(rowsOf(sent)).toEqual(['  ok 1 home', '  2 about', 'abc']);
  await show('1 of 2');
  await write('def\n');
  expect(rowsOf(sent)).toEqual(['  ok 1 home', '  2 about', 'abcdef', '1 of 2']);
});

test('one who writes over the row above, as the line reporter does, writes over its own', async () => {
  await write('\n', '\u001b[1A\u001b[2K[1/3] home\n');
  await show('1 of 3');
  await write('\u001b[1A\u001b[2K[2/3] about\n');
  expect(rowsOf(sent)).toEqual(['[2/3] about', '1 of 3']);
});

test('between dots nothing is drawn', async () => {
  await write('Running 3 tests\n', '·');
  await show('1 of 3');
  await write(Buffer.from('·'), '');
  expect(rowsOf(sent)).toEqual(['Running 3 tests', '··']);
  expect(sent).not.toContain('1 of 3');
});
