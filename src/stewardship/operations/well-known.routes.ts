import type { FastifyInstance } from 'fastify';
import { NotFound } from '#api';

const DAY_MS = 86_400_000;
/** RFC 9116 §2.5.5 asks for less than a year. */
const GOOD_FOR_MS = 180 * DAY_MS;

export interface WellKnownDeps {
  /** The address to which weaknesses are reported; undefined if the operator has set none. */
  readonly contact: string | undefined;
  readonly baseUrl: () => string;
  readonly clock: () => number;
  /** The page of the web application where a password is changed. */
  readonly passwordPage: string;
}

/** Addresses that scanners and password managers know. */
export function wellKnownRoutes(app: FastifyInstance, deps: WellKnownDeps): void {
  const { contact, baseUrl, clock, passwordPage } = deps;
  const config = { access: 'anyone', enveloped: false } as const;
  const hidden = (summary: string): object => ({ hide: true, summary });

  // RFC 9116. Without a contact there is nothing to say: the field is required.
  app.get(
    '/.well-known/security.txt',
    { config, schema: hidden('Where weaknesses are reported (RFC 9116)') },
    async (_request, reply) => {
      if (contact === undefined) throw new NotFound();
      // By whole days, so that caches and signatures see one text.
      const expires = new Date(Math.floor(clock() / DAY_MS) * DAY_MS + GOOD_FOR_MS);
      const lines = [
        `Contact: ${contact}`,
        `Expires: ${expires.toISOString()}`,
        'Preferred-Languages: en, de',
        `Canonical: ${baseUrl()}/.well-known/security.txt`,
      ];
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
    },
  );

  // W3C, "A Well-Known URL for Changing Passwords".
  app.get(
    '/.well-known/change-password',
    { config, schema: hidden('To the page that changes a password') },
    async (_request, reply) => reply.redirect(passwordPage, 303),
  );
}
