import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { type Answer, type Received, type Server, startServer } from './direct.js';
import { config, expect, html, OFFLINE_FLAGS, type Project, SPEC, test, UNSTABLE } from './project.js';

/** What a list is given by the environment, each a text that is nowhere else. */
const SECRETS = {
  HEADER: 'planted-header-5Qx8',
  COOKIE: 'planted-cookie-9Kz2',
  PASSWORD: 'planted-password-3Tn7',
  STORED: 'planted-stored-6Wv1',
  FILLED: 'planted-filled-4Rb0',
  BEFORE: 'planted-before-8Hm5',
};

const { HEADER, COOKIE, PASSWORD, STORED, FILLED, BEFORE } = SECRETS;
const BASIC = Buffer.from(`joe:${PASSWORD}`).toString('base64');

/** A host that is not the page's: the name leads to this machine. */
const STRANGER = 'stranger.test';
/** A host of the page's own site, for the other side of a two-state shot. */
const OTHER_SIDE = 'other-side.test';

/** All ways in which a page may ask for something: each leads to a stranger, straight or by a redirect of its own site. */
function askEverywhere(strangers: readonly string[]): string {
  const asked = strangers.flatMap((url) => [url, `/to?${encodeURIComponent(url)}`]);
  const tags = asked.map(
    (
      url,
    ) => `<img src="${url}/guarded.svg" width="10" height="10"><img src="${url}/image.svg" width="10" height="10"><iframe src="${url}/frame" width="100" height="50"></iframe>
      <link rel="stylesheet" href="${url}/style.css"><script src="${url}/script.js"></script>`,
  );
  return `${tags.join('')}<script>
    for (const url of ${JSON.stringify(asked)}) {
      fetch(url + '/fetch', { mode: 'no-cors', credentials: 'include' }).catch(() => {});
      fetch(url + '/cors', { headers: { 'x-own': '1' } }).catch(() => {});
      navigator.sendBeacon(url + '/beacon', 'x');
    }
  </script>`;
}

const FORM = '<form><input id="text"><input id="word" type="password"><input id="number" type="number"></form>';

/** The site that a secret is for. It lets in only who has all that the path asks for. */
function ownSite(strangers: () => readonly string[]) {
  return ({ url, headers }: Received): Answer => {
    const verb = url.pathname.slice(1);
    if (verb === 'to') return { status: 302, headers: { location: decodeURIComponent(url.search.slice(1)) } };
    const wanted = url.searchParams.get('wants') ?? '';
    if (wanted.includes('password') && headers.authorization !== `Basic ${BASIC}`)
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="Guarded"' }, body: html('<h1>Kept out</h1>') };
    if (wanted.includes('header') && ![HEADER, BEFORE].includes(`${headers['x-token']}`))
      return { status: 403, body: html('<h1>No header</h1>') };
    if (wanted.includes('cookie') && !headers.cookie?.includes(`session=${COOKIE}`))
      return { status: 403, body: html('<h1>No cookie</h1>') };
    switch (verb) {
      case 'gone':
        return { status: 404, body: html('<h1>Gone</h1>') };
      case 'moving':
        return html(`<h1>Moving</h1>${UNSTABLE}`);
      case 'worker.js':
        return {
          body: "onmessage = () => fetch('/api?worker').then(() => close())",
          headers: { 'content-type': 'text/javascript' },
        };
      case 'api':
        return { body: '{}', headers: { 'content-type': 'application/json' } };
      case 'form':
        return html(FORM);
      default:
        return html(`<h1>Let in</h1>${FORM}
          ${askEverywhere(verb === 'all' ? strangers() : strangers().slice(0, 1))}
          <script>fetch('/api?stored=' + (localStorage.getItem('token') === ${JSON.stringify(STORED.slice(0, 4))} + ${JSON.stringify(STORED.slice(4))}));
            const worker = new Worker('/worker.js'); worker.postMessage('');
            word.oninput = () => fetch('/api?filled=' + word.value.length)</script>`);
    }
  };
}

