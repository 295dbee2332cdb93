import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Answer, defineRoute, InvalidFields, MAY_READ_ITSELF, Shared, Text, viewerOf } from '#api';
import { Message } from '../view/message.schema.ts';
import { MOST_QUOTED, type QuoteService } from './quote.service.ts';

/** Room for their ids, commas and some blanks. */
const LONGEST = MOST_QUOTED * 40;

export function quoteRoutes(app: FastifyInstance, quotes: QuoteService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/quotes',
    access: MAY_READ_ITSELF,
    tag: 'Messages',
    summary: 'Messages that others refer to, as they are now and as the caller may read them',
    description:
      'For addresses of messages in a text. In the order asked for; null stands for one that does not exist and for one ' +
      'that the caller may not read alike. Ask again rather than keep an answer: rights and texts change.',
    query: Type.Object({
      messages: Text(LONGEST, {
        min: 1,
        description: `Ids of messages, separated by commas, at most ${MOST_QUOTED}`,
      }),
    }),
    item: Type.Union([Shared(Message), Type.Null()]),
    errors: [InvalidFields],
    handle: async ({ query, principal }) =>
      new Answer(await quotes.find(viewerOf(principal, 'read'), query.messages.split(',')), {}),
  });
}
