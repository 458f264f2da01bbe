import { connect, type Socket } from 'node:net';
import { messageOf, ProofsheetError, renderCountOf } from '../../model/index.js';
import { type AddressPolicy, lookupOf, placeOf } from './address-policy.js';

/** Network limits of one capture. */
export interface ConnectionLimits {
  /** Maximum number of bytes received over all connections together. */
  readonly bytes: number;
  /** Maximum number of connections that are open at the same time. */
  readonly connections: number;
  readonly connectMs: number;
  readonly idleMs: number;
}

/** The outgoing connections of one capture. */
export interface Connections {
  /** Returns the errors of failed connections, without duplicates, in order. */
  errors(): readonly ProofsheetError[];
  /**
   * Opens a connection to a host, at an address that the policy has checked.
   *
   * @throws ProofsheetError `target-refused`, `page-unreachable`. The error is also added to `errors`.
   */
  open(host: string, port: number): Promise<Socket>;
  /** Counts received bytes. Above the limit, closes all connections. */
  spend(bytes: number): void;
  /** Closes all connections and refuses new ones. */
  close(): void;
}

/** Maximum number of errors to collect. A page may request an unlimited number of names. */
const MAX_ERRORS = 50;

/** Creates the connections of one capture. Each connection is checked by the policy and counted against the limits. */
export function createConnections(policy: AddressPolicy, limits: ConnectionLimits): Connections {
  const errors = new Map<string, ProofsheetError>();
  const sockets = new Set<Socket>();
  /** Number of pending address lookups. */
  let pendingLookups = 0;
  let left = limits.bytes;
  let isOver = false;
  const close = () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
  const note = (cause: unknown, place: string) => {
    const error = cause instanceof ProofsheetError ? cause : unreachable(place, messageOf(cause));
    if (errors.size < MAX_ERRORS) errors.set(error.message, error);
    return error;
  };
  const openSocket = async (host: string, port: number) => {
    if (isOver) throw new Error('the capture has ended');
    if (sockets.size + pendingLookups >= limits.connections)
      throw new Error(`the limit of ${renderCountOf(limits.connections, 'open connection')} is reached`);
    pendingLookups += 1;
    const addresses = await policy.addressesOf(host, port).finally(() => {
      pendingLookups -= 1;
    });
    if (isOver) throw new Error('the capture has ended');
    const socket = connect({ host, port, lookup: lookupOf(addresses) });
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    await connected(socket, limits.connectMs);
    return socket.setTimeout(limits.idleMs, () => socket.destroy());
  };
  return {
    errors: () => [...errors.values()],
    async open(host, port) {
      const place = placeOf(host, port);
      try {
        return await openSocket(host, port);
      } catch (cause) {
        throw note(cause, place);
      }
    },
    spend(bytes) {
      left -= bytes;
      if (left >= 0 || isOver) return;
      note(new Error(`the page received more than ${renderCountOf(limits.bytes, 'byte')}`), 'the page');
      close();
    },
    close,
  };
}

function connected(socket: Socket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no connection within ${timeoutMs / 1000} s`)));
    socket.once('connect', resolve);
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}

function unreachable(where: string, why: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-unreachable',
    where,
    found: `the connection failed (${why})`,
    advice: 'Check that the server is running.',
  });
}
