import type { z } from 'zod';
import {
  type PageFieldsInput,
  type PageInput,
  pageFieldsSchema,
  pageSchema,
  type ShotFieldsInput,
  shotFieldsSchema,
  type ViewportInput,
  viewportSchema,
} from '../model/page-list.js';
import { isMapping, valueAt } from './finding.js';

/** What of a list can be read although other parts of it are wrong: enough to find what no schema can. */
export interface ReadableList {
  /** The viewports that are right, by name. */
  readonly viewports: Readonly<Record<string, ViewportInput>>;
  /** The names of all viewports, right or wrong; null where they cannot be told. */
  readonly viewportNames: readonly string[] | null;
  readonly defaults: PageFieldsInput;
  /** The states that a page has which names none itself; null where they cannot be told. */
  readonly states: readonly ReadableState[] | null;
  readonly pages: readonly ReadablePage[];
}

/** A page of which at least the URL could be read. */
export interface ReadablePage {
  /** Which item of `pages`. */
  readonly index: number;
  readonly page: PageInput;
  /** Whether it is the short form, a URL only. */
  readonly isShort: boolean;
  /** Whether nothing is wrong in what its shots are named by. */
  readonly isNameable: boolean;
  /** The states that the page names itself; undefined where it names none, null where they cannot be told. */
  readonly states: readonly ReadableState[] | null | undefined;
}

/** A state, without the fields that are wrong in it. */
export interface ReadableState {
  readonly name: string;
  readonly fields: ShotFieldsInput;
  /** Whether nothing is wrong in what its shots are named by. */
  readonly isNameable: boolean;
}

/** Reads what can be read of a list, leaving out every field that is wrong. Throws nothing. */
export function readReadable(list: unknown): ReadableList {
  const { viewports, defaults, pages } = isMapping(list) ? list : {};
  const readDefaults = readFields(pageFieldsSchema, defaults ?? {});
  const isNameable = (viewports === undefined || isNamed(viewports)) && !readDefaults.wrong.has('viewports');
  return {
    viewports: readViewports(viewports),
    viewportNames: isNameable ? Object.keys(viewports ?? {}) : null,
    defaults: readDefaults.fields ?? {},
    states: readStates(valueAt(defaults, ['states'])) ?? (readDefaults.wrong.has('states') ? null : []),
    pages: (Array.isArray(pages) ? pages : []).flatMap((page, index) => readPage(page, index, isNameable)),
  };
}

/** Is it a mapping of names, and not a list? */
function isNamed(value: unknown): value is Record<string, unknown> {
  return isMapping(value) && !Array.isArray(value);
}

function readViewports(viewports: unknown): Record<string, ViewportInput> {
  const entries = Object.entries(isNamed(viewports) ? viewports : {});
  return Object.fromEntries(entries.flatMap(([name, viewport]) => readViewport(name, viewport)));
}

function readViewport(name: string, viewport: unknown): [string, ViewportInput][] {
  const { data } = viewportSchema.safeParse(viewport);
  return data ? [[name, data]] : [];
}

function readPage(page: unknown, index: number, isNameable: boolean): ReadablePage[] {
  const isShort = typeof page === 'string';
  const { fields, wrong } = readFields(pageSchema, isShort ? { url: page } : page);
  const isRight = !wrong.has('name') && !wrong.has('viewports');
  const states = readStates(valueAt(page, ['states']));
  return fields ? [{ index, page: fields, isShort, isNameable: isNameable && isRight, states }] : [];
}

function readStates(states: unknown): ReadableState[] | null | undefined {
  if (states === undefined) return undefined;
  if (!isNamed(states)) return null;
  return Object.entries(states).map(([name, state]) => {
    const { fields, wrong } = readFields(shotFieldsSchema, state);
    return { name, fields: fields ?? {}, isNameable: !wrong.has('viewports') };
  });
}

/** Reads a mapping without the fields that are wrong in it. */
function readFields<T>(schema: z.ZodType<T>, value: unknown): { fields: T | undefined; wrong: ReadonlySet<unknown> } {
  const whole = schema.safeParse(value);
  if (whole.success || !isMapping(value)) return { fields: whole.data, wrong: new Set() };
  const wrong = new Set<unknown>(
    whole.error.issues.flatMap((issue) => {
      const [field] = issue.path;
      return field === undefined && issue.code === 'unrecognized_keys' ? issue.keys : [field];
    }),
  );
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.has(key)));
  return { fields: schema.safeParse(rest).data, wrong };
}
