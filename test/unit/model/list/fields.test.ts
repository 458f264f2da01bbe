import { describe, expect, test } from 'vitest';
import { resolveShot } from '../../../../src/list/resolve/resolve-shot.js';
import { messagesOf, shotOf } from '../../list/list-file.js';

const USE = { baseURL: 'http://project', viewport: null };

function captureOf(line: string) {
  return resolveShot(shotOf(`pages:\n  - url: /\n    ${line}\n`), USE).capture;
}

/** The messages for one line among the fields of a page: line 3, column 5. */
function messagesOfField(line: string): string[] {
  return messagesOf(`pages:\n  - url: /\n    ${line}\n`).map((message) => message.replace('pages.yaml:', ''));
}

const EMPTY = 'Remove the extra comma. If an #id follows it, use quotes: in YAML, # starts a comment.';
const ID = 'Write a value. In YAML, # starts a comment: put a string such as "#id" in quotes.';

describe('what is waited for', () => {
  test.each([
    ['.a', [{ kind: 'selector', selector: '.a' }]],
    ['{ selector: .a }', [{ kind: 'selector', selector: '.a' }]],
    ['{ text: Welcome }', [{ kind: 'text', text: 'Welcome' }]],
    ['{ response: "**/api/*" }', [{ kind: 'response', pattern: '**/api/*' }]],
    [
      '[.a, { text: b }]',
      [
        { kind: 'selector', selector: '.a' },
        { kind: 'text', text: 'b' },
      ],
    ],
    ['[]', []],
  ])('may be written as %s', (waitFor, waits) => {
    expect(captureOf(`waitFor: ${waitFor}`).waitFor).toEqual(waits);
  });

  test.each([
    [
      'waitFor: 1000',
      '3:14: "waitFor" must be a string or a mapping with one of selector, text or response or a list, not 1000. Conditions to wait for before the screenshot: a selector, { text: ... }, { response: ... } or a list of them; delay waits for a time. Default: none.',
    ],
    [
      'waitFor: #a',
      `3:14: "waitFor" must be a string or a mapping with one of selector, text or response or a list, not an empty value. ${ID}`,
    ],
    ['waitFor: {}', '3:14: "waitFor" is empty, expected 1 key. Write one of selector, text, response.'],
    [
      'waitFor: { selector: .a, text: b }',
      '3:14: "waitFor" has 2 keys (selector, text), expected 1. Write each condition as a separate list item. The test waits for all of them.',
    ],
    ['waitFor: { selektor: .a }', '3:16: unknown key "selektor" in "waitFor". Did you mean "selector"?'],
    ['waitFor: [.a, { txt: x }]', '3:21: unknown key "txt" in item 2 of "waitFor". Did you mean "text"?'],
    ['waitFor: ".a,"', `3:14: "waitFor" has an empty selector in ".a,". ${EMPTY}`],
    [
      'waitFor: [[.a]]',
      '3:15: item 1 of "waitFor" must be a string or a mapping with one of selector, text or response, not the list [".a"]. Correct it.',
    ],
  ])('is reported with the allowed values: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([message]);
  });
});

