import type { PageFieldsInput, PageInput, ViewportInput } from '../../model/page-list.js';
import { VIEWPORT_BOUNDS } from '../../model/viewport.js';

/** A page list as it is made out of another tool's. */
export interface ImportedList {
  readonly baseURL: string | null;
  readonly viewports: Readonly<Record<string, ViewportInput>>;
  readonly defaults: PageFieldsInput;
  readonly pages: readonly ImportedPage[];
  /** What is to be known of the list as a whole: what has no equivalent, or means something else here. */
  readonly notes: readonly string[];
}

/** A page of it, and what is to be known of it. */
export interface ImportedPage {
  readonly page: PageInput;
  readonly notes: readonly string[];
}

/** What one field of another tool becomes. */
export interface Converted {
  readonly fields?: Partial<PageInput>;
  readonly note?: string;
}

/** What is made of a field's value; undefined: it has no equivalent. */
export type Rule = (value: unknown) => Converted | undefined;

/**
 * Converts the fields of another tool by rules, in the order of the rules. Actions add up, and so does code. A field
 * that has no rule, or a value that its rule cannot use, becomes a note.
 */
export function convertFields(
  source: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Rule>>,
): { fields: Partial<PageInput>; notes: string[] } {
  const notes: string[] = [];
  let fields: Partial<PageInput> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value = source[name];
    if (isNothing(value)) continue;
    const converted = rule(value) ?? { note: `${name} has no equivalent here` };
    fields = join(fields, converted.fields ?? {});
    if (converted.note !== undefined) notes.push(converted.note);
  }
  for (const [name, value] of Object.entries(source)) {
    if (!Object.hasOwn(rules, name) && !isNothing(value)) notes.push(`${name} has no equivalent here`);
  }
  return { fields, notes };
}

/** Gives what a tool of many words writes as one text or a list of them. */
export function textsOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string').filter((item) => item !== '');
}

/** Gives a mapping; that of anything else is empty. */
export function mappingOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** Gives the items of a list; those of anything else are none. */
export function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What is not set, or set to nothing. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A rule for what is waited, in milliseconds there and in seconds here. */
export function delayRule(name: string): Rule {
  return (value) => {
    if (typeof value !== 'number' || value < 0) return undefined;
    const delay = Math.min(10, value / 1000);
    const note = `${name}: ${value} ms; more than 10 s is not waited here, name what is waited for under waitFor`;
    return value > 10_000 ? { fields: { delay }, note } : { fields: { delay } };
  };
}

/** A rule for what is true of a page, and needs nothing to be said here. */
export const silent: Rule = () => ({});

/** A rule for what is to be done otherwise. */
export function told(note: string): Rule {
  return () => ({ note });
}

/** Brings a size into the bounds that the list has. */
export function viewportOf(width: number, height: number): ViewportInput {
  const bounded = (value: number, { min, max }: { readonly min: number; readonly max: number }) =>
    Math.min(max, Math.max(min, Math.round(value)));
  return { width: bounded(width, VIEWPORT_BOUNDS.width), height: bounded(height, VIEWPORT_BOUNDS.height) };
}

function join(fields: Partial<PageInput>, more: Partial<PageInput>): Partial<PageInput> {
  const code = [fields.javascriptCode, more.javascriptCode].filter((part) => part !== undefined);
  const actions = [...(fields.actions ?? []), ...(more.actions ?? [])];
  return {
    ...fields,
    ...more,
    ...(actions.length > 0 && { actions }),
    ...(code.length > 0 && { javascriptCode: code.join('\n') }),
  };
}
