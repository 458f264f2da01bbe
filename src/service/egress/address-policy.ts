import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { failure, parseUrl, withoutCredentials } from '../../model/index.js';

/**
 * Returns the checked addresses of a host that a client named. Connect only to these: a second lookup may return other addresses (DNS
 * rebinding). It throws a ProofsheetError `target-refused`, or `page-unreachable` when the host has no address.
 */
export type AddressPolicy = (host: string, port: number) => Promise<readonly LookupAddress[]>;

/** Returns the checked addresses of the host of a URL. */
export async function addressesOfUrl(policy: AddressPolicy, url: string): Promise<readonly LookupAddress[]> {
  const { protocol, hostname, port } = new URL(url);
  if (/^https?:$/.test(protocol)) return policy(hostname, Number(port || (protocol === 'http:' ? 80 : 443)));
  throw refused(withoutCredentials(url), 'the protocol is not http or https', 'Use a public http:// or https:// URL.');
}

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
    const isFine = addresses.every(({ address }) => isPublic(address) || isAllowed(address, port));
    // The message omits the address, so that clients cannot probe the internal network.
    if (!isFine && !isAllowed(host, port)) throw refused(place, 'the address of the host is not public');
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

/** Normalizes a host as a browser does: `0x7f.1`, `2130706433` and `127.0.0.1.` become 127.0.0.1. An invalid host has no address. */
function canonicalHost(host: string): string {
  const bare = isIP(host) === 6 ? `[${host}]` : host;
  const { hostname } = parseUrl(`http://${bare}/`) ?? { hostname: host };
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function refused(where: string, why: string, advice = `Use a public URL, or start proofsheet with: --allow ${where}`) {
  return failure('target-refused', where, `the request was refused: ${why}`, advice);
}

/** Address ranges outside the public internet. Source: registries of special addresses (RFC 6890). */
const SPECIAL = listOf([
  // Unspecified, loopback, link-local, private, shared, multicast.
  ...['0.0.0.0/8', '::/128', '127.0.0.0/8', '::1/128', '169.254.0.0/16', 'fe80::/10'],
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10', '100.64.0.0/10'],
  ...['224.0.0.0/4', 'ff00::/8'],
  // A public number, but it belongs to the host of an Azure machine and serves secrets.
  '168.63.129.16/32',
  // Documentation and benchmarks.
  ...['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20', '198.18.0.0/15'],
  // IPv6 addresses that embed an IPv4 address: 6to4, its relays, and Teredo. The others are outside 2000::/3.
  ...['192.88.99.0/24', '2002::/16', '2001::/32'],
  // Reserved.
  ...['192.0.0.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '240.0.0.0/4'],
  ...['2001::/23', '2620:4f:8000::/48'],
]);

/** The allocated global IPv6 range. Forms that embed an IPv4 address (mapped, compatible, NAT64) are outside it. */
const GLOBAL = listOf(['2000::/3']);

/** Checks whether a text is an IP address of the public internet. */
export function isPublic(address: string): boolean {
  const version = isIP(address);
  // An address with a zone (fe80::1%eth0) is on a local network of this machine.
  if (version === 0 || address.includes('%')) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return !SPECIAL.check(address, family) && (version === 4 || GLOBAL.check(address, family));
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
