import { connect, type Socket } from 'node:net';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { renderCountOf } from '../../model/words.js';
import { type AddressPolicy, lookupOf, placeOf } from './address-policy.js';

/** How much of the network one capture may have. */
export interface ConnectionLimits {
  /** What all connections together may bring. */
  readonly bytes: number;
  /** How many are open at a time. */
  readonly connections: number;
  readonly connectMs: number;
  readonly idleMs: number;
}

/** The connections of one capture to the servers that it asks. */
export interface Connections {
  /** Why something could not be asked for, each once, in order. */
  troubles(): readonly ProofsheetError[];
  /**
   * Opens a line to a host, at an address that was looked at.
   *
   * @throws ProofsheetError `target-refused`, `page-unreachable`, which is among the troubles from then on.
   */
  open(host: string, port: number): Promise<Socket>;
  /** Takes note of what a line has brought: where it is too much, all of them are cut. */
  spend(bytes: number): void;
  /** Cuts all connections, and opens none any more. */
  end(): void;
}

/** As many as anybody reads: a page may go on asking for ever other names. */
const MOST_TROUBLES = 50;

/** Returns connections that a guard lets through, within limits. */
export function createConnections(guard: AddressPolicy, limits: ConnectionLimits): Connections {
  const troubles = new Map<string, ProofsheetError>();
  const sockets = new Set<Socket>();
  /** How many are being looked up. */
  let named = 0;
  let left = limits.bytes;
  let isOver = false;
  const end = () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
  const note = (cause: unknown, place: string) => {
    const trouble = cause instanceof ProofsheetError ? cause : unreachable(place, messageOf(cause));
    if (troubles.size < MOST_TROUBLES) troubles.set(trouble.message, trouble);
    return trouble;
  };
  const dial = async (host: string, port: number) => {
    if (isOver) throw new Error('the capture is over');
    if (sockets.size + named >= limits.connections)
      throw new Error(`at most ${renderCountOf(limits.connections, 'line')} may be open`);
    named += 1;
    const addresses = await guard.addressesOf(host, port).finally(() => {
      named -= 1;
    });
    if (isOver) throw new Error('the capture is over');
    const socket = connect({ host, port, lookup: lookupOf(addresses) });
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    await connected(socket, limits.connectMs);
    return socket.setTimeout(limits.idleMs, () => socket.destroy());
  };
  return {
    troubles: () => [...troubles.values()],
    async open(host, port) {
      const place = placeOf(host, port);
      try {
        return await dial(host, port);
      } catch (cause) {
        throw note(cause, place);
      }
    },
    spend(bytes) {
      left -= bytes;
      if (left >= 0 || isOver) return;
      note(new Error(`more than ${limits.bytes} bytes came for one page`), 'the page');
      end();
    },
    end,
  };
}

function connected(socket: Socket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)));
    socket.once('connect', resolve);
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the line was cut')));
  });
}

function unreachable(where: string, why: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-unreachable',
    where,
    found: `it cannot be reached (${why})`,
    advice: 'Is the server running?',
  });
}
