import type { FastifyRequest } from 'fastify';

/** Whether somebody looks at the answer, and not a program. */
export const wantsPage = (request: FastifyRequest) => request.headers.accept?.includes('text/html') ?? false;

/**
 * Whether a request comes from one of our own pages, or from the person themselves, and not from another site
 * (Fetch Metadata Request Headers §2.3). Browsers leave the header out on plain HTTP, and old ones everywhere: there the
 * Referer of our own pages tells. Another site can make a browser ask with the cookie for a page only (SameSite=Lax), so a
 * program that asks for anything else asks by itself.
 */
export function isOwnNavigation(request: FastifyRequest, baseUrl: string): boolean {
  const { 'sec-fetch-site': site, referer, host } = request.headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (!wantsPage(request)) return true;
  const from = URL.parse(referer ?? '');
  return from !== null && (from.host === host || from.origin === new URL(baseUrl).origin);
}
