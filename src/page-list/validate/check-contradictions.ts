import type { ShotFieldsInput } from '../../model/list/page-list.js';
import { invalid, type ListIssue, type Path } from '../issue.js';
import { mergeShotFields, shotFieldsOf } from '../resolve/resolve-plan.js';
import { type ReadableList, type ReadablePage, statePath, statesOf } from '../schema/readable-list.js';

/** The own fields of a field scope, with the fields that it inherits. */
interface Scope {
  readonly path: Path;
  readonly inherited: ShotFieldsInput;
  readonly own: ShotFieldsInput;
}

interface Contradiction {
  /** The error is reported at the first of these fields that the scope has. */
  readonly fields: readonly (keyof ShotFieldsInput)[];
  readonly isIn: (fields: ShotFieldsInput) => boolean;
  readonly found: string;
  readonly advice: string;
}

const IDLE_FULL_SIZE = {
  found: '"fullSize" has no effect together with "element"',
  advice: 'Remove "fullSize": the whole element is always captured.',
};

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    fields: ['element', 'format'],
    isIn: ({ element, format }) => element !== undefined && format === 'pdf',
    found: '"element" cannot be used with "format: pdf"',
    advice: 'Remove "element", because a PDF contains the whole page, or use an image format such as png.',
  },
  {
    fields: ['mask', 'format'],
    isIn: ({ mask, format }) => mask !== undefined && mask.length > 0 && format === 'pdf',
    found: '"mask" cannot be used with "format: pdf"',
    advice: 'Use "hide" or "remove", which also apply to a PDF, or use an image format such as png.',
  },
  {
    fields: ['ignore', 'format'],
    isIn: ({ ignore, format }) => ignore !== undefined && [ignore].flat().length > 0 && format === 'pdf',
    found: '"ignore" cannot be used with "format: pdf"',
    advice: 'Use "hide" or "remove", which also apply to a PDF, or use an image format such as png.',
  },
];

/** Finds fields that contradict each other. Reports each contradiction once, at the scope that completes it. */
export function checkContradictions(list: ReadableList): ListIssue[] {
  const defaults = shotFieldsOf(list.defaults);
  return [
    ...checkScope({ path: ['defaults'], inherited: {}, own: defaults }),
    ...(list.states ?? []).flatMap(({ name, fields }) =>
      checkScope({ path: ['defaults', 'states', name], inherited: defaults, own: fields }),
    ),
    ...list.pages.flatMap((page) => checkPage(list, page)),
  ];
}

function checkPage(list: ReadableList, page: ReadablePage): ListIssue[] {
  const defaults = shotFieldsOf(list.defaults);
  const { path } = page;
  const own = shotFieldsOf(page.page);
  const inherited = mergeShotFields(defaults, own);
  const states = statesOf(list, page) ?? [];
  return [
    ...checkScope({ path, inherited: defaults, own }),
    ...states.flatMap(({ name, fields }) =>
      page.states
        ? checkScope({ path: statePath(page, name), inherited, own: fields })
        : checkInherited({ path, inherited, own: fields }, defaults),
    ),
  ];
}

function checkScope({ path, inherited, own }: Scope): ListIssue[] {
  return [
    ...(hasIdleFullSize(inherited, own)
      ? [atKey([...path, 'fullSize'], IDLE_FULL_SIZE.found, IDLE_FULL_SIZE.advice)]
      : []),
    ...contradictionsIn(inherited, own).map(({ fields, found, advice }) =>
      atKey([...path, fields.find((field) => own[field] !== undefined) ?? 'format'], found, advice),
    ),
  ];
}

/** Finds states of the defaults that contradict a page. Reports them at the page. */
function checkInherited({ path, inherited, own }: Scope, defaults: ShotFieldsInput): ListIssue[] {
  const reported = contradictionsIn(defaults, own);
  return contradictionsIn(inherited, own)
    .filter((contradiction) => !reported.includes(contradiction))
    .map(({ found, advice }) => invalid(path, found, advice));
}

/** Checks only the scope's own `fullSize`. An inherited one is valid with `element`, because it is for other pages. */
function hasIdleFullSize(inherited: ShotFieldsInput, own: ShotFieldsInput): boolean {
  return own.fullSize === true && mergeShotFields(inherited, own).element !== undefined;
}

function contradictionsIn(inherited: ShotFieldsInput, own: ShotFieldsInput): Contradiction[] {
  const merged = mergeShotFields(inherited, own);
  return CONTRADICTIONS.filter(({ isIn }) => isIn(merged) && !isIn(inherited));
}

function atKey(path: Path, found: string, advice: string): ListIssue {
  return { ...invalid(path, found, advice), at: 'key' };
}
