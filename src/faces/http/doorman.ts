import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { ProofsheetError } from '../../model/errors.js';
import { hashKey } from '../../record/keys.js';

/** What is known of a request before it is read. */
export interface Visitor {
  /** What its key header says; undefined: nothing. */
  readonly key: string | undefined;
  /** Its `Host`. */
  readonly host: string | undefined;
  /** The address that it comes from. */
  readonly address: string;
}

/** Decides who comes in. */
export interface Doorman {
  /** Gives the name under which a visitor is counted. @throws ProofsheetError `key-refused`, `host-refused` */
  admit(visitor: Visitor): string;
}

/** Creates a doorman who knows these keys; where there are none, he lets in who speaks to this machine by its own name. */
export function createDoorman(keyHashes: readonly string[], keyHeader: string): Doorman {
  if (keyHashes.length === 0) return { admit: admitNeighbour };
  const known = keyHashes.map((hash) => Buffer.from(hash, 'hex'));
  return {
    admit({ key }) {
      if (key === undefined) throw refused(keyHeader, 'the header is missing');
      const given = hashKey(key);
      // All are looked at, so that the time says nothing of which it is.
      const matches = known.filter((hash) => timingSafeEqual(hash, Buffer.from(given, 'hex')));
      if (matches.length === 0) throw refused(keyHeader, 'the key is none of those that are known here');
      return given;
    },
  };
}

/** A page of the web may lead its own name to this machine, and then speak to it as if it were its own server. */
function admitNeighbour({ host = '', address }: Visitor): string {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : '';
  if (name === 'localhost' || isIP(name) !== 0) return address;
  throw new ProofsheetError({
    code: 'host-refused',
    where: host || 'Host',
    found: 'without keys the service answers to localhost and to addresses only',
    advice: 'Ask for it by its address, or set keys.',
  });
}

function refused(where: string, found: string): ProofsheetError {
  return new ProofsheetError({ code: 'key-refused', where, found, advice: 'Send one of the keys in this header.' });
}