/** A site that wants all it can get. */
function strangerSite({ url }: Received): Answer {
  const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  switch (url.pathname) {
    case '/guarded.svg':
      return { status: 401, headers: { ...headers, 'www-authenticate': 'Basic realm="Guarded"' } };
    case '/image.svg':
      return {
        headers: { ...headers, 'content-type': 'image/svg+xml' },
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10" fill="#c00"/></svg>',
      };
    case '/style.css':
      return { headers: { ...headers, 'content-type': 'text/css' }, body: 'h1 { color: #333 }' };
    case '/script.js':
      return { headers: { ...headers, 'content-type': 'text/javascript' }, body: 'window.stranger = 1' };
    default:
      return { headers, body: html('<h1>Stranger</h1><img src="/guarded.svg"><img src="/image.svg">') };
  }
}

/** What a list holds itself, each a text that is nowhere else. */
const LITERAL = {
  LITERAL_HEADER: 'literal-header-7Jd3',
  LITERAL_COOKIE: 'literal-cookie-2Ws9',
  LITERAL_PASSWORD: 'literal-password-8Pf4',
  LITERAL_FILLED: 'literal-filled-1Gm6',
  LITERAL_URL: 'literal-url-5Yc0',
  LITERAL_DEFAULT: 'literal-default-4Lk2',
};

test('credentials reach the own origin of a page only, and no output, error, report or attachment; nor does a secret in a list', async ({
  project,
}) => {
  const strangers: string[] = [];
  const own = await startServer(ownSite(() => strangers));
  const stranger = await startServer(strangerSite);
  const literal = await startServer(({ url }) =>
    url.pathname === '/gone' ? { status: 404, body: html('Gone') } : html('<h1>Page</h1><input id="text">'),
  );
  // Another host, and another port of the same one.
  strangers.push(`http://${STRANGER}:${stranger.server.port}`, stranger.server.url);
  writeProject(project, own.server, stranger.server);
  project.write({
    'literal.yaml': literalList(literal.server),
    'literal.spec.mjs': SPEC.replace('pages.yaml', 'literal.yaml'),
  });
  // With this option, a new page passes: after a test that fails, Playwright starts another worker and another browser.
  const run = await project.test(['--workers=2', '--update-snapshots=missing'], { ...SECRETS, ...REPORT_FILES });
  for (const { close } of [own, stranger, literal]) close();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual([
    ...['all: new', 'everything/secured: skipped', 'everything: new', 'gone: error', 'header: new', 'in-url: new'],
    ...['lost: error', 'moving: unstable', 'no-field: error', 'password: new', 'sent-away: new', 'tells: error'],
    ...['two-sides: passed', 'unreachable: error'],
  ]);
  expectHome(own.server);
  expectNothingAt(stranger.server);
  expect(project.files('visual.spec.mjs-snapshots')).toContain('all-linux.png');
  expect(project.shot('tells').reason).toContain('`javascriptCode` failed: Error: session=*** ***');
  // Playwright has no place in this list, whose lines it would print: the message names it.
  expect(run.output).toMatch(/list {6}literal\.yaml:21\n/);
  expectNothingWritten(project, run.output, { ...SECRETS, ...LITERAL, BASIC });
});

