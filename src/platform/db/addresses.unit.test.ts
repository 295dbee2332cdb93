import { expect, it } from 'vitest';
import { hostOf, serversOf } from './addresses.ts';

it.each([
  ['an @', 'p@ss'],
  ['a comma', 'p,ss'],
  ['an @ and a comma', 'p@ss,x'],
  ['a bracket', 'p]ss'],
])('a password with %s is the same for all servers, and no part of a host', (_, password) => {
  const servers = serversOf(`postgres://user:${password}@one:5432,[::1]:5433/name`);
  expect(servers).toEqual([
    `postgres://user:${password}@one:5432/name`,
    `postgres://user:${password}@[::1]:5433/name`,
  ]);
  expect(servers.map(hostOf)).toEqual(['one:5432', '[::1]:5433']);
});

it('what is asked of the session is taken out, and all the rest stays', () => {
  const address = (query: string) => `postgres://one,two/name${query}`;
  expect(serversOf(address('?target_session_attrs=read-write&password=a?b&sslmode=require'))).toEqual([
    'postgres://one/name?password=a?b&sslmode=verify-full',
    'postgres://two/name?password=a?b&sslmode=verify-full',
  ]);
  expect(serversOf(address('?target_session_attrs=primary'))).toEqual([
    'postgres://one/name',
    'postgres://two/name',
  ]);
});

it.each(['allow', 'prefer', 'require', 'verify-ca', 'verify-full'])(
  'sslmode=%s checks the certificate',
  (mode) => {
    const before = `postgres://one/name?sslmode=${mode}&sslrootcert=/ca.pem`;
    expect(serversOf(before)).toEqual(['postgres://one/name?sslmode=verify-full&sslrootcert=/ca.pem']);
  },
);

it.each(['disable', 'no-verify'])('sslmode=%s stays', (mode) => {
  expect(serversOf(`postgres://one/name?sslmode=${mode}`)).toEqual([`postgres://one/name?sslmode=${mode}`]);
});

it('a socket has its folder in the address, or encoded in the place of the host', () => {
  for (const address of ['postgres:///name?host=/run/postgresql', 'postgres://user@/name?host=/tmp'])
    expect(serversOf(address)).toEqual([address]);
  expect(serversOf('postgres://%2Ftmp,%2Frun/name')).toEqual([
    'postgres://%2Ftmp/name',
    'postgres://%2Frun/name',
  ]);
});

it.each([
  ['only a user', 'postgres://user:secret@'],
  ['a user and no path', 'postgres://user:secret@?host=/tmp'],
  ['only a comma', 'postgres://,/name'],
  ['a server without a name', 'postgres://one,,two/name'],
  ['a space', 'postgres://one, two/name'],
  ['a port out of range', 'postgres://one:99999,two/name'],
  ['several hosts as a parameter', 'postgres:///name?host=one,two'],
  ['several ports as a parameter', 'postgres://one/name?port=5432,5433'],
  ['several hosts, and one as a parameter', 'postgres://one,two/name?host=three'],
])('an address of %s is refused without what is secret', (_, address) => {
  expect(() => serversOf(address)).toThrow(RangeError);
  expect(() => serversOf(address)).not.toThrow('secret');
});
