import { once } from 'node:events';
import { messageOf, ProofsheetError } from '../model/index.js';

/** A network server. */
interface Listener {
  listen(options: { readonly host: string; readonly port: number }): NodeJS.EventEmitter;
}

/**
 * Starts a server and waits until it listens.
 *
 * @param what subject of the error message, such as "the report".
 * @throws ProofsheetError `command-invalid` if it cannot listen on this host and port.
 */
export async function listen(server: Listener, host: string, port: number, what: string): Promise<void> {
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (cause) {
    throw new ProofsheetError({
      code: 'command-invalid',
      where: `${host}:${port}`,
      found: `cannot serve ${what} on this address (${messageOf(cause)})`,
      advice: 'Use another --port, or 0 for any free port.',
    });
  }
}
