import { describe, expect, test } from 'vitest';
import type { Cause } from '../../../src/model/comparison.js';
import { renderCause, renderCauses } from '../../../src/report/causes.js';
import { renderReason } from '../../../src/report/reason.js';
import { causeOf, changedOf } from './specimens.js';

const BLANK = causeOf({ property: null, before: null, after: null, source: null, pixels: 10 });

const COLOR: Cause = {
  ...BLANK,
  property: 'background-color',
  before: 'rgb(59, 130, 246)',
  after: 'rgba(29, 78, 216, 0.5)',
  source: { selector: '.btn', file: '/css/site.css', line: 42 },
};

const WIDTH = { property: 'width', before: '1px', after: '2px', source: { selector: 'style', file: null, line: null } };

describe('a cause', () => {
  test.each<[Partial<Cause>, string]>([
    [COLOR, '.btn: background-color #3b82f6 -> rgba(29, 78, 216, 0.5) (/css/site.css:42)'],
    [
      { ...COLOR, elements: 37 },
      '.btn (37 elements): background-color #3b82f6 -> rgba(29, 78, 216, 0.5) (/css/site.css:42)',
    ],
    [{ ...WIDTH, certain: false }, 'possibly .btn: width 1px -> 2px (attribute style)'],
    [{ kind: 'reworded', before: '49', after: 'say "54"' }, '.btn: text "49" -> "say \\"54\\""'],
    // Of a long text, only the beginning is known.
    [{ kind: 'reworded', before: 'The answer…', after: 'The answer…' }, '.btn: text changed beyond "The answer…"'],
    [{ kind: 'image', before: '/a.png', after: '/b.png' }, '.btn: image /a.png -> /b.png'],
    [{ kind: 'image', before: '/a.png', after: '/a.png' }, '.btn: image /a.png has other content'],
    [{ kind: 'drawing', before: 'y=1', after: 'y=2' }, '.btn: drawing y=1 -> y=2'],
    [{ kind: 'inserted' }, '.btn: inserted'],
    [{ kind: 'opaque', certain: false }, 'possibly .btn: its pixels changed; it has no elements to compare'],
    [
      { kind: 'opaque', certain: false, after: 'a frame of another site' },
      'possibly .btn: its pixels changed; it is a frame of another site',
    ],
    [{ kind: 'unexplained', element: null, certain: false }, '1 region (10 px) not explained by an element'],
  ])('%j is shown as %j', (cause, text) => {
    expect(renderCause({ ...BLANK, ...cause })).toBe(text);
  });

  test('has no control characters of the page', () => {
    const cause: Cause = { ...BLANK, kind: 'reworded', element: '.a\u001b[31m\n', before: 'a', after: '\u202eb' };
    expect(renderCause(cause)).toBe('.a : text "a" -> " b"');
  });
});

test.each([
  ['border-color', ['border-top-color', 'border-right-color', 'border-bottom-color', 'border-left-color']],
  ['padding', ['padding-top', 'padding-right', 'padding-bottom', 'padding-left']],
  ['inset', ['top', 'right', 'bottom', 'left']],
  ['border-radius', ['top-left', 'top-right', 'bottom-right', 'bottom-left'].map((side) => `border-${side}-radius`)],
])('four sides with the same change are one cause: %s', (property, sides) => {
  const causes = sides.map((side): Cause => ({ ...BLANK, property: side, before: '1px', after: '2px' }));
  const all = [...causes, { ...BLANK, property: 'color', before: '1', after: '2' }];
  expect(renderCauses({ causes: all })).toBe(`.btn: ${property} 1px -> 2px; .btn: color 1 -> 2`);
  expect(renderCauses({ causes: causes.slice(1) })).toContain('1 more cause');
  const [first, ...others] = causes;
  expect(renderCauses({ causes: [{ ...first, after: '3px' } as Cause, ...others] })).toContain('2 more causes');
});

test('a reason begins with two causes, and ends them with what is unexplained', () => {
  const causes: Cause[] = [
    ...['.a', '.b', '.c', '.d'].map((element): Cause => ({ ...BLANK, kind: 'inserted', element })),
    { ...BLANK, kind: 'unexplained', element: null, regions: [1, 2], pixels: 1234 },
  ];
  expect(renderReason(changedOf({ causes }))).toMatch(
    /^\.a: inserted; \.b: inserted; 2 more causes; 2 regions \(1,234 px\) not explained by an element; 1,204 px/,
  );
  expect(renderCauses({})).toBeNull();
  expect(renderCauses({ causes: causes.slice(-1) })).toBeNull();
});
