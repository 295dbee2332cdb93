import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../process/config.ts';
import { WrongHost } from '../errors.ts';

/**
 * Answers under the name of BASE_URL alone. The owner of another name can let it lead to this server: a page of theirs is
 * then of the same origin, and reaches a server that only its own network reaches (DNS rebinding). Ports are not compared,
 * since proxies and forwarded ports change them, and neither is X-Forwarded-Host, which clients write. HTTP/1.0 without
 * Host is let in: no browser speaks it.
 */
export function refuseOtherHosts(app: FastifyInstance, { BASE_URL }: Config): void {
  if (BASE_URL === undefined) return;
  const own = nameIn(new URL(BASE_URL).host);
  app.addHook('onRequest', (request, _reply, done) => {
    const asked = hostOf(request);
    const isAnswered = request.routeOptions.config.anyHost || asked === undefined || nameIn(asked) === own;
    done(isAnswered ? undefined : new WrongHost(BASE_URL));
  });
}

/** RFC 9112 §3.2.2: an address in the first line takes the place of Host. */
function hostOf({ raw, headers }: FastifyRequest): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(raw.url ?? '')?.[1] ?? headers.host;
}

/** @returns the name without its port, as it is compared; undefined for what is none */
function nameIn(host: string): string | undefined {
  if (/[/@?#\\\s]/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
}
