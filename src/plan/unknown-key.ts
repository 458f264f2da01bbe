import { keysOf, type ListSchema, renderAllowed, schemasAt } from './allowed.js';
import type { Finding, Path } from './finding.js';
import { adviseName, nearest } from './nearest.js';
import { isFieldNotYet } from './not-yet.js';
import { placeOf } from './place.js';

/** Tells about a key that a mapping does not have: where it belongs, or which one was meant. */
export function unknownKey(schema: ListSchema, path: Path, key: string): Finding {
  const at = { path: [...path, key], at: 'key' } as const;
  if (isPageLike(path) && isFieldNotYet(key)) {
    const found = `this version of proofsheet does not have "${key}" yet`;
    return { ...at, code: 'list-not-yet', found, advice: 'Remove it; a later version has it.' };
  }
  return { ...at, code: 'list-invalid', ...tell(schema, path, key) };
}

/** Gives the key that was probably meant by one that a mapping does not have. */
export function meantKey(schema: ListSchema, path: Path, key: string): string | undefined {
  return nearest(key, keysOf(schemasAt(schema, path)));
}

function isPageLike(path: Path): boolean {
  return path[0] === 'defaults' || path[0] === 'pages';
}

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

/** Gives the advice for a key that is right, but not here. */
function adviseElsewhere(schema: ListSchema, path: Path, key: string): string | undefined {
  const isKeyOf = (other: Path) => keysOf(schemasAt(schema, other)).includes(key);
  if (path.length === 0 && isKeyOf(['defaults'])) return 'It is a field of a page: put it there, or under "defaults".';
  if (isKeyOf(['pages', 0])) return 'It is a field of a page: put it there.';
  return isKeyOf([]) ? 'It stands at the top of the list.' : undefined;
}
