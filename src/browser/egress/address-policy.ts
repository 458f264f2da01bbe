import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ProofsheetError } from '../../model/errors.js';
import { withoutCredentials } from '../../model/words.js';

/** Who may be asked for pages that strangers name. */
export interface AddressPolicy {
  /**
   * Returns the addresses of a host. Connect to these and to no other: asked a second time, a name may lead elsewhere.
   *
   * @throws ProofsheetError `target-refused`, `page-unreachable` where it has none.
   */
  addressesOf(host: string, port: number): Promise<readonly LookupAddress[]>;
}

/** Returns the addresses of a URL's host, see {@link AddressPolicy}. */
export function addressesOfUrl(guard: AddressPolicy, url: string): Promise<readonly LookupAddress[]> {
  const { protocol, hostname, port } = new URL(url);
  const usual = USUAL_PORTS[protocol];
  if (usual === undefined) throw refused(withoutCredentials(url), 'it is neither http nor https');
  return guard.addressesOf(hostname, Number(port || usual));
}

const USUAL_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** What a guard lets through. */
export interface AddressRules {
  /** Every address there is, those of this machine too. */
  readonly allowPrivate: boolean;
  /** `host:port` of what may be asked for wherever it is, by its name or by its address; default: nothing. */
  readonly allowed?: readonly string[];
  /** Finds the addresses of a name; default: as the system does. */
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>;
}

/** Creates a guard. Of a name with several addresses none may be refused. */
export function createAddressPolicy({
  allowPrivate,
  allowed = [],
  resolve = resolveName,
}: AddressRules): AddressPolicy {
  const isAllowed = (host: string, port: number) => allowPrivate || allowed.includes(placeOf(host, port));
  return {
    async addressesOf(named, port) {
      const host = canonicalHost(named);
      const place = placeOf(host, port);
      if (isLocalName(host) && !isAllowed(host, port)) throw refused(place, 'it is a name of this machine');
      const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolve(host).catch(() => []);
      if (addresses.length === 0) throw unknown(place);
      for (const { address } of addresses) {
        const kind = specialKindOf(address);
        if (kind !== null && !isAllowed(host, port) && !isAllowed(address, port))
          // Not which: names of a network that a stranger does not see are not told to him.
          throw refused(place, `it leads to a ${kind} address`);
      }
      return addresses;
    },
  };
}

/** Returns what a connection is made with, so that nothing is looked up a second time. */
export function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_, { all }, done) => {
    const [first = { address: '', family: 0 }] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
}

/** Returns `host:port`, as it stands in a URL. */
export function placeOf(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Returns a host as a browser understands it, without brackets: `0x7f.1`, `2130706433` and `127.0.0.1.` are 127.0.0.1.
 *
 * @returns what is no host as it is: it has no address.
 */
function canonicalHost(host: string): string {
  const bare = isIP(host) === 6 ? `[${host}]` : host;
  const { hostname } = URL.canParse(`http://${bare}/`) ? new URL(`http://${bare}/`) : { hostname: host };
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

/** Whatever a name server says of them, these are never another machine. */
function isLocalName(host: string): boolean {
  return /^(.*\.)?localhost(\.localdomain)?$/.test(host);
}

function resolveName(name: string): Promise<LookupAddress[]> {
  return lookup(name, { all: true });
}

function refused(where: string, why: string): ProofsheetError {
  return new ProofsheetError({
    code: 'target-refused',
    where,
    found: `it is not asked for: ${why}`,
    advice: 'Name a page of the public internet, or allow private addresses where the service is started.',
  });
}

function unknown(where: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-unreachable',
    where,
    found: 'the name has no address',
    advice: 'Is it spelled right?',
  });
}

/** What is not the public internet, by the registries of special addresses (RFC 6890), each with a word for what it is. */
const SPECIAL: readonly (readonly [kind: string, ...ranges: readonly string[]])[] = [
  ['unspecified', '0.0.0.0/8', '::/128'],
  ['loopback', '127.0.0.0/8', '::1/128'],
  ['link-local', '169.254.0.0/16', 'fe80::/10'],
  ['private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  ['shared', '100.64.0.0/10'],
  ['multicast', '224.0.0.0/4', 'ff00::/8'],
  // Public by its number, but the machine that hosts an Azure machine, and its secrets.
  ['metadata', '168.63.129.16/32'],
  ['documentation', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  ['benchmarking', '198.18.0.0/15'],
  // An IPv4 address in the clothes of IPv6: 6to4 and its relays, Teredo; others are outside of 2000::/3.
  ['translated', '192.88.99.0/24', '2002::/16', '2001::/32'],
  ['reserved', '192.0.0.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '240.0.0.0/4'],
  ['reserved', '2001::/23', '2620:4f:8000::/48'],
];

const LISTS = SPECIAL.map(([kind, ...ranges]) => ({ kind, list: listOf(ranges) }));

/** All that is given out of IPv6. Forms that hold an IPv4 address (mapped, compatible, NAT64) are outside. */
const GLOBAL = listOf(['2000::/3']);

/** Tells what an IP address is where it is not one of the public internet, in a word; null where it is. */
export function specialKindOf(address: string): string | null {
  const version = isIP(address);
  // An address with a zone (fe80::1%eth0) is one of this machine's own networks.
  if (version === 0 || address.includes('%')) return 'unknown';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const found = LISTS.find(({ list }) => list.check(address, family));
  if (found) return found.kind;
  return family === 'ipv4' || GLOBAL.check(address, family) ? null : 'reserved';
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
