import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  ByHand,
  Conflict,
  defineRoute,
  EmptyMessage,
  NotAuthorized,
  NotFound,
  PlainText,
  type SizeLimit,
  UnreachableAddressee,
  type UserPrincipal,
} from '#api';
import { type Block, findBlocks, textOfBlocks } from '../../conversation/blocks/index.ts';
import { MAX_SUBJECT, type PostService, readSubject } from '../../conversation/messages/index.ts';
import { unpack } from './content.ts';
import { beginningOf, fieldsOf } from './payload.ts';
import { readBody } from './read-body.ts';
import { readPayload } from './read-payload.ts';
import { readSignature, type Signed } from './signature.ts';
import { slackText } from './texts.ts';
import type { WebhookService } from './webhook.service.ts';

/** Names by which senders tell a repeated call from another one. */
const REPEATED_BY = ['idempotency-key', 'webhook-id', 'x-github-delivery'] as const;

const Payload = ByHand(
  'JSON of ours (`{text}`), of Slack, of Mattermost, or of a product’s own webhooks; a form or multipart with it in `payload` or `data`, or with its fields; or plain text',
  Type.Object({ text: Type.String() }),
);

/** The address at which other programs post. */
export async function hookRoutes(
  app: FastifyInstance,
  deps: { webhooks: WebhookService; posts: PostService; maxText: number; maxBody: number },
): Promise<void> {
  const { webhooks, posts, maxText, maxBody } = deps;
  const mostOfBody = { bytes: maxBody, setting: 'WEBHOOK_MAX_BODY_BYTES' } as const;
  readAnyBody(app, mostOfBody);

  defineRoute(app, {
    method: 'POST',
    path: '/v1/hooks/:secret',
    access: 'webhook',
    tag: 'Incoming webhooks',
    summary: 'Post to a team by the address of an incoming webhook',
    description:
      'Answers `ok` as text, which is what programs expect that post to Slack. Understands payloads of Slack, Mattermost, Discord, ' +
      'Microsoft Teams, Google Chat, Grafana, Alertmanager, GitLab, GitHub, Gitea, Forgejo, Sentry, Uptime Kuma and Amazon SNS; of others ' +
      'a title, states, a text and a link are found, and the rest is shown line by line. The body is read by what it is, ' +
      'of any `Content-Type` or none, also compressed. A call that repeats the `Idempotency-Key`, `webhook-id` or ' +
      '`X-GitHub-Delivery` of an earlier one, or its `X-Gitlab-Event-UUID` with the same body, posts nothing. ' +
      'A signed call is known by what is signed alone: its `webhook-id`, or GitHub’s signature itself.',
    params: Type.Object({ secret: Type.String() }),
    query: Type.Object({
      subject: Type.Optional(
        Type.String({
          maxLength: MAX_SUBJECT,
          description:
            'What the message is about, by its name. A name that the team does not have begins a subject',
        }),
      ),
    }),
    body: Payload,
    mostOfBody,
    plain: 'The text `ok`',
    errors: [NotFound, NotAuthorized, EmptyMessage, Conflict],
    handle: async ({ body, params, query, principal, request, batch }) => {
      const row = await webhooks.bySecret(params.secret);
      const key = webhooks.keyOf(row);
      const signed =
        key === undefined ? undefined : readSignature(key, request.headers, request.signable ?? []);
      if (key !== undefined && !signed)
        throw new NotAuthorized(undefined, 'The call is not signed with the key of this webhook');
      nameRepetition(request, signed);
      const event = headerOf(request, 'x-github-event');
      const topic = topicOf(request);
      const own = blocksAlone(body);
      const said = own
        ? ownBlocks(own, slackText(fieldsOf(body).text))
        : readPayload(body, { event, topic }, maxText);
      const text = shorten(said.text, maxText);
      if (text === '') throw new EmptyMessage(undefined, NOTHING_SAID);
      const posting = batch(
        posts.post,
        postBy(principal, { teamId: row.team_id, subject: readSubject(query.subject) }, { ...said, text }),
        {
          lane: row.team_id,
          shared: true,
          again: async () => [],
        },
      );
      await posting.catch((error: unknown) => {
        // The webhook, or its team, was deleted after it was found.
        throw error instanceof UnreachableAddressee ? new NotFound() : error;
      });
      // The message stands: a sender that was told of a failure would post it again.
      await webhooks.used(row).catch((err: unknown) => request.log.warn({ err }, 'the use was not noted'));
      return new PlainText('ok');
    },
  });
}

