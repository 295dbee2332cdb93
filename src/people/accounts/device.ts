import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomToken } from '#platform/crypto/index.ts';
import { type CookieJar, cookieName, cookieOptions } from './cookies.ts';

/** The longest lifetime that browsers grant a cookie (RFC 6265bis §5.5). */
const KEPT_S = 400 * 24 * 3600;
/** Several people may use one browser. */
const MOST_ACCOUNTS = 5;

interface Device {
  readonly id: string;
  readonly users: readonly string[];
}

export type DeviceService = ReturnType<typeof deviceService>;

/**
 * Recognises browsers that have signed in to an account before, by a signed cookie that names the browser and its
 * accounts. The cookie grants no access: it only counts wrong passwords from known browsers separately.
 */
export function deviceService({ secure }: { secure: () => boolean }) {
  const jar: CookieJar = { base: 'parley_device', secure };

  function read(request: FastifyRequest): Device | undefined {
    const cookie = request.cookies[cookieName(jar)];
    const unsigned = cookie === undefined ? undefined : request.unsignCookie(cookie);
    const [id, ...users] = unsigned?.valid ? unsigned.value.split('.') : [];
    return id && users.length > 0 ? { id, users } : undefined;
  }

  /** @returns the browser's id, if it has signed in to this account before */
  function knownFor(request: FastifyRequest, userId: string | undefined): string | undefined {
    const device = read(request);
    return userId !== undefined && device?.users.includes(userId) ? device.id : undefined;
  }

  /** Whether the browser has signed in to any account before. */
  const isKnown = (request: FastifyRequest) => read(request) !== undefined;

  function remember(request: FastifyRequest, reply: FastifyReply, userId: string): void {
    const { id, users } = read(request) ?? { id: randomToken(), users: [] };
    const others = users.filter((one) => one !== userId).slice(0, MOST_ACCOUNTS - 1);
    reply.setCookie(cookieName(jar), [id, userId, ...others].join('.'), {
      ...cookieOptions(jar),
      maxAge: KEPT_S,
    });
  }

  return { knownFor, isKnown, remember };
}
