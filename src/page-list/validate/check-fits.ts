import type { ShotFieldsInput } from '../../model/list/page-list.js';
import { invalid, type ListIssue, type Path } from '../issue.js';
import { layFields, shotFieldsOf } from '../resolve/merge-fields.js';
import { type ReadableList, type ReadablePage, statePath, statesOf } from '../schema/readable-list.js';

/** Fields laid over others, where they stand together. */
interface Layer {
  readonly path: Path;
  readonly under: ShotFieldsInput;
  readonly own: ShotFieldsInput;
}

interface Contradiction {
  /** The fields of which one is pointed at: the first that the layer has. */
  readonly fields: readonly (keyof ShotFieldsInput)[];
  readonly isIn: (fields: ShotFieldsInput) => boolean;
  readonly found: string;
  readonly advice: string;
}

const IDLE = {
  found: '"fullSize" has no meaning together with "element"',
  advice: 'Remove it: an element is captured whole, however large it is.',
};

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    fields: ['element', 'format'],
    isIn: ({ element, format }) => element !== undefined && format === 'pdf',
    found: '"element" cannot be captured with "format: pdf"',
    advice: 'A PDF is the whole page as it prints: remove "element", or capture it as png.',
  },
  {
    fields: ['mask', 'format'],
    isIn: ({ mask, format }) => mask !== undefined && mask.length > 0 && format === 'pdf',
    found: '"mask" cannot be painted with "format: pdf"',
    advice: 'Use "hide" or "remove", which hold in print too, and mask only pages that are images.',
  },
  {
    fields: ['ignore', 'format'],
    isIn: ({ ignore, format }) => ignore !== undefined && [ignore].flat().length > 0 && format === 'pdf',
    found: '"ignore" has no place in a "format: pdf"',
    advice: 'Use "hide" or "remove", which hold in print too, and ignore parts only of pages that are images.',
  },
];

/** Finds fields that contradict each other, once: where the first of two layers is laid over the other. */
export function checkFits(list: ReadableList): ListIssue[] {
  const defaults = shotFieldsOf(list.defaults);
  return [
    ...checkLayer({ path: ['defaults'], under: {}, own: defaults }),
    ...(list.states ?? []).flatMap(({ name, fields }) =>
      checkLayer({ path: ['defaults', 'states', name], under: defaults, own: fields }),
    ),
    ...list.pages.flatMap((page) => checkPage(list, page)),
  ];
}

function checkPage(list: ReadableList, page: ReadablePage): ListIssue[] {
  const defaults = shotFieldsOf(list.defaults);
  const [path, own] = [['pages', page.index], shotFieldsOf(page.page)];
  const under = layFields(defaults, own);
  const states = statesOf(list, page) ?? [];
  return [
    ...checkLayer({ path, under: defaults, own }),
    ...states.flatMap(({ name, fields }) =>
      page.states
        ? checkLayer({ path: statePath(page, name), under, own: fields })
        : checkInherited({ path, under, own: fields }, defaults),
    ),
  ];
}

function checkLayer({ path, under, own }: Layer): ListIssue[] {
  return [
    ...(hasIdleFullSize(under, own) ? [pointed([...path, 'fullSize'], IDLE.found, IDLE.advice)] : []),
    ...contradictionsIn(under, own).map(({ fields, found, advice }) =>
      pointed([...path, fields.find((field) => own[field] !== undefined) ?? 'format'], found, advice),
    ),
  ];
}

/** A state of the defaults may contradict the page that has it; the page is pointed at. */
function checkInherited({ path, under, own }: Layer, defaults: ShotFieldsInput): ListIssue[] {
  const told = contradictionsIn(defaults, own);
  return contradictionsIn(under, own)
    .filter((contradiction) => !told.includes(contradiction))
    .map(({ found, advice }) => invalid(path, found, advice));
}

/** A `fullSize` that an element is laid over is of no harm: the list means its other pages. */
function hasIdleFullSize(under: ShotFieldsInput, own: ShotFieldsInput): boolean {
  return own.fullSize === true && layFields(under, own).element !== undefined;
}

function contradictionsIn(under: ShotFieldsInput, own: ShotFieldsInput): Contradiction[] {
  const merged = layFields(under, own);
  return CONTRADICTIONS.filter(({ isIn }) => isIn(merged) && !isIn(under));
}

function pointed(path: Path, found: string, advice: string): ListIssue {
  return { ...invalid(path, found, advice), at: 'key' };
}
