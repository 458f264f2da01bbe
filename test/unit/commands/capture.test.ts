import { expect, test } from 'vitest';
import { formatOfOutput } from '../../../src/commands/capture.js';

test.each([
  ['x.png', undefined, 'png'],
  ['x.JPG', undefined, 'jpg'],
  ['a.b/x.pdf', undefined, 'pdf'],
  ['x', undefined, 'png'],
  ['x', 'webp', 'webp'],
  ['x.jpg', 'jpeg', 'jpeg'],
  ['.hidden', 'jpeg', 'jpeg'],
] as const)('the file %s with --format %s is %s', (output, asked, format) => {
  expect(formatOfOutput(output, asked)).toBe(format);
});

test.each([
  ['x.gif', undefined, '".gif" is not the extension of the format png. Use .png, or one of: --format png, jpeg, '],
  ['x.jpg', 'webp', '".jpg" is not the extension of the format webp. Use .webp, or one of: --format png, jpeg, '],
] as const)('the file %s with --format %s is an error', (output, asked, message) => {
  expect(() => formatOfOutput(output, asked)).toThrow(`--output ${output}: ${message}`);
});
