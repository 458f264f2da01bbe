import {
  LAYOUT_SIZE,
  type Structure,
  type StructureElement,
  type StyleAnswer,
  type StyleQuestion,
} from '../model/index.js';
import type { Edit, StructureChange } from './find-edits.js';

/** An edit that the page declares or contains, so that it can be a cause. */
export interface AdmittedEdit extends Edit {
  readonly source: StyleAnswer['source'];
  /** False if the edit may be a consequence of another one. */
  readonly certain: boolean;
}

/** Maximum number of elements whose declarations are asked for. */
const MAX_ASKED = 50;

/**
 * Lists the declarations to look up: one for each group of elements that changed alike. Values of the cascade come first, sizes last,
 * those of the smallest elements first: a container resizes with its content.
 */
export function listQuestions({ after, edits }: StructureChange): StyleQuestion[] {
  const groups = new Map<string, StyleQuestion & { readonly order: number }>();
  for (const edit of edits) {
    if (edit.property === null || edit.after === null) continue;
    const [, , width = 0, height = 0] = after.elements[edit.after]?.box ?? [];
    const order = !edit.needsRule ? 0 : isSize(edit.property) ? 2 + width * height : 1;
    const key = groupOf(edit, after);
    if (!groups.has(key)) groups.set(key, { element: edit.after, property: edit.property, order });
  }
  const questions = [...groups.values()].toSorted((a, b) => a.order - b.order);
  const asked = [...new Set(questions.map(({ element }) => element))].slice(0, MAX_ASKED);
  return questions
    .filter(({ element }) => asked.includes(element))
    .map(({ element, property }) => ({ element, property }));
}

/** Equal for elements of one kind that changed in the same way: one declaration explains all of them. */
function groupOf({ property, from, to, after: index }: Edit, after: Structure): string {
  const { tag, classes } = after.elements[index ?? -1] ?? {};
  return JSON.stringify([property, from, to, tag, classes]);
}

/** Returns the edits that can be causes: those of content, those of the cascade, and those of the layout that the page declares. */
export function admitEdits(change: StructureChange, answers: readonly StyleAnswer[]): AdmittedEdit[] {
  const known = new Map<string, StyleAnswer>();
  for (const answer of answers) {
    const edit = change.edits.find(({ after, property }) => after === answer.element && property === answer.property);
    if (edit) known.set(groupOf(edit, change.after), answer);
  }
  return change.edits.flatMap((edit): AdmittedEdit[] => {
    if (edit.property === null) return [{ ...edit, source: null, certain: edit.kind !== 'moved' }];
    const answer = known.get(groupOf(edit, change.after));
    if (!edit.needsRule) return [{ ...edit, source: answer?.source ?? null, certain: true }];
    if (!answer) return [];
    const certain = isDeclared(edit, answer, change);
    return certain === null ? [] : [{ ...edit, source: answer.source, certain }];
  });
}

function isSize(property: string): property is 'width' | 'height' {
  return property === 'width' || property === 'height';
}

/** Checks whether a declaration is why a value of the layout changed; null: it is a consequence of something else. */
function isDeclared(edit: Edit, { value }: StyleAnswer, change: StructureChange): boolean | null {
  const { property, from, to } = edit;
  if (property === null) return null;
  // The declaration was removed: the value is the initial one. Insets also change with the position.
  if (value === null) {
    const isPositioned = change.edits.some((other) => other.after === edit.after && other.property === 'position');
    const isRemoved = isInitial(property, to) && !isInitial(property, from);
    return isRemoved && !(INSET.test(property) && isPositioned) ? true : null;
  }
  if (property === 'display') return value === to ? true : null;
  if (property.startsWith('transform')) return !value.includes('%');
  if (LAYOUT_SIZE.test(value)) return null;
  const length = pixelsOf(value);
  if (isSize(property)) return isDeclaredSize(edit, property, length, change);
  return length === null || length === pixelsOf(to ?? '') ? true : null;
}

const INSET = /^(top|right|bottom|left)$/;

function isInitial(property: string, value: string | null): boolean {
  if (/^(width|height|display)$/.test(property)) return false;
  return value === (property.startsWith('margin') ? '0px' : INSET.test(property) ? 'auto' : 'none');
}

/** A declared size is a cause if the element has it now, with or without padding and border, and did not have it before. */
function isDeclaredSize(
  { before, after }: Edit,
  property: 'width' | 'height',
  length: number | null,
  change: StructureChange,
): boolean | null {
  // The value of a relative length, of `calc()` or of a variable before is not known.
  if (length === null) return false;
  const isLength = (size: number) => Math.abs(size - length) <= 1;
  const had = sizesOf(change.before, before, property).map(isLength);
  const has = sizesOf(change.after, after, property).map(isLength);
  return has.some((is, index) => is && !had[index]) && !had.some((is, index) => is && has[index]) ? true : null;
}

/** Returns the outer size of an element, and its size without padding and border. */
function sizesOf(structure: Structure, index: number | null, property: 'width' | 'height'): number[] {
  const element = structure.elements[index ?? -1];
  if (!element) return [];
  const [start, end] = property === 'width' ? ['left', 'right'] : ['top', 'bottom'];
  const names = [start, end].flatMap((side) => [`padding-${side}`, `border-${side}-width`]);
  const outer = element.box[property === 'width' ? 2 : 3];
  return [outer, names.reduce((size, name) => size - (pixelsOf(styleOf(structure, element, name)) ?? 0), outer)];
}

/** Returns the computed style of an element; empty if the structure does not have it. */
export function styleOf({ properties, styles }: Structure, { style = -1 }: StructureElement, property: string): string {
  return styles[style]?.[properties.indexOf(property)] ?? '';
}

function pixelsOf(value: string): number | null {
  return /^-?[\d.]+px$/.test(value) || value === '0' ? Number.parseFloat(value) : null;
}
