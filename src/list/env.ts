import { invalid, type ListIssue, mapLeaves, type Path } from './issue.js';

/** Matches keys that may hold a secret, even if they are misspelt or misplaced. */
const SECRET = /^(?:set-?)?cookie|header|credential|passw|secret|token|authori[sz]ation|api-?key/i;

const PUBLIC_COOKIE_FIELDS: ReadonlySet<unknown> = new Set(['name', 'path', 'httpOnly', 'secure', 'sameSite']);

/** Field names of the page list that {@link SECRET} matches or that hold secrets. The names themselves are not secret. */
const PUBLIC_KEYS: ReadonlySet<unknown> = new Set('headers cookies httpCredentials username password fill'.split(' '));

const PLACEHOLDERS: Readonly<Record<string, symbol>> = {
  string: Symbol('a string'),
  number: Symbol('a number'),
  boolean: Symbol('a boolean'),
};

/** Returns the list as written, with a symbol in place of each secret, for messages. A string of variables alone is unchanged. */
export function withoutSecrets(written: unknown): unknown {
  return mapLeaves(written, (value, path) =>
    value !== '' && isLiteralSecret(value, path) ? (PLACEHOLDERS[typeof value] ?? value) : value,
  );
}

/** Checks whether a list has a secret that is written literally, not as variables. */
export function hasLiteralSecret(written: unknown): boolean {
  let isFound = false;
  mapLeaves(written, (value, path) => {
    // An empty value counts too: YAML may have read a secret that starts with # as a comment.
    isFound ||= isLiteralSecret(value, path);
  });
  return isFound;
}

/** Checks whether the value at a path is secret: a header, a cookie, a password or the value of `fill`. */
export function isSecret(path: Path): boolean {
  if (path.at(-1) === 'value') return true;
  const at = path.findIndex((step, index) => isKey(path, index) && SECRET.test(String(step)));
  const [item, field, ...deeper] = path.slice(at + 1);
  if (at >= 0) return !(typeof item === 'number' && PUBLIC_COOKIE_FIELDS.has(field) && deeper.length === 0);
  const fill = path.findIndex((step, index) => isKey(path, index) && step === 'fill');
  return fill >= 0 && path[fill + 1] !== 'selector';
}

/** Checks whether a key without a value may be part of a secret: `thing` in `{ password: some,thing }`. */
export function isSecretFragment(path: Path, value: unknown): boolean {
  return value === null && isSecret(path) && path.at(-1) !== 'value' && !PUBLIC_KEYS.has(path.at(-1));
}

/** Checks whether a text that cannot be parsed may contain a secret. */
export function mentionsSecret(text: string): boolean {
  return /\b(headers|cookies|httpCredentials|password|fill)\b/i.test(text);
}

function isLiteralSecret(value: unknown, path: Path): boolean {
  if (!isSecret(path)) return isWholeCookie(value, path);
  return typeof value !== 'string' || !/^(?:\$\{[A-Za-z_][A-Za-z0-9_]*\})+$/.test(value);
}

/** Checks for a cookie name that contains the value as well: `name: session=abc`. */
function isWholeCookie(value: unknown, path: Path): boolean {
  return path.at(-3) === 'cookies' && path.at(-1) === 'name' && typeof value === 'string' && value.includes('=');
}

/** Checks whether a step of a path is a field name, not an index and not a name chosen by the user. */
function isKey(path: Path, index: number): boolean {
  const parent = path[index - 1];
  return typeof path[index] === 'string' && parent !== 'states' && parent !== 'viewports';
}

/** Placeholder for a string whose variable is not filled in. No field allows a symbol, so no other check reads it. */
export const UNFILLED = Symbol('unfilled');

export type Variables = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\$\{|\$\{([^}]*)(\}?)/g;
const BODY = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Fills in `${NAME}` and `${NAME:-default}` in every string of a list, as a shell does: the default also replaces an empty value. The
 * inserted value is not expanded again. `$${` becomes `${`. A string that could not be filled is {@link UNFILLED}, with an issue.
 */
export function fillEnv(value: unknown, env: Variables): { value: unknown; findings: readonly ListIssue[] } {
  const findings: ListIssue[] = [];
  const fill = (leaf: unknown, path: Path) => (typeof leaf === 'string' ? fillText(leaf, path, env, findings) : leaf);
  return { value: mapLeaves(value, fill), findings };
}

/** Checks whether a string, as written, refers to an environment variable. */
export function refersToEnv(text: unknown): text is string {
  return typeof text === 'string' && /(?<!\$)\$\{/.test(text);
}

function fillText(text: string, path: Path, env: Variables, findings: ListIssue[]): string | typeof UNFILLED {
  const before = findings.length;
  const filled = text.replace(REFERENCE, (_, body: string | undefined, close: string | undefined) => {
    if (body === undefined) return '${';
    const [, name, fallback] = BODY.exec(body) ?? [];
    const isValid = name && close && !fallback?.includes('${');
    const given = isValid && Object.hasOwn(env, name) ? env[name] : undefined;
    const value = given || (fallback ?? given);
    if (!isValid) findings.push(malformed(path));
    else if (value === undefined) findings.push(missing(path, name));
    return value ?? '';
  });
  return findings.length === before ? filled : UNFILLED;
}

function missing(path: Path, name: string): ListIssue {
  const advice = `Set it, or write \${${name}:-default}. To write the literal text, use $\${${name}}.`;
  return { ...invalid(path, `environment variable ${name} is not set`, advice), code: 'env-unset' };
}

function malformed(path: Path): ListIssue {
  const found = '"${" is not followed by the name of an environment variable';
  const advice = `Write \${NAME} or \${NAME:-default}, without a nested \${. To write the literal text, use $\${.`;
  return invalid(path, found, advice);
}
