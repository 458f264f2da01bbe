import { isMapping, type Path } from './issue.js';

/** Keys under which a secret may stand, also where they are misspelt or misplaced. */
const SECRET = /^(?:set-?)?cookie|header|credential|passw|secret|token|authori[sz]ation|api-?key/i;

/** What of a cookie in its long form may be shown. */
const PLAIN_OF_COOKIE: ReadonlySet<unknown> = new Set(['name', 'path', 'httpOnly', 'secure', 'sameSite']);

/** Keys of ours among secrets: their names tell nothing. */
const PLAIN_KEYS: ReadonlySet<unknown> = new Set([
  ...['headers', 'cookies', 'httpCredentials', 'username', 'password', 'fill'],
]);

/** What stands for a secret in messages: it tells of what type it is, and not what it says. */
const HIDDEN: Readonly<Record<string, symbol>> = {
  string: Symbol('a text'),
  number: Symbol('a number'),
  boolean: Symbol('a switch'),
};

/** Deeper than anything that is shown of a list. */
const DEEPEST = 12;

/**
 * Returns a list, as it was written, with a symbol for each secret in it: what messages are made of. A text that is nothing
 * but variables stays: it tells no value.
 */
export function withoutSecrets(written: unknown): unknown {
  return mapLeaves(written, [], (value, path) =>
    value !== '' && isLiteralSecret(value, path) ? (HIDDEN[typeof value] ?? value) : value,
  );
}

/** Returns the paths of all secrets that stand in a list as they are, not as variables. */
export function secretPathsOf(written: unknown): Path[] {
  const paths: Path[] = [];
  mapLeaves(written, [], (value, path) => {
    // Where nothing stands, a secret may be in the comment that YAML took it for.
    if (isLiteralSecret(value, path)) paths.push(path);
  });
  return paths;
}

/** Is what stands at a path never to be shown: a header, a cookie, a password, what is filled in? */
export function isSecret(path: Path): boolean {
  if (path.at(-1) === 'value') return true;
  const at = path.findIndex((step, index) => isKey(path, index) && SECRET.test(String(step)));
  const [item, field, ...deeper] = path.slice(at + 1);
  if (at >= 0) return !(typeof item === 'number' && PLAIN_OF_COOKIE.has(field) && deeper.length === 0);
  const fill = path.findIndex((step, index) => isKey(path, index) && step === 'fill');
  return fill >= 0 && path[fill + 1] !== 'selector';
}

/** Is a key that has no value what stood after the comma of a secret, in `{ password: some,thing }`? Then it is not shown. */
export function isPieceOfSecret(path: Path, value: unknown): boolean {
  return value === null && isSecret(path) && path.at(-1) !== 'value' && !PLAIN_KEYS.has(path.at(-1));
}

/** Does a text that cannot be parsed look as if a secret stood in it? */
export function mentionsSecret(text: string): boolean {
  return /\b(headers|cookies|httpCredentials|password|fill)\b/i.test(text);
}

function isLiteralSecret(value: unknown, path: Path): boolean {
  return isSecret(path) ? isLiteral(value) : isWholeCookie(value, path);
}

/** The name of a cookie in which its value stands too: `name: session=abc`. */
function isWholeCookie(value: unknown, path: Path): boolean {
  return path.at(-3) === 'cookies' && path.at(-1) === 'name' && typeof value === 'string' && value.includes('=');
}

function isLiteral(value: unknown): boolean {
  return typeof value !== 'string' || !/^(?:\$\{[A-Za-z_][A-Za-z0-9_]*\})+$/.test(value);
}

/** Is it a key of ours at this step of a path, neither an index nor a name that the user gave? */
function isKey(path: Path, index: number): boolean {
  const around = path[index - 1];
  return typeof path[index] === 'string' && around !== 'states' && around !== 'viewports';
}

function mapLeaves(value: unknown, path: Path, map: (leaf: unknown, path: Path) => unknown): unknown {
  if (!isMapping(value)) return map(value, path);
  if (path.length >= DEEPEST) return {};
  if (Array.isArray(value)) return value.map((item, index) => mapLeaves(item, [...path, index], map));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapLeaves(item, [...path, key], map)]));
}