describe('actions', () => {
  test.each([
    ['click: .a', { kind: 'click', selector: '.a' }],
    ['hover: .a', { kind: 'hover', selector: '.a' }],
    ['fill: { selector: .a, value: "" }', { kind: 'fill', selector: '.a', value: '' }],
    ['press: Enter', { kind: 'press', key: 'Enter', selector: null }],
    ['press: { key: A, selector: .a }', { kind: 'press', key: 'A', selector: '.a' }],
    ['press: { key: A }', { kind: 'press', key: 'A', selector: null }],
    ['scrollTo: footer', { kind: 'scrollTo', to: 'footer' }],
    ['scrollTo: 300', { kind: 'scrollTo', to: 300 }],
    ['scrollTo: top', { kind: 'scrollTo', to: 0 }],
    ['wait: 0.25', { kind: 'pause', ms: 250 }],
    ['wait: 0', { kind: 'pause', ms: 0 }],
    ['wait: .a', { kind: 'wait', until: { kind: 'selector', selector: '.a' } }],
    ['wait: { text: b }', { kind: 'wait', until: { kind: 'text', text: 'b' } }],
    ['wait: { response: "**/c" }', { kind: 'wait', until: { kind: 'response', pattern: '**/c' } }],
  ])('may be %s', (action, resolved) => {
    expect(captureOf(`actions: [{ ${action} }]`).actions).toEqual([resolved]);
  });

  test('keep their order', () => {
    const kinds = captureOf('actions: [{ click: .a }, { wait: 1 }, { click: .b }]').actions.map(({ kind }) => kind);
    expect(kinds).toEqual(['click', 'pause', 'click']);
  });

  test.each([
    [
      'actions: { click: .a }',
      '3:14: "actions" must be a list, not the mapping {"click":".a"}. Make it a list item: write "- " before it.',
    ],
    [
      'actions: click',
      '3:14: "actions" must be a list, not "click". Actions to run in order before the screenshot, such as [{ click: "#menu" }]. Default: none.',
    ],
    [
      'actions: [click]',
      '3:15: item 1 of "actions" must be a mapping with one of click, hover, fill, press, scrollTo or wait, not "click". Correct it.',
    ],
    ['actions: [{ clik: .a }]', '3:17: unknown key "clik" in item 1 of "actions". Did you mean "click"?'],
    [
      'actions: [{}]',
      '3:15: item 1 of "actions" is empty, expected 1 key. Write one of click, hover, fill, press, scrollTo, wait.',
    ],
    [
      'actions: [{ click: .a, hover: .b }]',
      '3:15: item 1 of "actions" has 2 keys (click, hover), expected 1. Write each action as a separate list item, in the order in which they run.',
    ],
    ['actions: [{ click: 5 }]', '3:24: "click" must be a string, not 5. Put it in quotes: "5".'],
    ['actions: [{ hover: ".a," }]', `3:24: "hover" has an empty selector in ".a,". ${EMPTY}`],
    [
      'actions: [{ fill: { selector: .a } }]',
      '3:23: missing key "value" in "fill"; expected a string. Add "value": Text to fill in.',
    ],
    ['actions: [{ fill: { selector: .a, valeu: x } }]', '3:39: unknown key "valeu" in "fill". Did you mean "value"?'],
    [
      'actions: [{ press: 5 }]',
      '3:24: "press" must be a string or a mapping with key, not 5. Presses a key or a key combination, such as Enter or Control+A.',
    ],
    ['actions: [{ press: { key: A, selector: ".a," } }]', `3:44: "selector" has an empty selector in ".a,". ${EMPTY}`],
    [
      'actions: [{ scrollTo: bottom }]',
      '3:27: "scrollTo" must be a selector, "top" or a number, not "bottom". Use the selector of the last element, such as "footer".',
    ],
    [
      'actions: [{ scrollTo: -5 }]',
      '3:27: "scrollTo" must be a string or a number from 0 to 1000000, not -5. Scrolls to the element that matches this selector, or to a distance from the top of the page in CSS pixels.',
    ],
    [
      'actions: [{ wait: 500 }]',
      '3:23: "wait" must be a number from 0 to 10 or a string or a mapping with one of selector, text or response, not 500. Waits for a number of seconds, such as 0.5 for 500 ms, or for a condition as in waitFor.',
    ],
  ])('are reported with the allowed values: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([message]);
  });

  test('are reported if YAML reads an #id as a comment', () => {
    expect(messagesOfField('actions:\n      - click: #menu')).toEqual([
      `4:16: "click" must be a string, not an empty value. ${ID}`,
    ]);
  });

  test('are all reported at once, also in the defaults and in states', () => {
    const list = `defaults:
  actions: [{}]
  states: { a: { waitFor: {} } }
pages:
  - url: /
    actions: [{ clik: .a }, { click: .a, hover: .b }, { click: 5 }]
    states: { b: { actions: [{ hover: ".a," }], waitFor: [{ text: a, selector: b }] } }
`;
    expect(messagesOf(list).map((message) => message.split('. ')[0])).toEqual([
      'pages.yaml:2:13: item 1 of "actions" is empty, expected 1 key',
      'pages.yaml:3:27: "waitFor" is empty, expected 1 key',
      'pages.yaml:6:17: unknown key "clik" in item 1 of "actions"',
      'pages.yaml:6:29: item 2 of "actions" has 2 keys (click, hover), expected 1',
      'pages.yaml:6:64: "click" must be a string, not 5',
      'pages.yaml:7:39: "hover" has an empty selector in ".a,"',
      'pages.yaml:7:59: item 1 of "waitFor" has 2 keys (selector, text), expected 1',
    ]);
  });
});