/** Every secret stands far from the pages that fail, but within what Playwright prints of a file. */
function literalList({ url, port }: Server): string {
  const script = (code: string) => `javascriptCode: "${code}"`;
  const cookie = `cookies: { session: ${LITERAL.LITERAL_COOKIE} }`;
  return `baseURL: ${url}
defaults: { width: 400, height: 300 }
pages:
  - name: everything
    url: "http://joe:${LITERAL.LITERAL_URL}@127.0.0.1:${port}/"
    headers: { X-Token: ${LITERAL.LITERAL_HEADER} }
    ${cookie}
    actions: [{ fill: { selector: "#text", value: ${LITERAL.LITERAL_FILLED} } }]
    states:
      secured: { skip: not yet, headers: { X: "\${UNSET:-${LITERAL.LITERAL_DEFAULT}}" } }
    base: true
    httpCredentials: { username: joe, password: ${LITERAL.LITERAL_PASSWORD} }
${'# A page that is not tested yet.\n'.repeat(8)}  - { name: lost, url: /gone }
  - { name: unreachable, url: "http://joe:${LITERAL.LITERAL_URL}@127.0.0.1:1/", before: "http://ann:${LITERAL.LITERAL_URL}@127.0.0.1:1/" }
  - { name: tells, url: /, ${cookie}, actions: [{ fill: { selector: "#text", value: ${LITERAL.LITERAL_FILLED} } }], ${script("throw new Error(document.cookie + ' ' + document.querySelector('#text').value)")} }
`;
}

const REPORTERS = "['list', { printSteps: true }], ['html', { open: 'never' }], ['json'], ['junit'], ['blob']";
const REPORT_FILES = { PLAYWRIGHT_JSON_OUTPUT_NAME: 'report.json', PLAYWRIGHT_JUNIT_OUTPUT_NAME: 'report.xml' };

function writeProject(project: Project, own: Server, stranger: Server): void {
  const away = `http://${STRANGER}:${stranger.port}/away`;
  const everything = `headers: { X-Token: "\${HEADER}" }, cookies: { session: "\${COOKIE}" }, storageState: state.json, httpCredentials: { username: joe, password: "\${PASSWORD}" }`;
  const fill = (selector: string) => `fill: { selector: "${selector}", value: "\${FILLED}" }`;
  project.write({
    'pages.yaml': `baseURL: ${own.url}
defaults: { width: 800, height: 600, timeout: 60 }
pages:
  - { name: all, url: "/all?wants=header,cookie,password", ${everything}, actions: [${fill('#word')}, ${fill('#text')}] }
  - { name: header, url: "/header?wants=header", headers: { X-Token: "\${HEADER}" } }
  - { name: password, url: "/password?wants=password", httpCredentials: { username: joe, password: "\${PASSWORD}" } }
  - { name: in-url, url: "http://joe:\${PASSWORD}@127.0.0.1:${own.port}/in-url?wants=password" }
  - { name: sent-away, url: "/to?${encodeURIComponent(away)}", finalUrl: "${away}", ${everything} }
  - { name: gone, url: "/gone?wants=header,cookie,password", ${everything} }
  - { name: moving, url: "/moving?wants=header,cookie,password", ${everything}, timeout: 6 }
  - { name: no-field, url: /form, ${everything}, timeout: 4, actions: [${fill('#word')}, ${fill('#absent')}] }
  - { name: two-sides, url: "/after?wants=header", headers: { X-Token: "\${HEADER}" }, before: { url: "${own.url.replace('127.0.0.1', OTHER_SIDE)}/before?wants=header", headers: { X-Token: "\${BEFORE}" } } }
`,
    'state.json': JSON.stringify({
      cookies: [],
      origins: [own.url, away].map((url) => ({
        origin: new URL(url).origin,
        localStorage: [{ name: 'token', value: STORED }],
      })),
    }),
    'visual.spec.mjs': SPEC,
    'playwright.config.mjs': config()
      .replace('use: {', "use: { screenshot: 'on',")
      .replace("['list']", REPORTERS)
      .replace(JSON.stringify(OFFLINE_FLAGS), JSON.stringify(WITH_STRANGERS)),
  });
}

const WITH_STRANGERS = OFFLINE_FLAGS.map((flag) => flag.replace('MAP *', 'MAP *.test 127.0.0.1, MAP *'));

