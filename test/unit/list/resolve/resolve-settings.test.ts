import { expect, test } from 'vitest';
import { resolveSettings } from '../../../../src/list/resolve/resolve-settings.js';
import { SHOT_FORMATS } from '../../../../src/model/image.js';
import { shotOf, shotsOf } from '../list-file.js';

const captureOf = (line: string) => resolveSettings(shotOf(`pages:\n  - url: /\n    ${line}\n`).fields).capture;

test.each([
  ['.a', [{ kind: 'selector', selector: '.a' }]],
  ['{ text: Welcome }', [{ kind: 'text', text: 'Welcome' }]],
  ['{ response: "**/api/*" }', [{ kind: 'response', pattern: '**/api/*' }]],
  ['[.a, { text: b }]', ['selector', 'text'].map((kind, at) => ({ kind, [kind]: ['.a', 'b'][at] }))],
  ['[]', []],
])('waitFor: %s', (waitFor, waits) => {
  expect(captureOf(`waitFor: ${waitFor}`).waitFor).toEqual(waits);
});

test.each([
  ['click: .a', { kind: 'click', selector: '.a' }],
  ['hover: .a', { kind: 'hover', selector: '.a' }],
  ['fill: { selector: .a, value: "" }', { kind: 'fill', selector: '.a', value: '' }],
  ['press: Enter', { kind: 'press', key: 'Enter', selector: null }],
  ['press: { key: A, selector: .a }', { kind: 'press', key: 'A', selector: '.a' }],
  ['scrollTo: footer', { kind: 'scrollTo', to: 'footer' }],
  ['scrollTo: 300', { kind: 'scrollTo', to: 300 }],
  ['scrollTo: top', { kind: 'scrollTo', to: 0 }],
  ['wait: 0.25', { kind: 'pause', ms: 250 }],
  ['wait: .a', { kind: 'wait', until: { kind: 'selector', selector: '.a' } }],
  ['wait: { text: b }', { kind: 'wait', until: { kind: 'text', text: 'b' } }],
  ['wait: { response: "**/c" }', { kind: 'wait', until: { kind: 'response', pattern: '**/c' } }],
])('an action is in its order: %s', (action, resolved) => {
  const actions = captureOf(`actions: [{ hover: .first }, { ${action} }]`).actions;
  expect(actions).toEqual([{ kind: 'hover', selector: '.first' }, resolved]);
});

test('what is ignored in the defaults, in a page and in a state is added', () => {
  const area = (x: number) => ({ x, y: 20, width: 300, height: 50 });
  const list = `defaults: { ignore: .a }
pages:
  - url: /
    ignore: { x: 10, y: 20, width: 300, height: 50 }
    states: { open: { ignore: ["#b, .c", { x: 11, y: 20, width: 300, height: 50 }] } }
`;
  expect(shotsOf(list).map(({ fields }) => resolveSettings(fields).capture.ignore)).toEqual([
    { selectors: ['.a'], areas: [area(10)] },
    { selectors: ['.a', '#b', '.c'], areas: [area(10), area(11)] },
  ]);
});

test.each([
  [{}, { maxDiffPixels: 0, maxDiffPixelRatio: null }],
  [{ maxDiffPixels: 40 }, { maxDiffPixels: 40, maxDiffPixelRatio: null }],
  [{ maxDiffPixelRatio: 0 }, { maxDiffPixels: null, maxDiffPixelRatio: 0 }],
  [
    { maxDiffPixels: 0, maxDiffPixelRatio: 0.1 },
    { maxDiffPixels: 0, maxDiffPixelRatio: 0.1 },
  ],
])('%j have the limits %j', (fields, limits) => {
  expect(resolveSettings(fields).compare).toMatchObject(limits);
});

test('each format has its quality', () => {
  const qualities = SHOT_FORMATS.map((format) => resolveSettings({ format }).capture.quality);
  expect(qualities).toEqual([100, 80, 80, 100, 100]);
});

test('an element is captured whole, so that fullSize does not count for it', () => {
  expect(resolveSettings({ element: '.a', fullSize: true }).capture).toMatchObject({ element: '.a', fullSize: false });
});

test.each([
  [{}, true, false],
  [{ strict: true }, true, true],
  [{ strict: false }, false, false],
  [{ httpStatus: 404 }, false, false],
  [{ httpStatus: 201 }, true, false],
])('%j: a warning of text that looks like an error message: %s', (fields, warns, strict) => {
  const { capture, verdict } = resolveSettings(fields);
  expect([capture.warnsOfErrorText, verdict.strict]).toEqual([warns, strict]);
});