const NOTHING_SAID =
  'The call says nothing: send a text, or a JSON object that has one, such as {"text": "It is done"}';

/** The name of an event is shorter. */
const MOST_OF_EVENT = 200;
/**
 * Headers in which products name their event, where the body does not: `X-Event-Key`, `X-Shopify-Topic`, `ce-type`. Those of
 * GitHub and its like are read with their payloads.
 */
const TOPIC =
  /^(?:ce-type|x-(?!git|gogs|forgejo)(?:[a-z]{1,30}-){0,3}(?:topic|event(?:-(?:key|type|name))?))$/;

function topicOf(request: FastifyRequest): string | undefined {
  const name = Object.keys(request.headers).find((one) => TOPIC.test(one));
  return name === undefined ? undefined : headerOf(request, name);
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  if (typeof value !== 'string' || value === '') return undefined;
  // Node reads headers as Latin-1; programs send UTF-8.
  return Buffer.from(value.slice(0, MOST_OF_EVENT), 'latin1').toString();
}

/** The blocks of a payload that holds nothing to show besides. Others are read as text, so that nothing is lost. */
function blocksAlone(body: unknown): readonly Block[] | undefined {
  const { blocks, ...rest } = fieldsOf(body);
  if (!Array.isArray(blocks)) return undefined;
  return Object.keys(rest).every((name) => BESIDE_BLOCKS.has(name)) ? findBlocks(blocks) : undefined;
}

const ownBlocks = (blocks: readonly Block[], text: string) => ({
  text: text || textOfBlocks(blocks),
  blocks,
  isMade: text === '',
});

const BESIDE_BLOCKS = new Set(
  'text channel username icon_emoji icon_url mrkdwn unfurl_links unfurl_media thread_ts response_type'.split(
    ' ',
  ),
);

const postBy = (
  author: UserPrincipal,
  to: { teamId: string; subject: string | null },
  said: { text: string; blocks: readonly Block[] | undefined; isMade?: boolean },
) => ({
  author,
  content: { ...said, format: null, attachments: [], fileIds: [], mention: undefined },
  to: { ...to, userIds: [], emails: [] },
});

/** Cuts after so many characters, never through one. */
function shorten(text: string, most: number): string {
  const clean = text.toWellFormed().replaceAll('\0', '').trim();
  return clean.length <= most ? clean : `${beginningOf(clean, most - 1)}…`;
}

/** Somebody who captured a signed call can change the headers that are not signed: these do not make another call of it. */
function nameRepetition({ headers, rawBody = '' }: FastifyRequest, signed: Signed | undefined): void {
  const given = (name: string) => (typeof headers[name] === 'string' ? headers[name] : '');
  if (signed?.name !== undefined) {
    headers['idempotency-key'] = digest(signed.name);
    return;
  }
  const name = REPEATED_BY.find((one) => headers[one] !== undefined);
  const event = given('x-gitlab-event-uuid');
  // All events that one call of GitLab’s interface leads to share this name.
  if (name === undefined && event !== '') headers['idempotency-key'] = digest(`${event} ${rawBody}`);
  if (name === undefined || name === 'idempotency-key') return;
  const id = given(name);
  if (id !== '') headers['idempotency-key'] = id.slice(0, 255);
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, and as it was before it was compressed: a signature is of one of them. */
    signable: readonly Buffer[];
  }
}

/** Programs name any type, one that is none, or none. */
function readAnyBody(app: FastifyInstance, limit: SizeLimit): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('signable');
  app.addHook('onRequest', async ({ headers, mediaType }) => {
    if (mediaType === undefined) delete headers['content-type'];
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    const { 'content-type': type = '', 'content-encoding': encoding = '' } = request.headers;
    const content = await unpack(encoding, bytes, limit);
    request.signable = content === bytes ? [bytes] : [bytes, content];
    const { payload, text } = await readBody(type, content);
    request.rawBody = text;
    return payload;
  });
}
