import { actionSchema, waitFieldsSchema } from '../model/list-steps.js';
import { checkSelector } from './check-selectors.js';
import { type Finding, invalid, isMapping, type Path } from './finding.js';
import { type RawMapping, rawOwnersOf } from './owners.js';
import { valueNameOf } from './place.js';

/** Something of which one key is to be written. */
interface Choice {
  readonly keys: readonly string[];
  readonly advice: string;
}

const ACTION: Choice = {
  keys: Object.keys(actionSchema.shape),
  advice: 'Write each action as an item of its own, in the order in which they are done.',
};
const WAIT: Choice = {
  keys: Object.keys(waitFieldsSchema.shape),
  advice: 'Write them apart, each as an item of the list; all of them are waited for.',
};

/** Finds actions and waits that are none or two at once, places that are none, and empty selectors in them. */
export function checkSteps(filled: unknown, written: unknown): Finding[] {
  return rawOwnersOf(filled).flatMap((owner) => [
    ...itemsOf(owner, 'waitFor').flatMap(([path, wait]) => checkWait(path, wait, written)),
    ...itemsOf(owner, 'actions').flatMap(([path, action]) => checkAction(path, action, written)),
  ]);
}

function itemsOf({ path, fields }: RawMapping, field: string): [Path, unknown][] {
  const value = fields[field];
  if (!Array.isArray(value)) return [[[...path, field], value]];
  return value.map((item, index) => [[...path, field, index], item]);
}

function checkWait(path: Path, wait: unknown, written: unknown): Finding[] {
  if (!isMapping(wait)) return checkSelector(path, wait, written);
  return [...checkKeys(path, wait, WAIT), ...checkSelector([...path, 'selector'], wait.selector, written)];
}

function checkAction(path: Path, action: unknown, written: unknown): Finding[] {
  if (!isMapping(action) || Array.isArray(action)) return [];
  const { click, hover, fill, press, scrollTo, wait } = action;
  const selectors = Object.entries({ click, hover, scrollTo });
  return [
    ...checkKeys(path, action, ACTION),
    ...selectors.flatMap(([key, selector]) => checkSelector([...path, key], selector, written)),
    ...Object.entries({ fill, press }).flatMap(([key, inner]) =>
      isMapping(inner) ? checkSelector([...path, key, 'selector'], inner.selector, written) : [],
    ),
    ...(scrollTo === 'bottom' ? [noPlace([...path, 'scrollTo'])] : []),
    ...checkWait([...path, 'wait'], wait, written),
  ];
}

/** An unknown key is told of already, with the one that was meant. */
function checkKeys(path: Path, step: object, { keys, advice }: Choice): Finding[] {
  const found = Object.keys(step);
  if (Array.isArray(step) || found.length === 1 || found.some((key) => !keys.includes(key))) return [];
  const name = valueNameOf(path);
  if (found.length === 0) return [invalid(path, `${name} is empty`, `Write one of ${keys.join(', ')}.`)];
  return [invalid(path, `${name} has ${found.map((key) => `"${key}"`).join(' and ')}`, advice)];
}

function noPlace(path: Path): Finding {
  const advice = 'Write a selector, such as "footer", or a number of pixels from the top.';
  return invalid(path, '"scrollTo" has no place named "bottom": a page may grow', advice);
}
