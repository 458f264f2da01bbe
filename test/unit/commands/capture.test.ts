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
  ['x.gif', 'png', '".gif" is not a supported extension. Use one of these: .png, .jpeg, .jpg, .webp, .pdf.'],
  ['x.png', 'jpeg', '".png" is not the extension of the format jpeg. Use .jpeg, or --format png.'],
  ['x.jpg', 'webp', '".jpg" is not the extension of the format webp. Use .webp, or --format jpg.'],
] as const)('the file %s with --format %s is an error', (output, asked, message) => {
  expect(() => formatOfOutput(output, asked)).toThrow(`--output ${output}: ${message}`);
});
