import { once } from 'node:events';
import type { ListenOptions } from 'node:net';
import { messageOf, ProofsheetError } from '../../model/errors.js';

/** A server that is to be reached over the network. */
interface Listener {
  listen(options: ListenOptions): NodeJS.EventEmitter;
}

/**
 * Has a server listen, and waits until it does.
 *
 * @param what as in "the report cannot be served there".
 * @throws ProofsheetError `command-invalid` when it cannot listen there.
 */
export async function listen(server: Listener, host: string, port: number, what: string): Promise<void> {
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (cause) {
    throw new ProofsheetError({
      code: 'command-invalid',
      where: `${host}:${port}`,
      found: `${what} cannot be served there (${messageOf(cause)})`,
      advice: 'Give another --port, or 0 for any that is free.',
    });
  }
}
