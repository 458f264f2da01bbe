import { invalid, type ListIssue, mapLeaves, type Path } from '../issue.js';
import { isSecret } from '../secrets.js';

/** Placeholder for a string whose variable is not filled in. No field allows a symbol, so no other check reads it. */
export const UNFILLED = Symbol('unfilled');

/** The variables of an environment, such as `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\$\{|\$\{([^}]*)(\}?)/g;
const BODY = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Fills in `${NAME}` and `${NAME:-default}` in every string of a list, as a shell does: the default also replaces an
 * empty value. The inserted value is not expanded again. `$${` becomes `${`.
 *
 * @returns the list, with {@link UNFILLED} for each string that could not be filled, and an issue for each of them:
 * `env-unset`, or `list-invalid` if the braces contain no name. No issue contains the value of a variable.
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

function readVariable(name: string, env: Variables): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

function fillText(text: string, path: Path, env: Variables, findings: ListIssue[]): string | typeof UNFILLED {
  const before = findings.length;
  const filled = text.replace(REFERENCE, (reference, body: string | undefined, close: string | undefined) => {
    if (body === undefined) return '${';
    const [, name, fallback] = BODY.exec(body) ?? [];
    if (!name || !close || fallback?.includes('${')) findings.push(malformed(path, reference));
    else return readVariable(name, env) || (fallback ?? readVariable(name, env) ?? missing(path, name, findings));
    return '';
  });
  return findings.length === before ? filled : UNFILLED;
}

function missing(path: Path, name: string, findings: ListIssue[]): string {
  const advice = `Set it, or write \${${name}:-default}. To write the literal text, use $\${${name}}.`;
  findings.push({ ...invalid(path, `environment variable ${name} is not set`, advice), code: 'env-unset' });
  return '';
}

function malformed(path: Path, reference: string): ListIssue {
  const found = isSecret(path)
    ? '"${" is not followed by the name of an environment variable'
    : `${JSON.stringify(reference.slice(0, 60))} is not a reference to an environment variable`;
  const advice = `Write \${NAME} or \${NAME:-default}, without a nested \${. To write the literal text, use $\${.`;
  return invalid(path, found, advice);
}
