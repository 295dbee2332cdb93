import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkUrl, isForbiddenAddress, type UrlRefusal } from './address-policy.ts';

const STRICT = { allowLoopback: false };
const LOOPBACK = { allowLoopback: true };

const FORBIDDEN_IPV4 = [
  '0.0.0.0/8 this network',
  '10.0.0.0/8 private',
  '100.64.0.0/10 shared by carriers, with the metadata of Alibaba',
  '127.0.0.0/8 loopback',
  '169.254.0.0/16 link-local, with the metadata of AWS, GCP and Azure',
  '168.63.129.16/32 platform services of Azure',
  '172.16.0.0/12 private',
  '192.0.0.0/24 protocol assignments, with the metadata of Oracle',
  '192.0.2.0/24 documentation',
  '192.31.196.0/24 AS112',
  '192.52.193.0/24 AMT',
  '192.88.99.0/24 6to4 relays',
  '192.168.0.0/16 private',
  '192.175.48.0/24 AS112',
  '198.18.0.0/15 benchmarking',
  '198.51.100.0/24 documentation',
  '203.0.113.0/24 documentation',
  '224.0.0.0/4 multicast',
  '240.0.0.0/4 reserved',
  '255.255.255.255/32 broadcast',
];

const FORBIDDEN_IPV6 = [
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback in full'],
  ['::ffff:127.0.0.1', 'IPv4-mapped loopback'],
  ['::ffff:7f00:1', 'IPv4-mapped loopback in hexadecimal'],
  ['::ffff:169.254.169.254', 'IPv4-mapped metadata'],
  ['::ffff:0:10.0.0.1', 'IPv4-translated private'],
  ['::127.0.0.1', 'IPv4-compatible loopback'],
  ['::10.0.0.1', 'IPv4-compatible private'],
  ['64:ff9b::10.0.0.1', 'NAT64'],
  ['64:ff9b:1::a00:1', 'NAT64 of the network'],
  ['100::1', 'discard'],
  ['2001::1', 'Teredo'],
  ['2001:2::1', 'benchmarking'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4 with loopback'],
  ['2002:a00:1::1', '6to4 with private'],
  ['3fff::1', 'documentation'],
  ['4000::1', 'never assigned'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'metadata of AWS'],
  ['fd20:ce::254', 'metadata of GCP'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
] as const;

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
];

const NO_PLAIN_ADDRESS = [
  '',
  'localhost',
  '2130706433',
  '0177.0.0.1',
  '0x7f000001',
  '127.1',
  '[::1]',
  '8.8.8',
  '8.8.8.8.',
  ' 8.8.8.8',
];

describe('an address', () => {
  it.each(PUBLIC)('%s is public', (ip) => {
    expect(isForbiddenAddress(ip, STRICT)).toBe(false);
    expect(isForbiddenAddress(ip, LOOPBACK)).toBe(false);
  });

  it.each(FORBIDDEN_IPV4)('%s: first, last and everything between is forbidden', (line) => {
    fc.assert(
      fc.property(inRange(line), (ip) => {
        expect(isForbiddenAddress(ip, STRICT)).toBe(true);
      }),
    );
  });

  it.each(FORBIDDEN_IPV6)('%s is forbidden: %s', (ip) => {
    expect(isForbiddenAddress(ip, STRICT)).toBe(true);
  });

  it.each(NO_PLAIN_ADDRESS)('"%s" is forbidden, being no plain IP address', (text) => {
    expect(isForbiddenAddress(text, STRICT)).toBe(true);
    expect(isForbiddenAddress(text, LOOPBACK)).toBe(true);
  });

  it('is forbidden when IPv6 wraps IPv4, whichever it is', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::ffff:', '64:ff9b::', '::ffff:0:'), (ip, prefix) => {
        expect(isForbiddenAddress(prefix + ip, STRICT)).toBe(true);
        expect(isForbiddenAddress(prefix + ip, LOOPBACK)).toBe(true);
      }),
    );
  });

  it('gains nothing from the loopback setting but 127.0.0.0/8 and ::1', () => {
    for (const ip of ['127.0.0.1', '127.255.255.254', '::1'])
      expect(isForbiddenAddress(ip, LOOPBACK)).toBe(false);
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => {
        const gained = isForbiddenAddress(ip, STRICT) && !isForbiddenAddress(ip, LOOPBACK);
        expect(!gained || ip.startsWith('127.') || new URL(`http://[${ip}]`).hostname === '[::1]').toBe(true);
      }),
    );
  });

  it('is judged, never thrown at, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(isForbiddenAddress(text, STRICT)).toBeTypeOf('boolean');
        expect(checkUrl(text, STRICT)).toHaveProperty('ok');
      }),
    );
  });
});

