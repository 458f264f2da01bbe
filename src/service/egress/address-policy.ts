import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { failure, parseUrl, withoutCredentials } from '../../model/index.js';

/**
 * Decides which hosts the service may connect to for URLs from clients that are not trusted. Returns the checked addresses of a host.
 * Connect only to these: a second lookup may return other addresses (DNS rebinding).
 *
 * It throws a ProofsheetError `target-refused`, or `page-unreachable` when the host has no address.
 */
export type AddressPolicy = (host: string, port: number) => Promise<readonly LookupAddress[]>;

/** Returns the checked addresses of the host of a URL. */
export async function addressesOfUrl(policy: AddressPolicy, url: string): Promise<readonly LookupAddress[]> {
  const { protocol, hostname, port } = new URL(url);
  if (/^https?:$/.test(protocol)) return policy(hostname, Number(port || (protocol === 'http:' ? 80 : 443)));
  throw refused(withoutCredentials(url), 'the protocol is not http or https', 'Use a public http:// or https:// URL.');
}

/** The addresses that a policy allows. */
export interface AddressRules {
  /** Allows all addresses, including those of this machine. */
  readonly allowPrivate: boolean;
  /** Names or addresses, as `host:port`, that are allowed even if they are private. @default [] */
  readonly allowed?: readonly string[];
  /** Looks up the addresses of a name. @default the system's resolver */
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>;
}

/** Creates an address policy. A name with several addresses is refused if one of them is. */
export function createAddressPolicy({
  allowPrivate,
  allowed = [],
  resolve = (name) => lookup(name, { all: true }),
}: AddressRules): AddressPolicy {
  const isAllowed = (host: string, port: number) => allowPrivate || allowed.includes(placeOf(host, port));
  return async (named, port) => {
    const host = canonicalHost(named);
    const place = placeOf(host, port);
    // These names always mean this machine, whatever DNS returns.
    const isLocal = /^(.*\.)?localhost(\.localdomain)?$/.test(host);
    if (isLocal && !isAllowed(host, port)) throw refused(place, 'the host name refers to this machine');
    const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolve(host).catch(() => []);
    if (addresses.length === 0)
      throw failure('page-unreachable', place, 'the host name has no address', 'Check the spelling of the host name.');
    for (const { address } of addresses) {
      const kind = specialKindOf(address);
      if (kind !== null && !isAllowed(host, port) && !isAllowed(address, port))
        // The message omits the address, so that clients cannot probe the internal network.
        throw refused(place, `the address of the host is ${kind}, not public`);
    }
    return addresses;
  };
}

/** Returns a lookup function that always yields the given addresses. Connections then need no second lookup. */
export function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_, { all }, done) => {
    const [first = { address: '', family: 0 }] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
}

/** Formats `host:port` as in a URL. */
export function placeOf(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Normalizes a host as a browser does, without brackets: `0x7f.1`, `2130706433` and `127.0.0.1.` become 127.0.0.1.
 *
 * @returns an invalid host unchanged. It has no address.
 */
function canonicalHost(host: string): string {
  const bare = isIP(host) === 6 ? `[${host}]` : host;
  const { hostname } = parseUrl(`http://${bare}/`) ?? { hostname: host };
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function refused(where: string, why: string, advice = `Use a public URL, or start proofsheet with: --allow ${where}`) {
  return failure('target-refused', where, `the request was refused: ${why}`, advice);
}

/** Address ranges outside the public internet, with the name of each kind. Source: registries of special addresses (RFC 6890). */
const SPECIAL: readonly (readonly [kind: string, ...ranges: readonly string[]])[] = [
  ['unspecified', '0.0.0.0/8', '::/128'],
  ['loopback', '127.0.0.0/8', '::1/128'],
  ['link-local', '169.254.0.0/16', 'fe80::/10'],
  ['private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  ['shared', '100.64.0.0/10'],
  ['multicast', '224.0.0.0/4', 'ff00::/8'],
  // A public number, but it belongs to the host of an Azure machine and serves secrets.
  ['metadata', '168.63.129.16/32'],
  ['documentation', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  ['benchmarking', '198.18.0.0/15'],
  // IPv6 addresses that embed an IPv4 address: 6to4, its relays, and Teredo. The others are outside 2000::/3.
  ['translated', '192.88.99.0/24', '2002::/16', '2001::/32'],
  ['reserved', '192.0.0.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '240.0.0.0/4'],
  ['reserved', '2001::/23', '2620:4f:8000::/48'],
];

const LISTS = SPECIAL.map(([kind, ...ranges]) => ({ kind, list: listOf(ranges) }));

/** The allocated global IPv6 range. Forms that embed an IPv4 address (mapped, compatible, NAT64) are outside it. */
const GLOBAL = listOf(['2000::/3']);

/** Returns the kind of an IP address that is not on the public internet, such as `loopback`. Returns null for a public address. */
export function specialKindOf(address: string): string | null {
  const version = isIP(address);
  // An address with a zone (fe80::1%eth0) is on a local network of this machine.
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
