import { expect, test } from 'vitest';
import type { Cause } from '../../../src/model/comparison.js';
import { fingerprintCauses } from '../../../src/shot/verdict.js';

const RULE: Cause = {
  ...{ kind: 'restyled', element: 'a.btn', property: 'color', before: 'red', after: 'blue', certain: true },
  ...{ source: { selector: '.btn', file: '/site.css', line: 42 }, elements: 1, boxes: [], regions: [0], pixels: 10 },
};
const TEXT: Cause = { ...RULE, kind: 'reworded', element: '#price', property: null, source: null };

test('one declaration is one change, whatever its elements, their number and their place', () => {
  const other: Cause = { ...RULE, element: 'button.btn', elements: 7, regions: [1, 2], pixels: 99 };
  expect(fingerprintCauses([RULE])).toBe(fingerprintCauses([other]));
  expect(fingerprintCauses([RULE, TEXT])).toBe(fingerprintCauses([TEXT, other]));
});

test.each<[string, Cause]>([
  ['value', { ...RULE, after: 'green' }],
  ['line', { ...RULE, source: { selector: '.btn', file: '/site.css', line: 43 } }],
  ['property', { ...RULE, property: 'fill' }],
])('another %s is another change', (_, cause) => {
  expect(fingerprintCauses([cause])).not.toBe(fingerprintCauses([RULE]));
});

test('the attribute of another element is another change', () => {
  const source = { selector: 'style', file: null, line: null };
  expect(fingerprintCauses([{ ...RULE, source }])).not.toBe(
    fingerprintCauses([{ ...RULE, source, element: '#other' }]),
  );
});

test('a change that is not certain in all parts has no hash, so that its pixels decide', () => {
  expect(fingerprintCauses([RULE, { ...TEXT, certain: false }])).toBeNull();
  expect(fingerprintCauses([])).toBeNull();
  expect(fingerprintCauses(undefined)).toBeNull();
});
