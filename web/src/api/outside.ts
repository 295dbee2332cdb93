import { safeUrl } from '#platform/text/address.ts';
import { leadsInside } from '#platform/text/inner-address.ts';

/**
 * @returns the address that somebody else wrote, if it may be a link: one to our own API would act with the session of
 * the person who follows it
 */
export function outsideUrl(address: string): string | undefined {
  const safe = safeUrl(address);
  return safe === undefined || leadsInside(safe, location.origin) ? undefined : safe;
}
