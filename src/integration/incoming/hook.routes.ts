import { createHash } from 'node:crypto';
import { parse as parseForm } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  ByHand,
  decodeBody,
  defineRoute,
  EmptyMessage,
  NotAuthorized,
  NotFound,
  PlainText,
  UnreadableBody,
  type UserPrincipal,
} from '#api';
import type { PostService } from '../../conversation/messages/index.ts';
import { beginningOf } from './payload.ts';
import { readPayload } from './read-payload.ts';
import { readSignature, type Signed } from './signature.ts';
import type { WebhookService } from './webhook.service.ts';

/** Names by which senders tell a repeated call from another one. */
const REPEATED_BY = ['webhook-id', 'x-github-delivery', 'x-gitlab-event-uuid'] as const;

const Payload = ByHand(
  'JSON of ours (`{text}`), of Slack, of Mattermost, or of a product’s own webhooks; a form with it in `payload`; or plain text',
  Type.Object({ text: Type.String() }),
);

/** The address at which other programs post. */
export async function hookRoutes(
  app: FastifyInstance,
  deps: { webhooks: WebhookService; posts: PostService; maxText: number },
): Promise<void> {
  const { webhooks, posts, maxText } = deps;
  readForms(app);

  defineRoute(app, {
    method: 'POST',
    path: '/v1/hooks/:secret',
    access: 'webhook',
    tag: 'Incoming webhooks',
    summary: 'Post to a team by the address of an incoming webhook',
    description:
      'Answers `ok` as text, which is what programs expect that post to Slack. Understands payloads of Slack, Mattermost, ' +
      'Grafana, Alertmanager, GitLab, GitHub, Sentry and Uptime Kuma; others are shown as they are. A call that repeats the ' +
      '`Idempotency-Key`, `webhook-id`, `X-GitHub-Delivery` or `X-Gitlab-Event-UUID` of an earlier one posts nothing. ' +
      'A signed call is known by what is signed alone: its `webhook-id`, or GitHub’s signature itself.',
    params: Type.Object({ secret: Type.String() }),
    body: Payload,
    plain: 'The text `ok`',
    errors: [NotFound, NotAuthorized, EmptyMessage],
    handle: async ({ body, params, principal, request, batch }) => {
      const row = await webhooks.bySecret(params.secret);
      const key = webhooks.keyOf(row);
      const signed =
        key === undefined ? undefined : readSignature(key, request.headers, request.rawBody ?? '');
      if (key !== undefined && !signed)
        throw new NotAuthorized(undefined, 'The call is not signed with the key of this webhook');
      nameRepetition(request, signed);
      const event = request.headers['x-github-event'];
      const text = shorten(
        readPayload(body, { event: typeof event === 'string' ? event : undefined }),
        maxText,
      );
      if (text === '') throw new EmptyMessage();
      await batch(posts.post, postBy(principal, row.team_id, text), {
        lane: row.team_id,
        shared: true,
        again: async () => [],
      });
      // The message stands: a sender that was told of a failure would post it again.
      await webhooks.used(row).catch((err: unknown) => request.log.warn({ err }, 'the use was not noted'));
      return new PlainText('ok');
    },
  });
}

const postBy = (author: UserPrincipal, teamId: string, text: string) => ({
  author,
  content: { text, attachments: [], fileIds: [], mention: undefined },
  to: { teamId, userIds: [], emails: [] },
});

/** Cuts after so many characters, never through one. */
function shorten(text: string, most: number): string {
  const clean = text.toWellFormed().replaceAll('\0', '').trim();
  return clean.length <= most ? clean : `${beginningOf(clean, most - 1)}…`;
}

/** Somebody who captured a signed call can change the headers that are not signed: these do not make another call of it. */
function nameRepetition({ headers }: FastifyRequest, signed: Signed | undefined): void {
  if (signed?.name !== undefined) {
    headers['idempotency-key'] = createHash('sha256').update(signed.name).digest('hex');
    return;
  }
  const name = REPEATED_BY.find((one) => headers[one] !== undefined);
  const id = name === undefined ? undefined : headers[name];
  if (headers['idempotency-key'] === undefined && typeof id === 'string' && id !== '')
    headers['idempotency-key'] = id.slice(0, 255);
}

/** Old senders put the JSON into the field `payload` of a form, or give it the type of one. */
function readForms(app: FastifyInstance): void {
  readAsText(app, 'application/x-www-form-urlencoded', (body) => {
    // curl takes JSON for a form, unless it is told otherwise.
    if (body.trimStart().startsWith('{')) return parseJson(body);
    const { payload, text } = parseForm(body);
    for (const [name, value] of Object.entries({ payload, text }))
      if (Array.isArray(value))
        throw new UnreadableBody(undefined, `The form has the field ${name} more than once`);
    if (typeof payload === 'string') return parseJson(payload);
    return typeof text === 'string' ? { text } : {};
  });
  readAsText(app, 'text/plain', (body) => body);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableBody(undefined, 'The payload is not valid JSON', error);
  }
}

/** Keeps the text as it came, too: signatures are compared with it. */
function readAsText(app: FastifyInstance, type: string, read: (body: string) => unknown): void {
  app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    request.rawBody = decodeBody(request, bytes);
    return read(request.rawBody);
  });
}
