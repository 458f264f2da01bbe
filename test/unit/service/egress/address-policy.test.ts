import { describe, expect, test } from 'vitest';
import { addressesOfUrl, createAddressPolicy, isPublic } from '../../../../src/service/egress/address-policy.js';

/** The first and the last of each range, and what is dangerous between. */
const SPECIAL = [
  ...['0.0.0.0', '0.255.255.255', '::', '127.0.0.1', '127.255.255.255', '::1', '169.254.0.0', '169.254.255.255'],
  ...['fe80::1', 'febf::1', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0'],
  ...['192.168.255.255', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fec0::1', '100.64.0.0'],
  ...['100.127.255.255', '224.0.0.0', '239.255.255.255', 'ff02::1', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
  ...['2001:db8::1', '3fff::1', '198.18.0.0', '198.19.255.255', '192.88.99.1', '192.0.0.8', '240.0.0.0'],
  ...['255.255.255.255', '2001:10::1', '100::1', '5f00::1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  ...['2620:4f:8000::1', '', 'localhost', '127.1', '0x7f000001', '2130706433', '[::1]', '1.2.3.4.5'],
];

/** Where clouds keep the keys of the machine. */
const METADATA = [
  ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
];

/** 127.0.0.1, and 8.8.8.8, in the clothes of IPv6. */
const DISGUISED = [
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:0001', '::ffff:8.8.8.8', '::127.0.0.1', '::7f00:1'],
  ...['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::127.0.0.1', '64:ff9b:1::7f00:1', '2002:7f00:1::'],
  ...['2001:0:7f00:1::', 'fe80::5efe:7f00:1', 'fe80::1%eth0', '2606:4700::1%eth0'],
];

const PUBLIC = [
  ...['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0'],
  ...['198.17.255.255', '198.20.0.0', '223.255.255.255', '2001:200::1', '2003::1', '2606:4700::1111', '2a00:1450::1'],
];

test('special addresses, those of clouds, and of IPv4 in IPv6, are not public, and neighbors of special ranges are', () => {
  expect([...SPECIAL, ...METADATA, ...DISGUISED].filter(isPublic)).toEqual([]);
  expect(PUBLIC.filter(isPublic)).toEqual(PUBLIC);
});

describe('an address policy', () => {
  const book: Record<string, string[]> = {
    'public.test': ['93.184.216.34', '2606:2800:220:1::1'],
    'private.test': ['10.0.0.7'],
    'mixed.test': ['93.184.216.34', '127.0.0.1'],
    'mapped.test': ['::ffff:10.0.0.7'],
    'inner.test': ['10.0.0.8'],
  };
  const resolve = async (name: string) => {
    const addresses = book[name] ?? [];
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  const guard = createAddressPolicy({
    allowPrivate: false,
    allowed: ['inner.test:8080', '127.0.0.1:9', '[::1]:9'],
    resolve,
  });
  const ask = (host: string, port = 80) => guard(host, port);

  test.each([
    ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1'],
    '127.0.0.1.',
    ...['0', '0.0.0.0', '00', '0x0', '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '2852039166', '0xa9fea9fe'],
    ...['[::1]', '::1', '[::ffff:127.0.0.1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[fe80::1]'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'localhost..', 'a.localhost', 'localhost.localdomain', 'ｌocalhost'],
    ...['private.test', 'PRIVATE.test', 'private.test.', 'mixed.test', 'mapped.test', 'a@127.0.0.1', '127.0.0.1#a'],
  ])('refuses %s', async (host) => {
    await expect(ask(host)).rejects.toMatchObject({ code: 'target-refused' });
  });

  test.each(['public.test', 'PUBLIC.test.', '93.184.216.34', '0x5db8d822', '[2606:2800:220:1::1]'])(
    'lets %s through, and says at which address it is',
    async (host) => {
      expect((await ask(host)).map(({ address }) => address)).toContain(
        host.startsWith('[') ? '2606:2800:220:1::1' : '93.184.216.34',
      );
    },
  );

  test('says why it refuses, and how a private host is allowed, but not its address', async () => {
    await expect(ask('private.test')).rejects.not.toThrow(/10\.0/);
    await expect(ask('nowhere.test')).rejects.toMatchObject({ code: 'page-unreachable' });
    await expect(ask('localhost', 3000)).rejects.toThrow(
      'localhost:3000: the request was refused: the host name refers to this machine. Use a public URL, or start proofsheet with: --allow localhost:3000',
    );
    await expect(ask('::1', 3000)).rejects.toThrow('--allow [::1]:3000');
    await expect(addressesOfUrl(guard, 'ftp://a.test/')).rejects.toThrow(
      /the protocol is not http or https\. Use a public http:\/\/ or https:\/\/ URL\.$/,
    );
  });

  test('allows a listed host and port, and no other port of that host; or everything', async () => {
    const open = createAddressPolicy({ allowPrivate: true, resolve });
    for (const allowed of [
      ...[ask('inner.test', 8080), ask('127.1', 9), ask('::1', 9)],
      ...[open('private.test', 80), open('169.254.169.254', 80)],
    ])
      await expect(allowed).resolves.toHaveLength(1);
    for (const refused of [ask('inner.test', 80), ask('127.0.0.1', 10)])
      await expect(refused).rejects.toMatchObject({ code: 'target-refused' });
  });
});
