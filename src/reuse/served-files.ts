import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import type { ServedFolder } from '../model/index.js';

/** What a served folder answers for a path. It depends on nothing but the folder and the path. */
export interface Answer {
  readonly status: 200 | 301 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** SHA-256 of all of it, in hexadecimal. */
  readonly digest: string;
}

/**
 * Returns the answer for the path of a URL. As on usual hosts of static sites:
 *
 * - `/about` is `about`, else `about.html`, else it leads to `/about/`, which is `about/index.html`;
 * - a path without a file is `fallback` if its last part has no extension, else `404.html` with status 404.
 *
 * @param path - absolute, percent-encoded, without a query
 */
export function answerFor({ folder, base, fallback }: ServedFolder, path: string): Answer {
  if (`${path}/` === base) return redirectTo(base);
  const name = path.startsWith(base) ? decodeName(path.slice(base.length)) : null;
  if (name !== null) {
    const isFolder = name === '' || name.endsWith('/');
    for (const file of isFolder ? [`${name}index.html`] : [name, `${name}.html`]) {
      const body = readWithin(folder, file);
      if (body !== null) return fileAnswer(200, file, body);
    }
    if (!isFolder && readWithin(folder, `${name}/index.html`) !== null) return redirectTo(`${path}/`);
    const page = fallback !== null && !/\.[^/]*$/.test(name) ? readWithin(folder, fallback) : null;
    if (fallback !== null && page !== null) return fileAnswer(200, fallback, page);
  }
  return fileAnswer(404, '404.html', readWithin(folder, '404.html') ?? Buffer.from('Not found'));
}

function decodeName(path: string): string | null {
  try {
    const name = decodeURIComponent(path);
    return /^\/|\/\/|\\|\0|(^|\/)\.\.?(\/|$)/.test(name) ? null : name;
  } catch {
    return null;
  }
}

/** Reads a file; null if there is none of exactly this name, or if a symbolic link leads out of the folder. */
function readWithin(folder: string, name: string): Buffer | null {
  try {
    const [root, path] = [realpathSync.native(folder), realpathSync.native(join(folder, name))];
    if (!path.startsWith(root + sep) || differsInCase(join(root, name), path, process.platform)) return null;
    return statSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

/**
 * Checks whether a file was found under a name in another case, as macOS and Windows do. On Linux, and on the host of the site, there is no
 * such file.
 *
 * @param path - where the file was looked for
 * @param found - its path on the disk
 */
export function differsInCase(path: string, found: string, platform: NodeJS.Platform): boolean {
  if (platform !== 'darwin' && platform !== 'win32') return false;
  const [asked, real] = [path.normalize('NFC'), found.normalize('NFC')];
  return asked !== real && asked.toLowerCase() === real.toLowerCase();
}

function redirectTo(location: string): Answer {
  return withDigest(301, { location }, Buffer.alloc(0));
}

function fileAnswer(status: 200 | 404, file: string, body: Buffer): Answer {
  return withDigest(status, { 'content-type': getMimeType(file) ?? 'application/octet-stream' }, body);
}

function withDigest(status: Answer['status'], headers: Answer['headers'], body: Buffer): Answer {
  const digest = createHash('sha256')
    .update(JSON.stringify([status, headers]))
    .update(body)
    .digest('hex');
  return { status, headers, body, digest };
}
