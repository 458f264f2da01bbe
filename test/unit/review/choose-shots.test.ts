import { expect, test } from 'vitest';
import { type Choice, chooseShots } from '../../../src/review/choose-shots.js';
import { shotOf } from '../report/specimens.js';

const NONE: Choice = { ids: [], all: false, new: false, groups: [], project: null };

const shots = [
  shotOf({ id: 'pricing/desktop', page: 'pricing', status: 'changed', group: '1' }),
  shotOf({ id: 'pricing/phone', page: 'pricing', status: 'new' }),
  shotOf({ id: 'pricing/phone', page: 'pricing', status: 'new', project: 'firefox' }),
  shotOf({ id: 'docs', page: 'docs', status: 'error' }),
  shotOf({ id: 'docs/menu', page: 'docs', status: 'changed' }),
  shotOf({ id: 'fine', page: 'fine', group: '1' }),
];

const names = (choice: Partial<Choice>) =>
  chooseShots({ shots }, { ...NONE, ...choice }).map(({ shot }) => `${shot.id} ${shot.project}`);

test('an id selects the shot in every project, and a project filters the result', () => {
  expect(names({ ids: ['pricing/phone'] })).toEqual(['pricing/phone chromium', 'pricing/phone firefox']);
  expect(names({ ids: ['pricing/phone'], project: 'firefox' })).toEqual(['pricing/phone firefox']);
});

test('a page name selects all its shots unless a shot has this id', () => {
  expect(names({ ids: ['pricing'] })).toHaveLength(3);
  expect(names({ ids: ['docs'] })).toEqual(['docs chromium']);
});

test('the criteria add up', () => {
  expect(names({ new: true, ids: ['docs/menu'] })).toHaveLength(3);
  expect(names({ all: true })).toHaveLength(5);
  expect(names({ groups: ['1'] })).toEqual(['pricing/desktop chromium', 'fine chromium']);
});

test('all unknown names are reported at once, each with a suggestion', () => {
  expect(() => names({ ids: ['pricng', 'docs/menü'], project: 'chromum', groups: ['7'] })).toThrow(
    [
      'chromum: the run has no project with this name. Did you mean "chromium"?',
      '7: the run has no group with this name. Groups of the run: 1.',
      'pricng: the run has no shot or page with this name. Did you mean "pricing"?',
      'docs/menü: the run has no shot or page with this name. Did you mean "docs/menu"?',
    ].join('\n'),
  );
  expect(() => names({ ids: ['docs'], project: 'firefox' })).toThrow(
    'the shot is not in the project firefox. Projects with this shot: chromium.',
  );
});

test('without criteria, the error lists the shots that can be approved', () => {
  expect(() => names({})).toThrow('no shot is selected; 4 can be decided: pricing/desktop [chromium], ');
});

test('names of an untrusted run contain no terminal control sequences', () => {
  const hostile = [shotOf({ id: 'a\u001b[2Jb\nc', page: 'x\u001b[31m', status: 'changed', group: 'g\u0007' })];
  for (const choice of [NONE, { ...NONE, ids: ['zzzzzz'] }, { ...NONE, groups: ['q'] }]) {
    expect(() => chooseShots({ shots: hostile }, choice)).toThrow(/^[^\p{Cc}]+$/u);
  }
});
