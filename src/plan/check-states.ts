import { type Finding, invalid } from './finding.js';
import { statesOf } from './owners.js';
import type { ReadableList, ReadablePage, ReadableState } from './readable-list.js';

/** Finds names of states that mean nothing, and pages of which neither the base nor a state is captured. */
export function checkStates(list: ReadableList): Finding[] {
  return [
    ...checkNames(['defaults'], list.states ?? []),
    ...list.pages.flatMap((page) => [
      ...checkNames(['pages', page.index], page.states ?? []),
      ...checkBase(list, page),
    ]),
  ];
}

function checkNames(path: readonly (string | number)[], states: readonly ReadableState[]): Finding[] {
  return states
    .filter(({ name }) => name !== '' && !/^(?=.*\S)[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u.test(name))
    .map(({ name }) => ({
      ...invalid(
        [...path, 'states', name],
        'the name of a state must be one line of 1 to 200 characters',
        'Remove its line breaks and tabs, or shorten it.',
      ),
      at: 'key',
    }));
}

function checkBase(list: ReadableList, page: ReadablePage): Finding[] {
  const { base } = { ...list.defaults, ...page.page };
  if (base !== false || statesOf(list, page)?.length !== 0) return [];
  const path = ['pages', page.index, ...(page.page.base === false ? ['base'] : [])];
  return [invalid(path, 'with "base: false" and no states, this page has no shot', 'Add "states", or remove "base".')];
}
