export interface Ground {
  /** Origin of a server that is nobody's business. */
  readonly secret: string;
  /** `host:port` of a UDP socket of the same kind. */
  readonly datagrams: string;
  /** Path on the page's own site that redirects to whatever follows. */
  readonly redirect: string;
}

/**
 * Runs in the page. Asks for the secret by each part of the browser that makes requests, each under a path of its own, and resolves when
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
  puts('img', { src: at('img') });
  puts('iframe', { src: `${redirect}${at('iframe-redirect')}` });
  puts('iframe', { srcdoc: `<meta http-equiv="refresh" content="0;url=${at('refresh')}">` });
  put('video', { src: at('video'), preload: 'auto' });
  put('link', { rel: 'prefetch', href: at('prefetch') });
  put('link', { rel: 'preconnect', href: secret });
  put('link', { rel: 'dns-prefetch', href: secret });
  put('script', { type: 'speculationrules' }).textContent = JSON.stringify({
    prefetch: [{ urls: [at('speculation')], eagerness: 'immediate' }],
  });
  ends.push(fetch(`${redirect}${at('fetch-redirect')}`, { mode: 'no-cors' }));
  navigator.sendBeacon(at('beacon'), 'x');
  const socket = new WebSocket(at('websocket').replace('http', 'ws'));
  ends.push(new Promise((resolve) => socket.addEventListener('close', resolve)));
  const code = `fetch(${JSON.stringify(at('worker'))}, { mode: 'no-cors' }).catch(String).then(() => postMessage('over'))`;
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
