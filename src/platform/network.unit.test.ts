import { expect, it } from 'vitest';
import { isNetwork, network, readAddress } from './network.ts';

it('a caller is one IPv4 address, in each spelling, or one /64 of IPv6', () => {
  expect(network('192.0.2.7')).toBe('192.0.2.7');
  expect(network('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(network('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64');
  expect(network('2001:DB8:1:2:ffff:ffff:ffff:ffff')).toBe('2001:db8:1:2::/64');
  expect(network('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
  expect(network('fe80::1%eth0')).toBe('fe80::/64');
  expect(network('::1')).toBe(network('127.0.0.1'));
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  [' 192.0.2.7:4711 ', '192.0.2.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['unknown', undefined],
  ['', undefined],
  ['192.0.2.7:', undefined],
  ['192.0.2.777', undefined],
  ['example.org', undefined],
])('reads %j as a proxy writes it', (text, address) => {
  expect(readAddress(text)).toBe(address);
});

it('knows addresses and networks', () => {
  for (const text of ['10.0.0.0/8', '10.0.0.1', '2001:db8::/32', '::1', '0.0.0.0/0'])
    expect(isNetwork(text)).toBe(true);
  for (const text of ['', '10.0.0.0/33', '10.0.0/8', '2001:db8::/129', '10.0.0.0/8/9', '10.0.0.0/', 'proxy'])
    expect(isNetwork(text)).toBe(false);
});