describe('a URL', () => {
  it.each([
    'https://example.com',
    'https://example.com:8443/hooks?x=1',
    'HTTPS://EXAMPLE.COM/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://localhost.example.com/',
    'https://notlocalhost/',
  ])('%s is accepted', (text) => {
    expect(checkUrl(text, STRICT)).toMatchObject({ ok: true, url: new URL(text) });
  });

  it.each<[string, UrlRefusal]>([
    ['', 'malformed'],
    ['example.com', 'malformed'],
    ['/hooks', 'malformed'],
    ['https://', 'malformed'],
    ['https://256.1.1.1/', 'malformed'],
    ['https://example.com:99999/', 'malformed'],
    ['https://[fe80::1%25eth0]/', 'malformed'],
    ['http://example.com/', 'not_https'],
    ['ftp://example.com/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['http://127.0.0.1/', 'not_https'],
    ['https://user@example.com/', 'credentials'],
    ['https://:word@example.com/', 'credentials'],
    ['https://8.8.8.8@127.0.0.1/', 'credentials'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://localhost/', 'forbidden_address'],
    ['https://LOCALHOST/', 'forbidden_address'],
    ['https://localhost./', 'forbidden_address'],
    ['https://app.localhost/', 'forbidden_address'],
    ['https://ⓛocalhost/', 'forbidden_address'],
    ['https://127.0.0.1./', 'forbidden_address'],
    ['https://127.1/', 'forbidden_address'],
    ['https://2130706433/', 'forbidden_address'],
    ['https://0177.0.0.1/', 'forbidden_address'],
    ['https://0x7f000001/', 'forbidden_address'],
    ['https://0x7f.1/', 'forbidden_address'],
    ['https://127。0。0。1/', 'forbidden_address'],
    ['https://0/', 'forbidden_address'],
    ['https://0.0.0.0/', 'forbidden_address'],
    ['https://[::]/', 'forbidden_address'],
    ['https://[::1]/', 'forbidden_address'],
    ['https://[::ffff:127.0.0.1]/', 'forbidden_address'],
    ['https://[::ffff:7f00:1]/', 'forbidden_address'],
    ['https://169.254.169.254/latest/meta-data/', 'forbidden_address'],
    ['https://2852039166/latest/meta-data/', 'forbidden_address'],
    ['https://100.100.100.200/', 'forbidden_address'],
    ['https://[fd00:ec2::254]/', 'forbidden_address'],
    ['https://10.0.0.1/', 'forbidden_address'],
  ])('%s is refused: %s', (text, reason) => {
    expect(checkUrl(text, STRICT)).toMatchObject({ ok: false, reason, detail: expect.stringMatching(/\.$/) });
  });

  it.each(['localhost', 'localhost.', 'app.localhost', '127.0.0.1', '127.1', '2130706433', '[::1]'])(
    '%s is accepted with either scheme where loopback is allowed',
    (host) => {
      expect(checkUrl(`http://${host}:8080/`, LOOPBACK).ok).toBe(true);
      expect(checkUrl(`https://${host}:8080/`, LOOPBACK).ok).toBe(true);
    },
  );

  it.each<[string, UrlRefusal]>([
    ['http://example.com/', 'not_https'],
    ['http://localhost.example.com/', 'not_https'],
    ['http://10.0.0.1/', 'not_https'],
    ['http://0.0.0.0/', 'not_https'],
    ['https://0.0.0.0/', 'forbidden_address'],
    ['https://10.0.0.1/', 'forbidden_address'],
    ['https://169.254.169.254/', 'forbidden_address'],
    ['https://[::ffff:127.0.0.1]/', 'forbidden_address'],
  ])('%s is refused even where loopback is allowed: %s', (text, reason) => {
    expect(checkUrl(text, LOOPBACK)).toMatchObject({ ok: false, reason });
  });

  it('is judged by the address it means, however that is spelled', () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xff_ff_ff_ff }), (value) => {
        const expected = isForbiddenAddress(dotted(value), STRICT);
        for (const host of spellings(value))
          expect([host, !checkUrl(`https://${host}/`, STRICT).ok]).toEqual([host, expected]);
      }),
    );
  });

  it('is HTTPS, or plain HTTP to loopback where that is allowed, when it is accepted', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withFragments: true, authoritySettings: { withIPv4: true, withIPv6: true } }),
        (text) => {
          const checked = checkUrl(text, LOOPBACK);
          if (!checked.ok) return;
          const { origin, username, password, hash } = checked.url;
          expect(origin).toMatch(/^(https:|http:\/\/(.*\.)?(localhost|127\.[\d.]+|\[::1\])\.?(:\d+)?$)/);
          expect([username, password, hash]).toEqual(['', '', '']);
        },
      ),
    );
  });
});

function inRange(line: string): fc.Arbitrary<string> {
  const [network = '', bits = ''] = line.split(/[/ ]/);
  const first = network.split('.').reduce((value, part) => value * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(bits));
  return fc
    .oneof(fc.constantFrom(0, size - 1), fc.nat({ max: size - 1 }))
    .map((offset) => dotted(first + offset));
}

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

function spellings(value: number): string[] {
  const parts = dotted(value).split('.').map(Number);
  return [
    dotted(value),
    `${dotted(value)}.`,
    String(value),
    `0x${value.toString(16)}`,
    `0${value.toString(8)}`,
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    parts.map((part) => `0x${part.toString(16)}`).join('.'),
    `${parts[0]}.${value & 0xff_ff_ff}`,
  ];
}
