import { request } from 'node:http';
import { join } from 'node:path';
import { serveBy } from '../../../fixtures/serve.mjs';
import { CORPUS } from '../pages.mjs';
import { writeChange, wrongValueOf } from './changes.mjs';
import { writePage } from './own-pages.mjs';
import { writeRealPage } from './real-pages.mjs';
import { createValues } from './values.mjs';

/**
 * Serves pages with texts that differ in each response: `/own/NAME/` is a page of `own`, and each other path one of `site`.
 *
 * @param site the address of a server of the real pages and of the fonts, which lie in the corpus
 * @param pages `{ path, own, fields }`: `own` is a page, or undefined for a real one
 * @returns its address; `show`, which sets the changes by path and the seed (null: another one in each response); and `close`
 */
export async function serveTexts(site, pages) {
  let changes = new Map();
  let [seed, responses] = [null, 0];
  const byPath = new Map(pages.map((page) => [`/${page.path}`, page]));
  const server = await serveBy((incoming, outgoing) => {
    const path = decodeURIComponent(incoming.url.split('?')[0]);
    const text = write(path);
    if (text === undefined) return forward(site, incoming, outgoing);
    outgoing.writeHead(200, {
      'content-type': `${path.endsWith('.json') ? 'application/json' : 'text/html'}; charset=utf-8`,
      'cache-control': 'no-store',
    });
    outgoing.end(text);
  });

  function write(path) {
    const [, base, file] = /^(.*\/)([\w-]+\.json)$/.exec(path) ?? [];
    const page = byPath.get(path) ?? byPath.get(base);
    if (!page) return undefined;
    const change = changes.get(page.path);
    const values = createValues(seed ?? ++responses * 7919, wrongValueOf(change));
    if (!byPath.has(path)) return page.own?.files?.[file]?.(values);
    const html = page.own ? writePage(page.own, values) : writeRealPage(join(CORPUS, page.path), values);
    const script = writeChange(change, page.fields);
    return html.replace(/(?=<\/body>)|$/i, () => script);
  }

  return {
    ...server,
    show(next, fixed = null) {
      [changes, seed] = [next, fixed];
    },
  };
}

/** Answers a request as a site does. */
export function forward(site, { url, method, headers }, outgoing) {
  const inner = request(`${site}${url}`, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode, response.headers);
    response.pipe(outgoing);
  });
  inner.on('error', () => outgoing.destroy());
  inner.end();
}
