import { actionSchema } from '../model/list-steps.js';
import { keysOf, type ListSchema, renderAllowed, schemasAt } from './allowed.js';
import type { Finding, Path } from './finding.js';
import { adviseName, nearest } from './nearest.js';
import { isPageLike, placeOf } from './place.js';
import { isPieceOfSecret } from './secrets.js';

/** A key of a mapping that the mapping does not have. */
interface UnknownKey {
  /** Of the mapping. */
  readonly path: Path;
  readonly key: string;
}

/**
 * Tells about a key that a mapping does not have: where it belongs, or which one was meant.
 *
 * @param isSuggested false where nothing is looked for: see `findProblems`.
 */
export function unknownKey(
  schema: ListSchema,
  { path, key }: UnknownKey,
  value: unknown,
  isSuggested: boolean,
): Finding {
  const at = { path: [...path, key], at: 'key', code: 'list-invalid' } as const;
  if (isPieceOfSecret(at.path, value)) return { ...at, ...PIECE };
  const bare = { found: `"${key}" is not a field of ${placeOf(path)}`, advice: 'Correct it, or remove it.' };
  return { ...at, ...(isSuggested ? tell(schema, path, key) : bare) };
}

/** Gives the key that was probably meant by one that a mapping does not have. */
export function meantKey(schema: ListSchema, path: Path, key: string): string | undefined {
  return nearest(key, keysOf(schemasAt(schema, path)));
}

/** See {@link isPieceOfSecret}. */
const PIECE = {
  found: 'here stands a key without a value (not shown here)',
  advice: 'A text with a comma in it needs quotes.',
};

function tell(schema: ListSchema, path: Path, key: string): Pick<Finding, 'found' | 'advice'> {
  const schemas = schemasAt(schema, path);
  const keys = keysOf(schemas);
  const place = placeOf(path);
  if (keys.length === 0) return { found: `"${key}" cannot be a name in ${place}`, advice: 'Write a name.' };
  if (keys.includes(key)) {
    return {
      found: `"${key}" does not go with the other fields of ${place}`,
      advice: `Write ${renderAllowed(schemas)}.`,
    };
  }
  return {
    found: `"${key}" is not a field of ${place}`,
    advice: adviseElsewhere(schema, path, key) ?? adviseName(key, keys),
  };
}

const ACTIONS = Object.keys(actionSchema.shape);

/** What other tools have in a cookie. */
const OF_COOKIES: Readonly<Record<string, string>> = {
  domain: 'Leave it out: a cookie goes to the host of its page.',
  expires: 'Leave it out: a cookie lasts as long as its shot.',
};

/** Gives the advice for a key that is right, but not here. */
function adviseElsewhere(schema: ListSchema, path: Path, key: string): string | undefined {
  if (path.includes('cookies')) return Object.hasOwn(OF_COOKIES, key) ? OF_COOKIES[key] : undefined;
  if (isPageLike(path) && ACTIONS.includes(key)) return `It is an action: write "actions: [{ ${key}: ... }]".`;
  if (path.length > 0 && !isPageLike(path) && path[0] !== 'viewports') return undefined;
  const isKeyOf = (other: Path) => keysOf(schemasAt(schema, other)).includes(key);
  if (path.length === 0 && isKeyOf(['defaults'])) return 'It is a field of a page: put it there, or under "defaults".';
  if (isKeyOf(['pages', 0])) return 'It is a field of a page: put it there.';
  return isKeyOf([]) ? 'It stands at the top of the list.' : undefined;
}
