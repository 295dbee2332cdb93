import type { FastifyInstance } from 'fastify';
import type { Config } from '../process/config.ts';

const YEAR_S = 31_536_000;

/**
 * Headers of every answer, those that no reply of Fastify writes among them (server-events.ts, `answerClientError`): browsers
 * do not sniff types, keep addresses to themselves and stay with HTTPS.
 */
export const answerHeaders = ({ BASE_URL }: Config) => ({
  'X-Content-Type-Options': 'nosniff',
  // Addresses hold tokens of invitations and mailed links.
  'Referrer-Policy': 'same-origin',
  ...(BASE_URL?.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${YEAR_S}` }),
});

export function protectAnswers(app: FastifyInstance, headers: ReturnType<typeof answerHeaders>): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  // Fetch, "Cross-Origin-Resource-Policy header": keeps pages of other sites from loading our JSON into their
  // process.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string' && type.startsWith('application/json')) {
      reply.header('Cross-Origin-Resource-Policy', 'same-origin');
    }
    done();
  });
}
