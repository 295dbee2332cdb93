import { describe, expect, it } from 'vitest';
import { readSender, readSmtpUrl } from './index.ts';

describe('an SMTP address', () => {
  it.each([
    ['smtp://mail.example.org', { host: 'mail.example.org', port: 587, secure: false, requireTLS: false }],
    ['smtp://mail.example.org:25', { port: 25, auth: undefined }],
    ['smtps://u:p@mail.example.org', { port: 465, secure: true, requireTLS: false }],
    ['smtp://u:p%40ss@mail.example.org', { requireTLS: true, auth: { user: 'u', pass: 'p@ss' } }],
    ['smtp://u:p@mail.example.org?tls=optional', { requireTLS: false }],
    ['smtp://u:p@127.0.0.1:2525', { requireTLS: false }],
    ['smtp://u:p@[::1]:2525', { host: '::1', requireTLS: false }],
  ])('%s', (text, expected) => {
    expect(readSmtpUrl(text)).toMatchObject(expected);
  });

  it.each(['', 'mail.example.org', 'http://mail.example.org', 'smtp://', 'smtp://u:%zz@x'])(
    'not %j',
    (text) => {
      expect(readSmtpUrl(text)).toBeUndefined();
    },
  );
});

describe('a sender', () => {
  it.each([
    ['a@example.org', '', 'a@example.org'],
    ['Parley <a@example.org>', 'Parley', 'a@example.org'],
    ['"Parley, Inc." <a@example.org>', 'Parley, Inc.', 'a@example.org'],
    ['<a@example.org>', '', 'a@example.org'],
  ])('%s', (text, name, address) => {
    expect(readSender(text)).toEqual({ name, address });
  });

  it.each(['', 'a', 'a@b@c', 'Parley <a>', 'x\r\nBcc: y <a@example.org>', 'a@example.org, b@example.org'])(
    'not %j',
    (text) => {
      expect(readSender(text)).toBeUndefined();
    },
  );
});
