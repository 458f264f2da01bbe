import { expect, test } from 'vitest';
import { type Choice, chooseShots } from '../../../src/core/review/choose-shots.js';
import { shotOf } from '../report/specimens.js';

const NONE: Choice = { ids: [], all: false, new: false, group: null, project: null };

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
const errorOf = (choice: Partial<Choice>): string => {
  try {
    return `chose ${names(choice)}`;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

test('an id means that shot in every project, a project narrows it down', () => {
  expect(names({ ids: ['pricing/phone'] })).toEqual(['pricing/phone chromium', 'pricing/phone firefox']);
  expect(names({ ids: ['pricing/phone'], project: 'firefox' })).toEqual(['pricing/phone firefox']);
});

test('the name of a page means all its shots, but where a shot has that very id', () => {
  expect(names({ ids: ['pricing'] })).toHaveLength(3);
  expect(names({ ids: ['docs'] })).toEqual(['docs chromium']);
});

test('what is given adds up', () => {
  expect(names({ new: true, ids: ['docs/menu'] })).toHaveLength(3);
  expect(names({ all: true })).toHaveLength(5);
  expect(names({ group: '1' })).toEqual(['pricing/desktop chromium', 'fine chromium']);
});

test('all unknown names are told at once, each with the one that was meant', () => {
  expect(errorOf({ ids: ['pricng', 'docs/menü'], project: 'chromum', group: '7' })).toBe(
    [
      'chromum: the run has no such project. Did you mean "chromium"?',
      '7: the run has no such group. Its groups are 1.',
      'pricng: the run has no such shot. Did you mean "pricing"?',
      'docs/menü: the run has no such shot. Did you mean "docs/menu"?',
    ].join('\n'),
  );
  expect(errorOf({ ids: ['docs'], project: 'firefox' })).toContain(
    'it is not in the project firefox. It is in chromium.',
  );
});

test('where nothing is chosen, what could be is told', () => {
  expect(errorOf({})).toContain('no shot was chosen; 4 could be approved: pricing/desktop [chromium], ');
  expect(() => chooseShots({ shots: [] }, NONE)).toThrow('there is none to approve');
});

test('names out of a hostile run give the terminal no commands', () => {
  const hostile = [shotOf({ id: 'a\u001b[2Jb\nc', page: 'x\u001b[31m', status: 'changed', group: 'g\u0007' })];
  for (const choice of [NONE, { ...NONE, ids: ['zzzzzz'] }, { ...NONE, group: 'q' }]) {
    expect(() => chooseShots({ shots: hostile }, choice)).toThrow(/^[^\p{Cc}]+$/u);
  }
});
