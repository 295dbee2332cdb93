import { domainToASCII } from 'node:url';
import { domainOf } from '../people/users/index.ts';

/** The spelling that is stored and compared: an alphabet that looks like another one shows (RFC 5891, `xn--`). */
export const asciiDomain = (domain: string) => domainToASCII(domain) || domain;

export const asciiDomainOf = (address: string) => asciiDomain(domainOf(address));
