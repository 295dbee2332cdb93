import { domainToUnicode } from 'node:url';
import { InvalidFields } from '#api';
import { isMailAddress } from '#platform/mail/index.ts';
import { cleanLine, normalized, passesForLatin } from '#platform/text/index.ts';

/** A domain name that has two spellings. `domainToUnicode` reads anything else as a part of a web address. */
const INTERNATIONAL = /^(?=.*(?:xn--|[^\p{ASCII}]))[\p{L}\p{M}\p{N}.-]+$/u;

/**
 * @returns the normalised address for comparisons: two that differ only in case, in the composition of accents or in
 * the spelling of the domain (RFC 5891: `xn--bcher-kva.example` is `bücher.example`) belong to one person
 */
export function emailKey(email: string): string {
  const address = normalized(email.trim().toLowerCase(), 'NFC');
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (!INTERNATIONAL.test(domain)) return address;
  return address.slice(0, at + 1) + (domainToUnicode(domain) || domain);
}

/** The domain of an address, in the form in which two are compared. */
export function domainOf(email: string): string {
  const key = emailKey(email);
  return key.slice(key.lastIndexOf('@') + 1);
}

/** Alphabets whose letters look like each other's. */
const ALPHABETS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

const partsOf = (address: string) => emailKey(address).split(/[@.]/);

/** UTS #39 §5.2: the address of somebody else, but for one letter of another alphabet. */
const mixesAlphabets = (address: string) =>
  partsOf(address).some((part) => ALPHABETS.filter((alphabet) => alphabet.test(part)).length > 1);

/** The address of somebody else, with a part in letters of another alphabet that look the same. */
const passesForAnother = (address: string) => {
  const parts = partsOf(address);
  return parts.some((part) => passesForLatin(part, parts.at(-1) ?? ''));
};

/**
 * Refuses addresses that no mail could reach, and second spellings of one mailbox; only a mail can prove the others.
 * @throws InvalidFields
 */
export function checkEmail(email: string, field = 'email'): void {
  const address = email.trim();
  if (!isMailAddress(address) || cleanLine(address) !== address)
    throw new InvalidFields({ field, message: 'must be an email address' });
  if (mixesAlphabets(address))
    throw new InvalidFields({ field, message: 'must not mix letters of several alphabets in one part' });
  if (passesForAnother(address))
    throw new InvalidFields({ field, message: 'must not look like an address in Latin letters' });
}
