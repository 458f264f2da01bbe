import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { type Answer, type Received, type Server, startServer } from './direct.js';
import { config, expect, html, OFFLINE_FLAGS, type Project, SPEC, test } from './project.js';

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

/** The site that a secret is for. It lets in only who has all that the path asks for. */
function ownSite(strangers: () => readonly string[]) {
  return ({ url, headers }: Received): Answer => {
    const [, verb = '', to = ''] = url.pathname.split('/');
    if (verb === 'to') {
      const location = decodeURIComponent(url.search.slice(1));
      return { status: 302, headers: { location: to === '' ? location : `${location}/${to}` } };
    }
    const wanted = url.searchParams.get('wants') ?? '';
    if (wanted.includes('password') && headers.authorization !== `Basic ${BASIC}`)
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="Guarded"' }, body: html('<h1>Kept out</h1>') };
    if (wanted.includes('header') && headers['x-token'] !== HEADER)
      return { status: 403, body: html('<h1>No header</h1>') };
    if (wanted.includes('cookie') && !headers.cookie?.includes(`session=${COOKIE}`))
      return { status: 403, body: html('<h1>No cookie</h1>') };
    switch (verb) {
      case 'silent':
        return null;
      case 'gone':
        return { status: 404, body: html('<h1>Gone</h1>') };
      case 'moving':
        return html(
          '<h1>Moving</h1><p id="p"></p><script>let n = 0; setInterval(() => { p.textContent = ++n }, 20)</script>',
        );
      case 'worker.js':
        return { body: "onmessage = () => fetch('/api?worker')", headers: { 'content-type': 'text/javascript' } };
      case 'service.js':
        return { body: "oninstall = () => fetch('/api?service')", headers: { 'content-type': 'text/javascript' } };
      case 'api':
        return { body: '{}', headers: { 'content-type': 'application/json' } };
      default:
        return html(`<h1>Let in</h1><form><input id="text"><input id="word" type="password"><input id="number" type="number"></form>
          ${askEverywhere(strangers())}
          <script>fetch('/api?stored=' + (localStorage.getItem('token') === ${JSON.stringify(STORED.slice(0, 4))} + ${JSON.stringify(STORED.slice(4))}));
            const worker = new Worker('/worker.js'); worker.postMessage('');
            navigator.serviceWorker?.register('/service.js');
            const socket = new WebSocket('ws://' + location.host + '/socket');
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

test("what lets us in reaches the page's own origin, no stranger, and nothing that is written", async ({ project }) => {
  const strangers: string[] = [];
  const own = await startServer(ownSite(() => strangers));
  const stranger = await startServer(strangerSite);
  // Another host, and another port of the same one.
  strangers.push(`http://${STRANGER}:${stranger.server.port}`, stranger.server.url);
  writeProject(project, own.server, stranger.server);
  const reporters = 'html,json,junit,blob,list'.split(',');
  const run = await project.test(['--workers=2', '--retries=1'], {
    ...SECRETS,
    PLAYWRIGHT_JSON_OUTPUT_NAME: 'report.json',
    PLAYWRIGHT_JUNIT_OUTPUT_NAME: 'report.xml',
  });
  own.close();
  stranger.close();
  for (const r of stranger.server.received) { const t = JSON.stringify(r.headers); for (const [k, v] of Object.entries({...SECRETS, BASIC})) if (t.includes(v)) console.log('STRANGER GOT', k === 'COOKIE' ? '' : k, r.method, String(r.url), r.headers.referer); }
  console.log(stranger.server.received.length, own.server.received.map((r) => [r.method, r.url.host, r.url.pathname.slice(0, 20), r.headers['x-token'], r.headers.cookie, r.headers.authorization, r.headers.referer].join(' ')).join('\n'));
  expect(run).toExit(1);
  console.log(project.statuses());
  expectNoneIn(project, run.output);
});

function writeProject(project: Project, own: Server, stranger: Server): void {
  const everything = `headers: { X-Token: "\${HEADER}" }, cookies: { session: "\${COOKIE}" }, storageState: state.json, httpCredentials: { username: joe, password: "\${PASSWORD}" }`;
  project.write({
    'pages.yaml': `baseURL: ${own.url}
defaults: { width: 800, height: 600, timeout: 15 }
pages:
  - { name: all, url: "/all?wants=header,cookie,password", ${everything}, actions: [fill: { selector: "#word", value: "\${FILLED}" }, fill: { selector: "#text", value: "\${FILLED}" }] }
  - { name: in-url, url: "${own.url.replace('://', `://joe:${PASSWORD}@`)}/all?wants=password" }
  - { name: header, url: "/header?wants=header", headers: { X-Token: "\${HEADER}" } }
  - { name: password, url: "/password?wants=password", httpCredentials: { username: joe, password: "\${PASSWORD}" } }
  - { name: sent-away, url: "/to?${encodeURIComponent(`http://${STRANGER}:${stranger.port}/away`)}", finalUrl: "http://${STRANGER}:${stranger.port}/away", ${everything} }
  - { name: gone, url: "/gone?wants=header,cookie,password", ${everything} }
  - { name: moving, url: "/moving?wants=header,cookie,password", ${everything}, timeout: 6 }
  - { name: silent, url: "/silent?wants=header,cookie,password", ${everything}, timeout: 3 }
  - { name: no-field, url: "/?wants=header", ${everything}, timeout: 4, actions: [fill: { selector: "#word", value: "\${FILLED}" }, fill: { selector: "#absent", value: "\${FILLED}" }] }
  - { name: no-number, url: "/?wants=header", ${everything}, timeout: 4, actions: [fill: { selector: "#number", value: "\${FILLED}" }] }
  - { name: no-such-key, url: "/?wants=header", ${everything}, timeout: 4, actions: [fill: { selector: "#word", value: "\${FILLED}" }, press: Entr] }
  - { name: two-sides, url: "/after?wants=header", headers: { X-Token: "\${HEADER}" }, before: { url: "${own.url.replace('127.0.0.1', 'own.test')}/before", headers: { X-Token: "\${BEFORE}" } } }
`,
    'state.json': JSON.stringify({
      cookies: [],
      origins: [
        { origin: own.url, localStorage: [{ name: 'token', value: STORED }] },
        { origin: `http://${STRANGER}:${stranger.port}`, localStorage: [{ name: 'token', value: STORED }] },
      ],
    }),
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config()
      .replace(
        "['list'],",
        "['list', { printSteps: true }], ['html', { open: 'never' }], ['json'], ['junit'], ['blob'],",
      )
      .replace(JSON.stringify(OFFLINE_FLAGS), JSON.stringify(WITH_STRANGERS)),
  });
}

const WITH_STRANGERS = OFFLINE_FLAGS.map((flag) => flag.replace('MAP *', 'MAP *.test 127.0.0.1, MAP *'));

function expectNoneIn(project: Project, output: string): void {
  for (const secret of [...Object.values(SECRETS), BASIC]) {
    expect.soft(output.includes(secret), `${secret} in the output`).toBe(false);
  }
  const folders = ['proofsheet-report', 'test-results', 'playwright-report', 'blob-report', 'visual.spec.ts-snapshots'];
  const files = [
    ...folders.flatMap((folder) => project.files(folder).map((file) => `${folder}/${file}`)),
    'report.json',
    'report.xml',
  ];
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    for (const [name, bytes] of unpack(file, readFileSync(project.path(file)))) {
      for (const [kind, secret] of [...Object.entries(SECRETS), ['BASIC', BASIC] as const]) {
        const at = bytes.indexOf(secret);
        expect
          .soft(at < 0 ? '' : bytes.toString('latin1', Math.max(0, at - 300), at + 100), `${kind} in ${name}`)
          .toBe('');
      }
    }
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
