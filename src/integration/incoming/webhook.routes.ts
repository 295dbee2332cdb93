import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Conflict, defineRoute, NotAllowed, NotFound, Shared } from '#api';
import { IncomingWebhook, NewWebhook, Renewal, WebhookChange, WebhookWithAddress } from './webhook.schema.ts';
import type { WebhookService } from './webhook.service.ts';

const tag = 'Incoming webhooks';
const Params = Type.Object({ team: Type.String() });
const OfWebhook = Type.Object({ team: Type.String(), webhook: Type.String() });

export function webhookRoutes(app: FastifyInstance, webhooks: WebhookService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/webhooks',
    access: 'session',
    tag,
    summary: 'A team’s incoming webhooks, without their addresses; for its admins',
    params: Params,
    item: Shared(IncomingWebhook),
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal }) => webhooks.list(principal.userId, params.team),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/teams/:team/webhooks',
    access: 'session',
    recent: true,
    tag,
    summary: 'Make an incoming webhook; the answer shows its address this once',
    params: Params,
    body: NewWebhook,
    item: Shared(WebhookWithAddress),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await webhooks.create(tx, principal.userId, params.team, body)]),
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/teams/:team/webhooks/:webhook',
    access: 'session',
    tag,
    summary: 'Give an incoming webhook another name, also at what it wrote',
    params: OfWebhook,
    body: WebhookChange,
    item: Shared(IncomingWebhook),
    errors: [NotFound, NotAllowed],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await webhooks.rename(tx, principal.userId, params, body.name)]),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/teams/:team/webhooks/:webhook/address',
    access: 'session',
    recent: true,
    tag,
    summary: 'Give an incoming webhook another address, and another key if it is signed',
    description: 'The address and the key before end at once.',
    params: OfWebhook,
    body: Renewal,
    item: Shared(WebhookWithAddress),
    errors: [NotFound, NotAllowed],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await webhooks.renew(tx, principal.userId, params, body.signed)]),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/teams/:team/webhooks/:webhook',
    access: 'session',
    tag,
    summary: 'Withdraw an incoming webhook; what it wrote stays',
    params: OfWebhook,
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await webhooks.withdraw(tx, principal.userId, params);
        return [];
      }),
  });
}