/** All that a page asks its own origin for brings what was given for that origin, and nothing else. */
function expectHome({ received }: Server): void {
  const asked = (page: string, path: string, host = '127.0.0.1') => {
    const found = received.filter(
      ({ url, headers: { referer } }) =>
        url.hostname === host && url.pathname === path && new URL(referer ?? url).pathname === `/${page}`,
    );
    expect(found.length, `${page} asks for ${path}`).toBeGreaterThan(0);
    return found.map(({ headers: { 'x-token': token, cookie, authorization } }) => [token, cookie, authorization]);
  };
  const everything = [HEADER, `session=${COOKIE}`, `Basic ${BASIC}`];
  for (const path of ['/to', '/api', '/worker.js']) {
    for (const given of asked('all', path)) expect(given, `all asks for ${path}`).toEqual(everything);
    for (const given of asked('header', path)) expect(given).toEqual([HEADER, undefined, undefined]);
    for (const given of asked('password', path)) expect(given).toEqual([undefined, undefined, `Basic ${BASIC}`]);
    for (const given of asked('after', path)) expect(given).toEqual([HEADER, undefined, undefined]);
    for (const given of asked('before', path, OTHER_SIDE)) expect(given).toEqual([BEFORE, undefined, undefined]);
  }
  expect(asked('all', '/all').at(-1)).toEqual(everything);
  const told = received.filter(({ url }) => url.pathname === '/api').map(({ url }) => url.search);
  expect(told).toEqual(expect.arrayContaining(['?stored=true', `?filled=${FILLED.length}`]));
}

function expectNothingAt({ received }: Server): void {
  expect(received.length).toBeGreaterThan(100);
  for (const { url, method, headers } of received) {
    // Browsers know no ports for cookies: they go to every server of their host.
    const { cookie, ...others } = headers;
    const sent = JSON.stringify([String(url), others, url.hostname === STRANGER ? cookie : '']);
    for (const [name, secret] of Object.entries({ ...SECRETS, BASIC }))
      expect(sent.includes(secret), `${name} in ${method} ${url}`).toBe(false);
  }
}

function expectNothingWritten(project: Project, output: string, secrets: Readonly<Record<string, string>>): void {
  const folders = [
    'proofsheet-report',
    'test-results',
    'playwright-report',
    'blob-report',
    'visual.spec.mjs-snapshots',
  ];
  const files = folders.flatMap((folder) => project.files(folder).map((file) => `${folder}/${file}`));
  const contents = [...files, 'report.json', 'report.xml'].flatMap((file) =>
    unpack(file, readFileSync(project.path(file))),
  );
  expect(contents.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      ...['playwright-report/index.html/data.zip/report.json', 'blob-report/report.zip/report.jsonl'],
      'proofsheet-report/results.json',
    ]),
  );
  for (const [name, bytes] of [...contents, ['the output', Buffer.from(output)] as const]) {
    for (const [kind, secret] of Object.entries(secrets))
      expect(bytes.includes(secret), `${kind} in ${name}`).toBe(false);
  }
}

/** Gives a file and, where it is an archive or holds one, all that is in that. */
function unpack(name: string, bytes: Buffer): [string, Buffer][] {
  const own: [string, Buffer] = [name, bytes];
  if (name.endsWith('.zip'))
    return [own, ...unzip(bytes).flatMap(([inner, content]) => unpack(`${name}/${inner}`, content))];
  const inside = /data:application\/zip;base64,([\w+/=]+)/.exec(
    name.endsWith('.html') ? bytes.toString('latin1') : '',
  )?.[1];
  return inside === undefined ? [own] : [own, ...unpack(`${name}/data.zip`, Buffer.from(inside, 'base64'))];
}

/** Reads an archive by its central directory: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.12. */
function unzip(bytes: Buffer): [string, Buffer][] {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files: [string, Buffer][] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(start, start + packed);
    files.push([bytes.toString('utf8', at + 46, at + 46 + name), method === 0 ? content : inflateRawSync(content)]);
    at += 46 + name + extra + comment;
  }
  return files;
}
