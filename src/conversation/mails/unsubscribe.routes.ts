import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { NotFound } from '#api';
import type { Database } from '#platform/db/index.ts';
import {
  chosenLanguage,
  directionOf,
  type Language,
  languageAsked,
  type UserService,
} from '../../people/users/index.ts';
import { common } from './catalogue.ts';
import type { UnsubscribeLinks, Unsubscription } from './unsubscribe.ts';

const PATH = '/v1/unsubscribe/:token';

/**
 * One-click unsubscription (RFC 8058): mail programs post to the address, people open it and press a button. Only the
 * post changes anything, because programs that look for viruses open every link.
 */
export async function unsubscribeRoutes(
  app: FastifyInstance,
  deps: { db: Database; users: UserService; links: UnsubscribeLinks },
): Promise<void> {
  const { db, users, links } = deps;
  // The form is `List-Unsubscribe=One-Click`, in any type of body. Its content is ignored.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));

  /** The page is in the language of the account, else in that of the browser. @throws NotFound */
  async function asked(request: FastifyRequest): Promise<Unsubscription & { language: Language }> {
    const found = links.read((request.params as { token: string }).token);
    const user = found && (await users.byId(db, found.userId));
    if (!user) throw new NotFound();
    return { ...found, language: chosenLanguage(user) ?? languageAsked(request.headers) ?? 'en' };
  }

  const options = (summary: string) => ({
    config: { access: 'anyone' as const, enveloped: true, errors: [NotFound] },
    schema: {
      tags: ['Mails'],
      summary,
      params: Type.Object({ token: Type.String() }),
      response: {
        200: { description: 'A page', content: { 'text/html': { schema: Type.String() } } },
      },
    },
  });

  app.get(PATH, options('The page with the button that unsubscribes'), async (request, reply) => {
    const { language } = await asked(request);
    const { title, button } = common[language].stop;
    return sendPage(reply, language, title, `<form method="post"><button>${button}</button></form>`);
  });

  app.post(PATH, options('Stop the mails of one kind (RFC 8058)'), async (request, reply) => {
    const { userId, prefs, language } = await asked(request);
    const off = Object.fromEntries(prefs.map((name) => [name, false]));
    await db.write((tx) => users.change(tx, userId, { prefs: off }));
    const { title, text } = common[language].stopped;
    return sendPage(reply, language, title, `<p>${text}</p>`);
  });
}

function sendPage(reply: FastifyReply, language: Language, title: string, body: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    })
    .send(
      [
        '<!doctype html>',
        `<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><title>${title}</title>`,
        '<meta name="viewport" content="width=device-width">',
        '<style>body{font:16px/24px sans-serif;max-width:30em;margin:4em auto;padding:0 1em}</style></head>',
        `<body><h1>${title}</h1>${body}</body></html>`,
      ].join('\n'),
    );
}
