import { domainToUnicode } from 'node:url';
import { InvalidFields } from '../api/index.ts';

/**
 * @returns the form in which addresses are compared: two that differ only in case, in how accents are put together, or
 * in how the domain is spelled (RFC 5891: `xn--bcher-kva.example` is `bücher.example`), are one person's
 */
export function emailKey(email: string): string {
  const address = email.trim().normalize('NFC').toLowerCase();
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return address.slice(0, at + 1) + (domainToUnicode(domain) || domain);
}

/** Only mail can prove an address; this refuses what no mail could reach. @throws InvalidFields */
export function checkEmail(email: string, field = 'email'): void {
  if (/^[^\s@,;<>]+@[^\s@,;<>]+$/.test(email.trim())) return;
  throw new InvalidFields({ field, message: 'must be an email address' });
}
