import { describe, expect, it } from 'vitest';
import { isOnServer, leadsInside, withoutInnerLinks } from './inner-address.ts';

const ORIGIN = 'https://chat.example';

describe('an address that leads inside the server', () => {
  it.each([
    'https://chat.example/v1/applications/a/open?team=t',
    'https://chat.example/v1',
    'HTTPS://CHAT.EXAMPLE/V1/users/me',
    'https://chat.example//v1/users/me',
    'https://chat.example/%761/users/me',
    'https://chat.example/%2576%2531/users/me',
    'https://chat.example/x/../v1/users/me',
    'https://chat.example/x/%2e%2e/v1/users/me',
    'https://chat.example/x/%252e%252e/v1/users/me',
    'https://chat.example\\v1\\users\\me',
    'https://chat.example/%5cv1/users/me',
    'https://chat.example/.//v1;x/users/me',
    'https://somebody:word@chat.example/v1/users/me',
    'https://chat.example:443/v1/users/me',
    'http://chat.example/v1/users/me',
    'http://chat.example:80/v1/users/me',
    'https://chat.example./v1/users/me',
    'https:chat.example/v1/users/me',
    'https://ｃｈａｔ.example/v1/users/me',
    'https://chat。example/v1/users/me',
    'https://chat.example/docs',
    'https://chat.example/docs#/x',
    'https://chat.example/docs/openapi.json',
    'https://chat.example/set-up#token',
    'https://chat.example/%25252525252525252576',
  ])('is recognised as %s', (address) => {
    expect(leadsInside(address, ORIGIN)).toBe(true);
  });

  it.each([
    'http://127.0.0.1:3000/v1/x',
    'http://[::1]:3000/v1',
    'http://a.localhost:3000/docs',
    'http://0:3000/v1',
  ])('is recognised as %s of a server on this machine', (address) => {
    expect(leadsInside(address, 'http://localhost:3000')).toBe(true);
  });

  it.each([
    'https://chat.example/',
    'https://chat.example/teams/1/messages/2',
    'https://chat.example/docs-of-ours',
    'https://chat.example/v10/x',
    'https://chat.example/teams?next=/v1/x',
    'https://chat.example:8443/v1/x',
    'https://other.example/v1/x',
    'https://chat.example.org/v1/x',
    'https://other.example/?u=https://chat.example/v1',
    'no address',
  ])('is not %s', (address) => {
    expect(leadsInside(address, ORIGIN)).toBe(false);
  });
});

it('knows the host of the server whatever the path', () => {
  expect(isOnServer(new URL('http://CHAT.example./teams'), ORIGIN)).toBe(true);
  expect(isOnServer(new URL('http://localhost:3001/'), 'http://127.0.0.1:3000')).toBe(false);
});

it('a mail has nothing that its program takes for a link inside the server', () => {
  const text = [
    'see https://other.example/v1 and https://chat.example/teams/1,',
    'open (https://chat.example/v1/applications/a/open?team=t)',
    'or "Chat.Example//v1/users/me", or chat.example.',
  ].join('\n');
  expect(withoutInnerLinks(text, ORIGIN)).toBe(
    [
      'see https://other.example/v1 and https://chat.example/teams/1,',
      'open (https: chat.\u2060example/v1/applications/a/open?team=t)',
      'or "Chat.\u2060Example//v1/users/me", or chat.example.',
    ].join('\n'),
  );
});
