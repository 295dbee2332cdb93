import type { FastifyRequest } from 'fastify';

/** Whether the request comes from a browser page and not from a program. */
export const wantsPage = (request: FastifyRequest) => request.headers.accept?.includes('text/html') ?? false;

/**
 * Whether a request comes from one of our own pages or from the person directly, and not from another site (Fetch
 * Metadata Request Headers §2.3). Browsers omit the header on plain HTTP, and old ones always; then the Referer of
 * our own pages decides. Another site can make a browser send the cookie only when it loads a page (SameSite=Lax), so
 * a program that asks for another type acts for itself.
 */
export function isOwnNavigation(request: FastifyRequest, baseUrl: string): boolean {
  const { 'sec-fetch-site': site, referer, host } = request.headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (!wantsPage(request)) return true;
  const from = URL.parse(referer ?? '');
  return from !== null && (from.host === host || from.origin === new URL(baseUrl).origin);
}
