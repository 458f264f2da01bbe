export interface Ground {
  /** Origin of a server that is nobody's business. */
  readonly secret: string;
  /** `host:port` of a UDP socket of the same kind. */
  readonly datagrams: string;
  /** Path on the page's own site that redirects to whatever follows. */
  readonly redirect: string;
}

/**
 * Runs in the page. Asks for the secret in every way that a page has, each under a path of its own, and resolves when
 * those that tell of their end have ended, or after a while.
 */
export async function tryEveryWay({ secret, datagrams, redirect }: Ground): Promise<void> {
  const ends: Promise<unknown>[] = [];
  const at = (way: string) => `${secret}/${way}`;
  const put = (name: string, attributes: Record<string, string>, where: ParentNode = document.body) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    where.append(element);
    return element;
  };
  const puts = (name: string, attributes: Record<string, string>) => {
    const element = put(name, attributes);
    ends.push(
      new Promise((resolve) => {
        element.addEventListener('load', resolve);
        element.addEventListener('error', resolve);
      }),
    );
  };
  const style = put('style', {});
  style.textContent = `@import "${at('import')}";`;
  put('p', { style: `height: 9px; background-image: url("${at('background')}")` });
  puts('img', { src: at('img') });
  puts('img', { src: `${redirect}${at('img-redirect')}` });
  puts('script', { src: at('script') });
  puts('link', { rel: 'stylesheet', href: at('stylesheet') });
  puts('iframe', { src: at('iframe') });
  puts('iframe', { src: `${redirect}${at('iframe-redirect')}` });
  puts('iframe', { srcdoc: `<meta http-equiv="refresh" content="0;url=${at('refresh')}">` });
  puts('object', { data: at('object'), type: 'text/html' });
  puts('embed', { src: at('embed'), type: 'text/html' });
  put('video', { src: at('video'), preload: 'auto' });
  put('audio', { src: at('audio'), preload: 'auto' });
  put('link', { rel: 'prefetch', href: at('prefetch') });
  put('link', { rel: 'preload', as: 'fetch', crossorigin: '', href: at('preload') });
  put('link', { rel: 'modulepreload', href: at('modulepreload') });
  put('link', { rel: 'preconnect', href: secret });
  put('link', { rel: 'dns-prefetch', href: secret });
  put('script', { type: 'speculationrules' }).textContent = JSON.stringify({
    prefetch: [{ urls: [at('speculation')], eagerness: 'immediate' }],
  });
  const font = new FontFace('secret', `url(${at('font')})`);
  ends.push(font.load());
  for (const way of ['fetch', 'fetch-redirect'])
    ends.push(fetch(way === 'fetch' ? at(way) : `${redirect}${at(way)}`, { mode: 'no-cors' }));
  ends.push(fetch(at('keepalive'), { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' }));
  ends.push(import(at('module')));
  const xhr = new XMLHttpRequest();
  xhr.open('GET', at('xhr'));
  xhr.send();
  ends.push(new Promise((resolve) => xhr.addEventListener('loadend', resolve)));
  navigator.sendBeacon(at('beacon'), 'x');
  const source = new EventSource(at('eventsource'));
  ends.push(new Promise((resolve) => source.addEventListener('error', resolve)));
  const socket = new WebSocket(at('websocket').replace('http', 'ws'));
  ends.push(new Promise((resolve) => socket.addEventListener('close', resolve)));
  const code = `fetch(${JSON.stringify(at('worker'))}, { mode: 'no-cors' }).catch(String).then(() => {
    try { importScripts(${JSON.stringify(at('importscripts'))}) } catch {}
    postMessage('over');
  })`;
  const worker = new Worker(URL.createObjectURL(new Blob([code])));
  ends.push(new Promise((resolve) => worker.addEventListener('message', resolve)));
  const shared = `onconnect = ({ ports: [port] }) => fetch(${JSON.stringify(at('sharedworker'))}, { mode: 'no-cors' })
    .catch(String).then(() => port.postMessage('over'))`;
  const { port } = new SharedWorker(URL.createObjectURL(new Blob([shared])));
  ends.push(new Promise((resolve) => Object.assign(port, { onmessage: resolve })));
  ends.push(navigator.serviceWorker.register(`/sw.js?${at('serviceworker')}`));
  ends.push(new WebTransport(`https://${datagrams}/`).ready);
  const link = put('a', { href: '#', ping: at('ping') });
  link.click();
  put('iframe', { name: 'form' });
  const form = Object.assign(document.createElement('form'), { action: at('form'), target: 'form' });
  document.body.append(form);
  form.submit();
  window.open(at('popup'));
  const iceServers = [
    { urls: `stun:${datagrams}` },
    { urls: `turn:${datagrams}`, username: 'a', credential: 'b' },
    { urls: `turn:${new URL(secret).host}?transport=tcp`, username: 'a', credential: 'b' },
  ];
  const peer = new RTCPeerConnection({ iceServers });
  peer.createDataChannel('way');
  ends.push(new Promise((resolve) => peer.addEventListener('icecandidate', (event) => !event.candidate && resolve(0))));
  await peer.setLocalDescription(await peer.createOffer());
  await Promise.race([Promise.allSettled(ends), new Promise((resolve) => setTimeout(resolve, 3000))]);
}
