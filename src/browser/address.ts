import { BlockList, isIP } from 'node:net';

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
