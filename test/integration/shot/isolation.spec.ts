import { expect } from '@playwright/test';
import { type Answer, type Received, startServer } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

/** Runs in the page. Leaves something in every place in which a page can leave anything. */
async function leave(name: string): Promise<void> {
  await cookieStore.set({ name: 'left', value: name, expires: Date.now() + 3_600_000 });
  localStorage.setItem('left', name);
  sessionStorage.setItem('left', name);
  window.name = name;
  const cache = await caches.open('left');
  await cache.put('/left', new Response(name));
  const folder = await navigator.storage.getDirectory();
  await folder.getFileHandle('left', { create: true });
  await new Promise((resolve) => {
    const opening = indexedDB.open('left');
    opening.onupgradeneeded = () => opening.result.createObjectStore('left');
    opening.onsuccess = resolve;
  });
  await navigator.serviceWorker.register('/worker.js');
  await navigator.serviceWorker.ready;
  new BroadcastChannel('left').postMessage(name);
  await fetch('/cached');
  await fetch('/guarded').then((response) => response.text());
}

/** Runs in the page. Tells what a page finds, and what it takes itself for. */
async function find() {
  const folder = await navigator.storage.getDirectory();
  const files: string[] = [];
  for await (const name of folder.keys()) files.push(name);
  const [databases, workers] = await Promise.all([indexedDB.databases(), navigator.serviceWorker.getRegistrations()]);
  await fetch('/cached');
  await fetch('/cached');
  return {
    left: [
      document.cookie && 'cookie',
      localStorage.length > 0 && 'localStorage',
      sessionStorage.length > 0 && 'sessionStorage',
      window.name && 'window.name',
      (await caches.keys()).length > 0 && 'Cache storage',
      files.length > 0 && 'file system',
      databases.length > 0 && 'IndexedDB',
      workers.length > 0 && 'service worker',
      navigator.serviceWorker.controller && 'service worker in control',
      (await fetch('/guarded')).ok && 'HTTP authentication',
    ].filter(Boolean),
    permission: (await navigator.permissions.query({ name: 'geolocation' })).state,
    self: {
      agent: navigator.userAgent,
      language: navigator.language,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      dark: matchMedia('(prefers-color-scheme: dark)').matches,
      year: new Date().getFullYear(),
      width: innerWidth,
      touch: navigator.maxTouchPoints > 0,
    },
  };
}

interface Seen {
  left: string[];
  permission: string;
  self: Record<string, unknown>;
}

/** A site with pages that leave, pages that look, and pages that do both. */
async function startSite() {
  const seen = new Map<string, Seen>();
  const run = (script: string) =>
    html(`<h1>Page</h1><script type="module">${script}; await fetch('/done' + location.pathname)</script>`);
  const tell = `await fetch('/tell' + location.pathname, { method: 'POST', headers: { 'x-seen': JSON.stringify(await (${String(find)})()) } })`;
  const { server, close } = await startServer(({ url, headers }: Received): Answer => {
    const [, verb = '', name = ''] = url.pathname.split('/');
    switch (verb) {
      case 'worker.js':
        return {
          headers: { 'content-type': 'text/javascript' },
          body: 'oninstall = () => skipWaiting(); onactivate = (event) => event.waitUntil(clients.claim()); onfetch = () => {};',
        };
      case 'cached':
        return { headers: { 'cache-control': 'max-age=3600' }, body: 'kept' };
      case 'guarded':
        return headers.authorization
          ? { body: 'let in' }
          : { status: 401, headers: { 'www-authenticate': 'Basic realm="Guarded"' }, body: 'kept out' };
      case 'tell':
        seen.set(url.pathname.slice('/tell/'.length), JSON.parse(String(headers['x-seen'])));
        return '';
      case 'leave':
        return run(`await (${String(leave)})(${JSON.stringify(name)}); ${tell}`);
      case 'find':
        return run(tell);
      case 'both':
        return run(`const heard = []; new BroadcastChannel('left').onmessage = ({ data }) => { heard.push(data) };
          await (${String(find)})(); await (${String(leave)})(${JSON.stringify(name)});
          await new Promise((resolve) => setTimeout(resolve, 700));
          await fetch('/tell' + location.pathname, { headers: { 'x-seen': JSON.stringify({ heard, values: [document.cookie, localStorage.left, sessionStorage.left] }) } })`);
      default:
        return '';
    }
  });
  return { server, close, seen };
}

test('nothing of one page reaches the next page of the same worker', async ({ runs }) => {
  const { server, close, seen } = await startSite();
  const run = await runs.run(
    `baseURL: ${server.url}
defaults: { waitFor: { response: "**/done/**" } }
pages:
  - { name: first, url: /find/first, width: 500, height: 400 }
  - name: leaving
    url: /leave/leaving
    width: 400
    height: 300
    httpCredentials: { username: joe, password: word }
    headers: { x-token: leaving }
    cookies: { given: leaving }
    userAgent: Leaving/1.0
    language: de-DE
    timezone: Pacific/Auckland
    colorScheme: dark
    clock: 2020-01-01
    hideCookie: true
    javascriptCode: "window.name = 'left'; scrollTo(0, 100)"
  - { name: second, url: /find/second, width: 500, height: 400 }
`,
    { mode: 'changed', atOnce: 1 },
  );
  close();
  // No page survives a failure.
  expect(run.passed).toBe(true);
  expect(run.statuses).toEqual(['first: new', 'leaving: new', 'second: new']);
  expect(seen.get('leave/leaving')?.left, 'what is left is found where it was left').toEqual([
    ...['cookie', 'localStorage', 'sessionStorage', 'window.name', 'Cache storage', 'file system', 'IndexedDB'],
    ...['service worker', 'service worker in control', 'HTTP authentication'],
  ]);
  expect(seen.get('find/second')?.left).toEqual([]);
  expect(seen.get('find/second')).toEqual(seen.get('find/first'));
  const ofSecond = server.received.slice(server.received.findIndex(({ url }) => url.pathname === '/find/second'));
  expect(ofSecond.map(({ headers }) => [headers['x-token'], headers.cookie, headers.authorization])).toEqual(
    ofSecond.map(() => [undefined, undefined, undefined]),
  );
  const cached = ofSecond.filter(({ url }) => url.pathname === '/cached');
  const loads = ofSecond.filter(({ url }) => url.pathname === '/find/second');
  expect(cached, 'each load asks twice: its cache was empty, and worked').toHaveLength(loads.length);
});

test('nothing of one side of a two-state shot reaches the other', async ({ runs }) => {
  const { server, close, seen } = await startSite();
  const run = await runs.run(
    `baseURL: ${server.url}
defaults: { waitFor: { response: "**/done/**" }, width: 400, height: 300 }
pages: [{ name: both, url: /both/after, before: /both/before }]
`,
    { atOnce: 1 },
  );
  close();
  expect(run.passed).toBe(true);
  for (const side of ['before', 'after']) {
    expect(seen.get(`both/${side}`)).toEqual({ heard: [side], values: [`left=${side}`, side, side] });
  }
  const cached = server.received.filter(({ url }) => url.pathname === '/cached');
  expect(cached, 'each side asked by itself').toHaveLength(2);
});
