/** A cookie whose name depends on HTTPS. */
export interface CookieJar {
  readonly base: string;
  /** Whether the public address uses HTTPS; known once the server listens. */
  readonly secure: () => boolean;
}

/** Over HTTPS with the prefix that keeps other hosts of the domain from setting it (RFC 6265bis §4.1.3.2). */
export const cookieName = ({ base, secure }: CookieJar) => (secure() ? `__Host-${base}` : base);

export const cookieOptions = ({ secure }: CookieJar) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: secure(), signed: true }) as const;
